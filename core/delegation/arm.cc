// SPDX-License-Identifier: Apache-2.0
#include "core/delegation/arm.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "core/code/operator_name.h"

namespace etlens {
namespace {

// In the lists of 1.5, for integers or floats or both.
constexpr auto kTosaOperators = std::to_array<std::string_view>({
    "_adaptive_avg_pool2d",
    "_clone_dim_order",
    "_log_softmax",
    "_native_batch_norm_legit",
    "_native_batch_norm_legit_no_training",
    "_softmax",
    "_to_copy",
    "_to_dim_order_copy",
    "abs",
    "acos",
    "acosh",
    "add",
    "addmm",
    "alias_copy",
    "amax",
    "amin",
    "any",
    "argmax",
    "as_strided_copy",
    "asin",
    "asinh",
    "atan",
    "atanh",
    "avg_pool2d",
    "bitwise_and",
    "bitwise_left_shift",
    "bitwise_not",
    "bitwise_or",
    "bitwise_right_shift",
    "bitwise_xor",
    "bmm",
    "cat",
    "ceil",
    "celu",
    "clamp",
    "clone",
    "constant_pad_nd",
    "conv2d",
    "conv_transpose2d",
    "convolution",
    "copy",
    "cos",
    "cosh",
    "cumsum",
    "dequantize_per_channel",
    "dequantize_per_tensor",
    "detach_copy",
    "div",
    "elu",
    "embedding",
    "eq",
    "erf",
    "exp",
    "expand_copy",
    "expm1",
    "eye",
    "flip",
    "floor",
    "floor_divide",
    "full",
    "full_like",
    "gather",
    "ge",
    "gelu",
    "getitem",
    "glu",
    "grid_sampler_2d",
    "gt",
    "hardsigmoid",
    "hardswish",
    "hardtanh",
    "index",
    "index_put",
    "index_select",
    "le",
    "leaky_relu",
    "linear",
    "log",
    "log10",
    "log1p",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "logit",
    "lt",
    "masked_fill",
    "max",
    "max_pool2d",
    "max_pool2d_with_indices",
    "maximum",
    "mean",
    "min",
    "minimum",
    "mm",
    "mul",
    "native_group_norm",
    "native_layer_norm",
    "ne",
    "neg",
    "ones",
    "permute_copy",
    "pixel_shuffle",
    "pixel_unshuffle",
    "pow",
    "quantize_per_channel",
    "quantize_per_tensor",
    "reciprocal",
    "reflection_pad1d",
    "reflection_pad2d",
    "relu",
    "remainder",
    "repeat",
    "round",
    "rsqrt",
    "scalar_tensor",
    "scatter",
    "select_copy",
    "select_scatter",
    "selu",
    "sigmoid",
    "sign",
    "silu",
    "sin",
    "sinh",
    "slice_copy",
    "slice_scatter",
    "split_copy",
    "split_with_sizes_copy",
    "sqrt",
    "squeeze_copy",
    "sub",
    "sum",
    "t_copy",
    "tan",
    "tanh",
    "unfold_copy",
    "unsqueeze_copy",
    "upsample_bilinear2d",
    "upsample_nearest2d",
    "var",
    "view_copy",
    "where",
    "zeros",
});

// That an Ethos-U55 cannot do, and an Ethos-U85 can.
constexpr auto kNotOnU55 = std::to_array<std::string_view>({
    "any",
    "bitwise_and",
    "bitwise_left_shift",
    "bitwise_not",
    "bitwise_or",
    "bitwise_right_shift",
    "bitwise_xor",
    "eq",
    "gather",
    "ge",
    "grid_sampler_2d",
    "gt",
    "index",
    "index_put",
    "index_select",
    "le",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "lt",
    "masked_fill",
    "ne",
    "reflection_pad1d",
    "reflection_pad2d",
    "scatter",
    "unfold_copy",
    "upsample_bilinear2d",
    "where",
});

template <size_t kCount>
bool is_in(const std::array<std::string_view, kCount>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

struct Target {
  std::string_view label;
  bool is_integer = false;  // integers alone
  bool may_be_u55 = false;
  bool is_u55 = false;  // for sure
};

std::optional<RuleVerdict> check_tosa_type(const RuleNode& node, const TensorType& type,
                                           const Target& target, bool is_constant) {
  if (type.dtype == "float64" || type.dtype == "complex64" || type.dtype == "complex128") {
    return RuleVerdict::refused("dtype",
                                fmt::format("{} takes no {} tensors.", target.label, type.dtype),
                                type.dtype == "float64" ? "Use float32 in the source." : "");
  }
  if (type.dtype == "int64" && !is_constant && base_operator_of_target(node.target()) != "argmax") {
    return RuleVerdict::refused(
        "int64", fmt::format("{} takes no int64 values that are computed.", target.label),
        "Use int32 in the source where the values allow it.");
  }
  constexpr size_t kMostDimensions = 6;
  if (type.rank() > kMostDimensions) {
    return RuleVerdict::refused("rank",
                                fmt::format("{} takes tensors of up to {} dimensions, and this "
                                            "one has {}.",
                                            target.label, kMostDimensions, type.rank()));
  }
  if (type.is_dynamic()) {
    return RuleVerdict::refused("dynamic_shape",
                                fmt::format("{} takes static shapes only.", target.label),
                                "Export with static shapes.");
  }
  return std::nullopt;
}

std::optional<RuleVerdict> check_tosa_types(const RuleNode& node, const Target& target) {
  const RuleGraph& graph = node.graph();
  for (const StringId input : node.inputs()) {
    const TensorType* type = graph.type_of(input);
    if (type == nullptr) continue;
    if (auto wrong = check_tosa_type(node, *type, target, graph.is_constant(input))) return wrong;
  }
  for (size_t i = 0; i < node.outputs().size(); ++i) {
    const TensorType* type = node.output_type(i);
    if (type == nullptr) continue;
    if (auto wrong = check_tosa_type(node, *type, target, false)) return wrong;
  }
  return std::nullopt;
}

bool is_made_by_dequantize(const RuleGraph& graph, StringId value) {
  const NodeId maker = graph.maker_of(value);
  return maker.valid() && is_dequantize_node(RuleNode(graph, maker).op());
}

// Of a target that computes with integers: no value that goes in or comes out is a plain float.
bool is_unquantized(const RuleNode& node) {
  const RuleGraph& graph = node.graph();
  bool has_float = false;
  for (const StringId input : node.inputs()) {
    const TensorType* type = graph.type_of(input);
    if (type == nullptr || !type->is_float() || graph.is_constant(input)) continue;
    has_float = true;
    if (is_made_by_dequantize(graph, input)) return false;
  }
  for (const StringId output : node.outputs())
    for (const NodeId reader : graph.readers_of(output))
      if (RuleNode(graph, reader).op().starts_with("quantize_")) return false;
  return has_float;
}

RuleVerdict judge_tosa(const RuleNode& node, const Target& target) {
  const std::string_view base = base_operator_of_target(node.target());
  if (!node.is_operator() || !is_in(kTosaOperators, base)) {
    return RuleVerdict::refused("unsupported_operator",
                                fmt::format("{} has no {}.", target.label, base));
  }
  if (is_quantize_node(node.op())) {
    return RuleVerdict::only_together(
        "quantize_without_operator",
        fmt::format("{} takes a quantize or dequantize node only together with an operator that it "
                    "takes.",
                    target.label));
  }
  if (target.may_be_u55 && is_in(kNotOnU55, base)) {
    RuleVerdict verdict =
        RuleVerdict::refused("unsupported_by_u55",
                             fmt::format("An Ethos-U55 has no {}; an Ethos-U85 may have it.", base),
                             "Compile for an Ethos-U85, or write it with arithmetic.");
    // Without the target's name it may have been the other one.
    if (!target.is_u55) verdict.answer = RuleAnswer::Unknown;
    return verdict;
  }
  if (auto wrong = check_tosa_types(node, target)) return *std::move(wrong);
  if (target.is_integer && is_unquantized(node)) {
    return RuleVerdict::refused(
        "not_quantized",
        fmt::format("{} computes with integers, and this {} is not quantized.", target.label, base),
        "Quantize this operator, too: annotate it in the quantizer.");
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

RuleVerdict judge_ethos_u(const RuleNode& node, Release, const ExportFacts& facts) {
  const bool is_known = !facts.profile.empty();
  const bool is_u55 = contains(facts.profile, "u55");
  return judge_tosa(node, {.label = "Ethos-U",
                           .is_integer = true,
                           .may_be_u55 = !is_known || is_u55,
                           .is_u55 = is_u55});
}

RuleVerdict judge_vgf(const RuleNode& node, Release, const ExportFacts& facts) {
  const bool is_integer = contains(facts.profile, "+INT") && !contains(facts.profile, "+FP");
  return judge_tosa(node, {.label = "VGF", .is_integer = is_integer});
}

}  // namespace etlens
