// SPDX-License-Identifier: Apache-2.0
// Which nodes the partitioners of Arm's TOSA take, of which there are two: Ethos-U and VGF. Read in
// the releases 1.0 to 1.5.
#pragma once

#include "core/delegation/rules.h"

namespace etlens {

RuleVerdict judge_ethos_u(const RuleNode& node, Release release, const ExportFacts& facts);
RuleVerdict judge_vgf(const RuleNode& node, Release release, const ExportFacts& facts);

}  // namespace etlens
