// SPDX-License-Identifier: Apache-2.0
#include "core/delegation/xnnpack.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/delegation/xnnpack_operators.h"

namespace etlens {
namespace {

// What one can do instead of an operator that XNNPACK does not have, where the result is the same.
struct Instead {
  std::string_view op;
  std::string_view remedy;
};
constexpr Instead kInstead[]{
    {"split_with_sizes_copy.default", "Write slices instead of split: XNNPACK takes slice_copy."},
    {"select_copy.int", "Write a slice and a reshape instead of an index: XNNPACK takes both."},
    {"squeeze_copy.dims",
     "Write a reshape instead of squeeze: XNNPACK takes view_copy from 1.3 on."},
    {"expand_copy.default",
     "Leave out expand in front of an arithmetic operator: it broadcasts by itself."},
    {"max_pool2d_with_indices.default",
     "Export with to_edge_transform_and_lower, which keeps max_pool2d whole."},
    {"pow.Tensor_Tensor", "Write x ** 2 with the integer 2 where the power is 2."},
};

RuleVerdict refuse_operator(const RuleNode& node) {
  std::string remedy;
  for (const Instead& row : kInstead)
    if (row.op == node.op()) remedy = row.remedy;
  if (node.op() == "max_pool2d_with_indices.default") {
    return RuleVerdict::refused("unsupported_operator",
                                "XNNPACK has no max_pool2d_with_indices: max_pool2d was decomposed "
                                "before lowering.",
                                std::move(remedy));
  }
  return RuleVerdict::refused("unsupported_operator",
                              fmt::format("XNNPACK has no {}.", operator_of(node)),
                              std::move(remedy));
}

bool is_float_type(std::string_view dtype, Release release) {
  return dtype == "float32" || dtype == "float16" || dtype == "qint8" ||
         (dtype == "int8" && release <= 7);
}

// Types that are allowed beside floats: quantize nodes have stored values on one side.
bool is_stored_type(std::string_view dtype) {
  return dtype == "int8" || dtype == "uint8" || dtype == "int32" || dtype == "qint8";
}

RuleVerdict refuse_type(const TensorType& type, Release release) {
  if (type.dtype == "bfloat16" && release >= k15) {
    return RuleVerdict::unknown("partitioner_option",
                                "XNNPACK takes bfloat16 tensors only with the option enable_bf16.",
                                "Give the partitioner enable_bf16=True.");
  }
  return RuleVerdict::refused(
      "dtype",
      fmt::format("XNNPACK takes float32 and float16 tensors only, and this is {}.", type.dtype),
      type.dtype == "float64" ? "Use float32 in the source." : "");
}

std::optional<RuleVerdict> check_sizes(const TensorType& type, Release release) {
  for (const int64_t size : type.sizes) {
    if (size == 0)
      return RuleVerdict::refused("empty_tensor", "XNNPACK takes no tensor without elements.");
    if (size == kDataSize && release >= 10) {
      return RuleVerdict::refused("data_dependent_shape",
                                  "XNNPACK takes no shape that depends on data.");
    }
  }
  return std::nullopt;
}

// What holds for every operator.
std::optional<RuleVerdict> check_types(const RuleNode& node, Release release) {
  const bool is_quantizing = is_quantize_node(node.op());
  std::string_view reference;
  for (const NodeArgument& argument : node.arguments()) {
    if (argument.kind != ArgumentKind::Symbol || argument.names.empty()) continue;
    return RuleVerdict::refused(
        "runtime_size", fmt::format("XNNPACK takes no {} whose sizes are computed at run time.",
                                    operator_of(node)));
  }
  for (const StringId input : node.inputs()) {
    const TensorType* type = node.graph().type_of(input);
    if (type == nullptr || type->dtype == "unknown") continue;
    if (std::optional<RuleVerdict> wrong = check_sizes(*type, release)) return wrong;
    const bool is_valid =
        is_float_type(type->dtype, release) || (is_quantizing && is_stored_type(type->dtype));
    if (!is_valid) return refuse_type(*type, release);
    if (reference.empty()) reference = type->dtype;
    if (release >= 7 && reference != type->dtype && !is_quantizing) {
      return RuleVerdict::refused(
          "mixed_dtypes",
          fmt::format("XNNPACK takes inputs of one type only, and these are {} and {}.", reference,
                      type->dtype),
          "Convert one of the inputs in the source.");
    }
  }
  for (size_t i = 0; i < node.outputs().size(); ++i) {
    const TensorType* type = node.output_type(i);
    if (type == nullptr || type->dtype == "unknown") continue;
    const bool is_valid =
        is_float_type(type->dtype, release) || (is_quantizing && is_stored_type(type->dtype));
    if (!is_valid) return refuse_type(*type, release);
  }
  return std::nullopt;
}

// A reshape or transpose that torch.nn.Linear was decomposed into.
bool is_part_of_linear(const RuleNode& node) {
  const RuleGraph& graph = node.graph();
  const auto is_product = [&](NodeId id) {
    if (!id.valid()) return false;
    const std::string_view op = RuleNode(graph, id).op();
    return op == "addmm.default" || op == "mm.default" || op == "bmm.default";
  };
  for (const StringId input : node.inputs())
    if (is_product(graph.maker_of(input))) return true;
  for (const StringId output : node.outputs())
    if (std::ranges::any_of(graph.readers_of(output), is_product)) return true;
  return false;
}

}  // namespace

RuleVerdict judge_xnnpack(const RuleNode& node, Release release, const ExportFacts&) {
  const XnnpackRule* row = find_xnnpack_operator(node.op(), release);
  if (row == nullptr && node.op() == "view_copy.default" && is_part_of_linear(node)) {
    return RuleVerdict::only_together(
        "reshape_without_linear",
        "XNNPACK takes a reshape before 1.3 only together with its linear.",
        "Use a later release of ExecuTorch.");
  }
  if (!node.is_operator() || row == nullptr) return refuse_operator(node);
  if (row->is_only_together) {
    return RuleVerdict::only_together(
        "quantize_without_operator",
        "XNNPACK takes this quantize or dequantize node only together with its linear or "
        "convolution.");
  }
  if (std::optional<RuleVerdict> wrong = check_types(node, release)) return *std::move(wrong);
  return row->check == nullptr ? RuleVerdict::taken() : row->check(node, release);
}

}  // namespace etlens
