// SPDX-License-Identifier: Apache-2.0
#include "core/delegation/whole_graph.h"

#include <fmt/format.h>

#include "core/delegation/native_operators.h"

namespace etlens {
namespace {

RuleVerdict judge_whole(const RuleNode& node, std::string_view label) {
  return RuleVerdict::unknown(
      "partitioner_option",
      fmt::format("{} takes whole graphs, and this {} was left out when the model was lowered.",
                  label, operator_of(node)),
      "Check the partitioner's options, and which partitioner ran first.");
}

}  // namespace

RuleVerdict judge_native(const RuleNode& node, Release, const ExportFacts&) {
  if (node.is_operator() && is_native_operator(node.target())) return RuleVerdict::taken();
  return RuleVerdict::refused(
      "unsupported_operator",
      fmt::format("Native takes core ATen operators, and {} is none.", operator_of(node)));
}

RuleVerdict judge_cuda(const RuleNode& node, Release, const ExportFacts&) {
  return judge_whole(node, "CUDA");
}

RuleVerdict judge_metal(const RuleNode& node, Release, const ExportFacts&) {
  return judge_whole(node, "Metal");
}

}  // namespace etlens
