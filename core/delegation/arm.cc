// SPDX-License-Identifier: Apache-2.0
#include "core/delegation/arm.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/code/operator_name.h"
#include "core/delegation/arm_operators.h"

namespace etlens {
namespace {

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

struct Target {
  std::string_view label;
  Release release = kNewestRules;
  bool is_integer = false;  // integers alone
  bool may_be_u55 = false;
  bool is_u55 = false;     // for sure
  bool is_static = false;  // takes no shape that is not known
};

std::optional<RuleVerdict> check_tosa_type(const TensorType& type, const Target& target) {
  const bool is_bool = type.dtype == "bool" && target.is_u55 && target.release >= k15;
  if (is_bool || type.dtype == "float64" || type.dtype == "complex64" ||
      type.dtype == "complex128") {
    return RuleVerdict::refused("dtype",
                                fmt::format("{} takes no {} tensors.", target.label, type.dtype),
                                type.dtype == "float64" ? "Use float32 in the source." : "");
  }
  constexpr size_t kMostDimensions = 6;
  if (type.rank() > kMostDimensions) {
    return RuleVerdict::refused("rank",
                                fmt::format("{} takes tensors of up to {} dimensions, and this "
                                            "one has {}.",
                                            target.label, kMostDimensions, type.rank()));
  }
  if (type.is_dynamic() && target.is_static) {
    return RuleVerdict::refused("dynamic_shape",
                                fmt::format("{} takes static shapes only.", target.label),
                                "Export with static shapes.");
  }
  return std::nullopt;
}

RuleVerdict refuse_int64(const Target& target) {
  return RuleVerdict::refused(
      "int64", fmt::format("{} takes no int64 values that are computed.", target.label),
      "Use int32 in the source where the values allow it.");
}

bool has_int64(const RuleGraph& graph, StringId value) {
  const TensorType* type = graph.type_of(value);
  return type != nullptr && type->dtype == "int64";
}

// Values of a constant may be int64, and so may indices that nobody reads.
std::optional<RuleVerdict> check_int64(const RuleNode& node, const Target& target) {
  const RuleGraph& graph = node.graph();
  for (const StringId input : node.inputs()) {
    if (!has_int64(graph, input) || graph.is_constant(input)) continue;
    const NodeId maker = graph.maker_of(input);
    if (maker.valid() && is_tosa_constant(RuleNode(graph, maker).op())) continue;
    if (maker.valid() && RuleNode(graph, maker).op() == "argmax.default") continue;
    return refuse_int64(target);
  }
  for (const StringId output : node.outputs()) {
    if (!has_int64(graph, output) || is_tosa_constant(node.op())) continue;
    const std::span<const NodeId> readers = graph.readers_of(output);
    if (readers.empty() && !graph.is_returned(output) && node.outputs().size() > 1) continue;
    const bool is_narrowed = !readers.empty() && !graph.is_returned(output) &&
                             std::ranges::all_of(readers, [&](NodeId reader) {
                               const TensorType* made = RuleNode(graph, reader).output_type();
                               return made != nullptr && made->dtype == "int32";
                             });
    if (node.op() == "argmax.default" && (is_narrowed || target.release < k15)) continue;
    return refuse_int64(target);
  }
  return std::nullopt;
}

std::optional<RuleVerdict> check_tosa_types(const RuleNode& node, const Target& target) {
  for (const std::span<const StringId> values : {node.inputs(), node.outputs()}) {
    for (const StringId value : values) {
      const TensorType* type = node.graph().type_of(value);
      if (type == nullptr) continue;
      if (auto wrong = check_tosa_type(*type, target)) return wrong;
    }
  }
  return check_int64(node, target);
}

bool is_made_by_dequantize(const RuleGraph& graph, StringId value) {
  const NodeId maker = graph.maker_of(value);
  return maker.valid() && is_dequantize_node(RuleNode(graph, maker).op());
}

bool is_activation(std::string_view op) { return op == "relu.default" || op == "hardtanh.default"; }

bool is_gemm(std::string_view op) { return op == "convolution.default" || op == "linear.default"; }

// An activation is computed with the convolution or linear in front of it.
bool is_fused_with(const RuleNode& first, const RuleNode& second) {
  return is_gemm(first.op()) && is_activation(second.op());
}

bool is_float_value(const RuleGraph& graph, StringId value) {
  const TensorType* type = graph.type_of(value);
  return type != nullptr && type->is_float();
}

bool has_plain_input(const RuleNode& node) {
  const RuleGraph& graph = node.graph();
  for (const StringId input : node.inputs()) {
    if (!is_float_value(graph, input) || is_made_by_dequantize(graph, input)) continue;
    const NodeId maker = graph.maker_of(input);
    if (maker.valid() && is_fused_with(RuleNode(graph, maker), node)) continue;
    return true;
  }
  return false;
}

bool has_plain_output(const RuleNode& node) {
  const RuleGraph& graph = node.graph();
  for (const StringId output : node.outputs()) {
    if (!is_float_value(graph, output)) continue;
    if (graph.is_returned(output)) return true;
    for (const NodeId reader : graph.readers_of(output)) {
      const RuleNode row(graph, reader);
      if (!row.op().starts_with("quantize_") && !is_fused_with(node, row)) return true;
    }
  }
  return false;
}

bool has_quantized_neighbour(const RuleNode& node) {
  const RuleGraph& graph = node.graph();
  for (const StringId input : node.inputs())
    if (is_made_by_dequantize(graph, input)) return true;
  for (const StringId output : node.outputs())
    for (const NodeId reader : graph.readers_of(output))
      if (RuleNode(graph, reader).op().starts_with("quantize_")) return true;
  return false;
}

// Of a target that computes with integers.
std::optional<RuleVerdict> check_quantized(const RuleNode& node, const Target& target) {
  const std::string name = operator_of(node);
  const auto refused = [&](std::string_view what) {
    return RuleVerdict::refused(
        "not_quantized",
        fmt::format("{} computes with integers, and {} {} is not quantized.", target.label, what,
                    name),
        "Quantize this operator, too: annotate it in the quantizer.");
  };
  const bool has_plain = has_plain_input(node) || has_plain_output(node);
  if (!has_plain) return std::nullopt;
  if (!has_quantized_neighbour(node)) return refused("this");
  RuleVerdict verdict = refused(has_plain_input(node) ? "an input of this" : "the result of this");
  // Others are taken behind a node that is.
  if (target.release < k15 || !needs_quantized_values(node.op()))
    verdict.answer = RuleAnswer::Unknown;
  return verdict;
}

std::optional<RuleVerdict> check_pool(const RuleNode& node, const Target& target) {
  const bool is_average = node.op() == "avg_pool2d.default";
  const bool is_pool = is_average || node.op().starts_with("max_pool2d");
  if (node.op() == "max_pool2d_with_indices.default" && node.outputs().size() > 1 &&
      (!node.graph().readers_of(node.outputs()[1]).empty() ||
       node.graph().is_returned(node.outputs()[1]))) {
    return RuleVerdict::refused(
        "max_indices", fmt::format("{} takes max_pool2d only without its indices.", target.label));
  }
  if (!target.is_u55 || !is_pool || !node.has_arguments()) return std::nullopt;
  constexpr int64_t kMostStride = 3;
  const TensorType* type = node.input_type();
  std::vector<int64_t> strides = node.integers("stride");
  if (strides.empty()) strides = node.integers("kernel_size");
  const bool is_wide =
      std::ranges::any_of(strides, [](int64_t stride) { return stride > kMostStride; });
  if (is_average && is_wide) {
    return RuleVerdict::refused("pool_stride",
                                fmt::format("An Ethos-U55 takes avg_pool2d only with a stride up "
                                            "to {}.",
                                            kMostStride),
                                "Average in two steps.");
  }
  if (is_average && type != nullptr && type->rank() == 4 && type->sizes[0] > 1) {
    return RuleVerdict::refused("batch", "An Ethos-U55 takes avg_pool2d only of one image.",
                                "Export with a batch of 1.");
  }
  return std::nullopt;
}

RuleVerdict refuse_tosa_operator(const RuleNode& node, const Target& target) {
  const std::string name = operator_of(node);
  if (target.is_integer && is_float_tosa_operator(node.op())) {
    return RuleVerdict::refused(
        "unsupported_operator", fmt::format("{} has no {} of integers.", target.label, name),
        "Quantize it: the quantizer writes it as operators that there are.");
  }
  return RuleVerdict::refused("unsupported_operator",
                              fmt::format("{} has no {}.", target.label, name));
}

RuleVerdict judge_tosa(const RuleNode& node, const Target& target) {
  const std::string_view base = base_operator_of_target(node.target());
  if (is_quantize_node(node.op())) {
    return RuleVerdict::only_together(
        "quantize_without_operator",
        fmt::format("{} takes a quantize or dequantize node only together with an operator that it "
                    "takes.",
                    target.label));
  }
  if (!node.is_operator() || !is_tosa_operator(node.op(), target.release, target.is_integer))
    return refuse_tosa_operator(node, target);
  if (target.may_be_u55 && is_not_on_u55(base, target.release)) {
    RuleVerdict verdict =
        RuleVerdict::refused("unsupported_by_u55",
                             fmt::format("An Ethos-U55 has no {}; an Ethos-U85 may have it.", base),
                             "Compile for an Ethos-U85, or write it with arithmetic.");
    // Without the target's name it may have been the other one.
    if (!target.is_u55) verdict.answer = RuleAnswer::Unknown;
    return verdict;
  }
  if (auto wrong = check_tosa_types(node, target)) return *std::move(wrong);
  if (auto wrong = check_pool(node, target)) return *std::move(wrong);
  if (target.is_integer)
    if (auto wrong = check_quantized(node, target)) return *std::move(wrong);
  if (is_removed_by_tosa(node.op())) {
    return RuleVerdict::only_together(
        "only_views", fmt::format("{} takes {} only together with an operator that computes.",
                                  target.label, base));
  }
  return RuleVerdict::unknown(
      "not_decidable",
      fmt::format(
          "{} has {}, and did not take this one: a limit of its hardware or an option is not "
          "in the record.",
          target.label, base),
      "Read the partitioner's log at export.");
}

}  // namespace

RuleVerdict judge_ethos_u(const RuleNode& node, Release release, const ExportFacts& facts) {
  const bool is_known = !facts.profile.empty();
  const bool is_u55 = contains(facts.profile, "u55");
  return judge_tosa(node, {.label = "Ethos-U",
                           .release = release,
                           .is_integer = true,
                           .may_be_u55 = !is_known || is_u55,
                           .is_u55 = is_u55,
                           .is_static = true});
}

RuleVerdict judge_vgf(const RuleNode& node, Release release, const ExportFacts& facts) {
  const bool is_integer = contains(facts.profile, "+INT") && !contains(facts.profile, "+FP");
  return judge_tosa(node, {.label = "VGF", .release = release, .is_integer = is_integer});
}

}  // namespace etlens
