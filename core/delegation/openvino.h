// SPDX-License-Identifier: Apache-2.0
// Which nodes OpenVINO's partitioner takes: those in the list of the openvino package that
// exported, which no record has.
#pragma once

#include "core/delegation/rules.h"

namespace etlens {

RuleVerdict judge_openvino(const RuleNode& node, Release release, const ExportFacts& facts);

}  // namespace etlens
