// SPDX-License-Identifier: Apache-2.0
// Backends that take the whole graph or nothing.
#pragma once

#include "core/delegation/rules.h"

namespace etlens {

RuleVerdict judge_native(const RuleNode& node, Release release, const ExportFacts& facts);
RuleVerdict judge_cuda(const RuleNode& node, Release release, const ExportFacts& facts);
RuleVerdict judge_metal(const RuleNode& node, Release release, const ExportFacts& facts);

}  // namespace etlens
