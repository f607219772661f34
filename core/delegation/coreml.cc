// SPDX-License-Identifier: Apache-2.0
#include "core/delegation/coreml.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/delegation/coreml_operators.h"

namespace etlens {
namespace {

constexpr Release kRefusals = 10;  // from then on the partitioner has its own
constexpr Release kMoreRefusals = 13;

constexpr auto kNeverInCoreml = std::to_array<std::string_view>(
    {"diagonal.default", "diagonal_copy.default", "acosh.default", "asinh.default"});

bool has_other_alpha(const RuleNode& node) {
  const NodeArgument* alpha = node.argument("alpha");
  if (alpha == nullptr) return false;
  const bool is_one = (!alpha->integers.empty() && alpha->integers[0] == 1) ||
                      (!alpha->numbers.empty() && alpha->numbers[0] == 1);
  return !is_one && (!alpha->integers.empty() || !alpha->numbers.empty());
}

}  // namespace

RuleVerdict judge_coreml(const RuleNode& node, Release release, const ExportFacts&) {
  const std::string_view op = node.op();
  const std::string name = operator_of(node);
  if (release >= kRefusals && std::ranges::find(kNeverInCoreml, op) != kNeverInCoreml.end())
    return RuleVerdict::refused("unsupported_operator",
                                fmt::format("Core ML's partitioner takes no {}.", name));
  if (release >= kRefusals && (op == "add.Tensor" || op == "sub.Tensor") && has_other_alpha(node))
    return RuleVerdict::refused("alpha", fmt::format("Core ML takes {} only with alpha = 1.", name),
                                "Multiply the second operand in the source instead.");
  if (release >= kMoreRefusals && op.starts_with("rand."))
    return RuleVerdict::refused("unsupported_operator", "Core ML's partitioner takes no rand.");
  if (release >= kMoreRefusals && (op == "argmax.default" || op == "argmin.default") &&
      node.has_arguments() && !node.integer("dim")) {
    return RuleVerdict::refused("argmax_flattened",
                                fmt::format("Core ML takes {} only along a dimension.", name),
                                "Flatten the tensor first and name its dimension.");
  }
  if (!node.is_operator() || !is_coreml_operator(node.target())) {
    return RuleVerdict::refused(
        "unsupported_operator",
        fmt::format("Core ML has no {}: coremltools does not convert it.", name));
  }
  // The list is that of coremltools 9.0, which these releases use.
  if (release >= kMoreRefusals) return RuleVerdict::taken();
  return RuleVerdict::unknown(
      "not_decidable",
      fmt::format(
          "Core ML did not take this {}: coremltools decides that at export, and the record "
          "does not contain the reason.",
          name),
      "Read the partitioner's log at export, and check skip_ops_for_coreml_delegation.");
}

}  // namespace etlens
