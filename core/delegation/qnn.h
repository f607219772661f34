// SPDX-License-Identifier: Apache-2.0
// Which nodes Qualcomm's partitioner takes, as far as its list of operators decides it. Behind that
// the QNN SDK validates each node. Read in the releases 1.0 to 1.5.
#pragma once

#include "core/delegation/rules.h"

namespace etlens {

RuleVerdict judge_qnn(const RuleNode& node, Release release, const ExportFacts& facts);

}  // namespace etlens
