// SPDX-License-Identifier: Apache-2.0
// The policy that a model keeps as it is: what `etlens gate --init` writes.
#pragma once

#include <string>

#include "core/gate/evidence.h"
#include "core/gate/policy.h"

namespace etlens {

// `artifacts`: what is named in the file, as it is to stand there. Budgets that the evidence does
// not cover, and those of time against a base, are comments. Read again, the evidence keeps it.
std::string policy_text(const PolicyArtifacts& artifacts, const Evidence& evidence);

}  // namespace etlens
