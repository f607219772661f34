// SPDX-License-Identifier: Apache-2.0
// Which nodes XNNPACK's partitioner takes. Read in the releases 0.4 to 1.5.
#pragma once

#include "core/delegation/rules.h"

namespace etlens {

RuleVerdict judge_xnnpack(const RuleNode& node, Release release, const ExportFacts& facts);

}  // namespace etlens
