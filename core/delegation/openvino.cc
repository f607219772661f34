// SPDX-License-Identifier: Apache-2.0
#include "core/delegation/openvino.h"

#include <fmt/format.h>

#include "core/delegation/openvino_operators.h"

namespace etlens {

RuleVerdict judge_openvino(const RuleNode& node, Release, const ExportFacts&) {
  if (node.is_operator() && is_openvino_operator(node.target())) return RuleVerdict::taken();
  return RuleVerdict::refused("unsupported_operator",
                              fmt::format("OpenVINO has no {}.", operator_of(node)));
}

}  // namespace etlens
