// SPDX-License-Identifier: Apache-2.0
// Which nodes the partitioner of Vulkan, which is that of WebGPU too, takes. Read in the releases
// 1.0 to 1.5.
#pragma once

#include "core/delegation/rules.h"

namespace etlens {

RuleVerdict judge_vulkan(const RuleNode& node, Release release, const ExportFacts& facts);

}  // namespace etlens
