// SPDX-License-Identifier: Apache-2.0
// Which nodes Core ML's partitioner takes: those that coremltools says it can convert, apart from a
// few that it refuses whatever coremltools says. Read in the releases 1.0 to 1.5.
#pragma once

#include "core/delegation/rules.h"

namespace etlens {

RuleVerdict judge_coreml(const RuleNode& node, Release release, const ExportFacts& facts);

}  // namespace etlens
