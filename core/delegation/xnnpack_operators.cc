// SPDX-License-Identifier: Apache-2.0
#include "core/delegation/xnnpack_operators.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/delegation/xnnpack_gemm.h"

namespace etlens {
namespace {

int64_t wrapped(int64_t dim, size_t rank) {
  return dim < 0 ? dim + static_cast<int64_t>(rank) : dim;
}

RuleVerdict check_alpha(const RuleNode& node, Release release) {
  const NodeArgument* alpha = node.argument("alpha");
  if (release < k07 || alpha == nullptr) return RuleVerdict::taken();
  const bool is_one = (!alpha->integers.empty() && alpha->integers[0] == 1) ||
                      (!alpha->numbers.empty() && alpha->numbers[0] == 1);
  if (is_one) return RuleVerdict::taken();
  return RuleVerdict::refused(
      "alpha", fmt::format("XNNPACK takes {} only with alpha = 1.", operator_of(node)),
      "Multiply the second operand in the source instead.");
}

RuleVerdict check_gelu(const RuleNode& node, Release release) {
  const TensorType* type = node.input_type();
  if (release < k12 || type == nullptr || type->dtype != "float16") return RuleVerdict::taken();
  return RuleVerdict::refused("dtype", "XNNPACK takes gelu only in float32, and this is float16.",
                              "Convert the input of gelu to float32.");
}

RuleVerdict check_softmax(const RuleNode& node, Release) {
  const TensorType* type = node.input_type();
  const std::optional<int64_t> dim = node.integer("dim");
  if (type == nullptr || !dim) return RuleVerdict::taken();
  if (wrapped(*dim, type->rank()) + 1 == static_cast<int64_t>(type->rank()) || *dim == -1)
    return RuleVerdict::taken();
  return RuleVerdict::refused(
      "softmax_dim",
      fmt::format("XNNPACK takes softmax only over the last dimension, and this "
                  "one is over dimension {}.",
                  *dim),
      "Move the dimension to the end in front of softmax.");
}

RuleVerdict check_early_mean(const RuleNode& node) {
  const std::vector<int64_t> dims = node.integers("dim");
  const TensorType* out = node.output_type();
  const bool is_last_two =
      dims == std::vector<int64_t>{-1, -2} || dims == std::vector<int64_t>{-2, -1};
  if (is_last_two && (out == nullptr || out->rank() == 4)) return RuleVerdict::taken();
  return RuleVerdict::refused(
      "mean_dims",
      "XNNPACK takes mean before 1.3 only over the dimensions [-1, -2] of a 4-D "
      "tensor, written so, with keepdim=True.",
      "Write dim=(-1, -2), keepdim=True where the input has 4 dimensions.");
}

RuleVerdict check_mean(const RuleNode& node, Release release) {
  if (release < k13) return node.has_arguments() ? check_early_mean(node) : RuleVerdict::taken();
  const TensorType* type = node.input_type();
  const size_t rank = type == nullptr ? 4 : type->rank();
  if (rank != 4) {
    return RuleVerdict::refused(
        "mean_rank",
        fmt::format("XNNPACK takes mean only of 4-D tensors, and this one is "
                    "{}-D.",
                    rank),
        "Reshape to 4-D around mean, if the last two dimensions are averaged.");
  }
  if (!node.has_arguments()) return RuleVerdict::taken();
  std::vector<int64_t> dims = node.integers("dim");
  for (int64_t& dim : dims) dim = wrapped(dim, rank);
  std::sort(dims.begin(), dims.end());
  if (dims != std::vector<int64_t>{2, 3}) {
    return RuleVerdict::refused(
        "mean_dims", "XNNPACK takes mean only over the last two dimensions of a 4-D tensor.",
        "Average over dim=(2, 3) alone, and the rest afterwards.");
  }
  if (!node.flag("keepdim", false)) {
    return RuleVerdict::refused("mean_keepdim", "XNNPACK takes mean only with keepdim=True.",
                                "Write keepdim=True, and flatten or squeeze the result.");
  }
  const NodeArgument* dtype = node.argument("dtype");
  if (dtype != nullptr && dtype->kind == ArgumentKind::Dtype)
    return RuleVerdict::refused("mean_dtype", "XNNPACK takes mean only without a dtype.",
                                "Leave out dtype=.");
  return RuleVerdict::taken();
}

bool is_zero(const std::vector<int64_t>& numbers) {
  return std::ranges::all_of(numbers, [](int64_t number) { return number == 0; });
}

RuleVerdict check_avg_pool(const RuleNode& node, Release release) {
  if (!node.has_arguments()) return RuleVerdict::taken();
  if (node.flag("ceil_mode", false)) {
    return RuleVerdict::refused("pool_ceil_mode",
                                "XNNPACK takes avg_pool2d only without ceil_mode.",
                                "Write ceil_mode=False.");
  }
  const bool counts = node.flag("count_include_pad", true);
  if (counts && (release < k15 || !is_zero(node.integers("padding")))) {
    return RuleVerdict::refused("pool_counts_padding",
                                "XNNPACK takes no avg_pool2d that counts the padding.",
                                "Write count_include_pad=False.");
  }
  std::vector<int64_t> kernel = node.integers("kernel_size");
  if (kernel.size() == 1) kernel.push_back(kernel.front());
  const std::optional<int64_t> divisor = node.integer("divisor_override");
  if (divisor && kernel.size() == 2 && *divisor != kernel[0] * kernel[1]) {
    return RuleVerdict::refused("pool_divisor",
                                "XNNPACK takes avg_pool2d only with the divisor of its window.",
                                "Leave out divisor_override.");
  }
  return RuleVerdict::taken();
}

RuleVerdict check_max_pool(const RuleNode& node, Release release) {
  if (!node.has_arguments()) return RuleVerdict::taken();
  const TensorType* type = node.input_type();
  if (node.flag("ceil_mode", false) && (release < k06 || (type && type->is_dynamic()))) {
    return RuleVerdict::refused("pool_ceil_mode",
                                "XNNPACK takes max_pool2d with ceil_mode only for static shapes.",
                                "Write ceil_mode=False.");
  }
  const std::vector<int64_t> kernel = node.integers("kernel_size");
  const std::vector<int64_t> stride = node.integers("stride");
  for (size_t i = 0; i < stride.size() && !kernel.empty(); ++i) {
    if (stride[i] <= kernel[std::min(i, kernel.size() - 1)]) continue;
    return RuleVerdict::refused(
        "pool_stride", "XNNPACK takes no max_pool2d whose stride is larger than its window.",
        "Use a stride up to the size of the window.");
  }
  return RuleVerdict::taken();
}

RuleVerdict check_cat(const RuleNode& node, Release release) {
  std::vector<StringId> inputs(node.inputs().begin(), node.inputs().end());
  std::sort(inputs.begin(), inputs.end());
  inputs.erase(std::unique(inputs.begin(), inputs.end()), inputs.end());
  if (inputs.size() < 2) {
    return RuleVerdict::refused("cat_inputs",
                                "XNNPACK takes cat only of two or more different tensors.",
                                "Write repeat or a broadcast, or leave cat out.");
  }
  if (release < k06 && inputs.size() > 4) {
    return RuleVerdict::refused("cat_inputs", "XNNPACK takes cat before 0.6 of up to 4 tensors.",
                                "Use a later release, or join four at a time.");
  }
  return RuleVerdict::taken();
}

RuleVerdict check_pow(const RuleNode& node, Release) {
  const NodeArgument* exponent = node.argument("exponent");
  if (exponent == nullptr) return RuleVerdict::taken();
  if (exponent->kind == ArgumentKind::Int && exponent->integers == std::vector<int64_t>{2})
    return RuleVerdict::taken();
  const bool is_two = !exponent->numbers.empty() && exponent->numbers.front() == 2;
  return RuleVerdict::refused("pow_exponent",
                              "XNNPACK takes pow only with the exponent 2, as a whole number.",
                              is_two ? "Write 2 instead of 2.0." : "");
}

RuleVerdict check_slice(const RuleNode& node, Release) {
  const NodeArgument* step = node.argument("step");
  if (step != nullptr && !step->integers.empty() && step->integers.front() != 1) {
    return RuleVerdict::refused("slice_step", "XNNPACK takes slice only with step 1.",
                                "Reshape and take one part instead of every n-th element.");
  }
  for (const TensorType* type : {node.input_type(), node.output_type()}) {
    if (type == nullptr) continue;
    if (type->is_dynamic() || std::ranges::count(type->sizes, 0) > 0)
      return RuleVerdict::refused("dynamic_shape", "XNNPACK takes slice only of static shapes.",
                                  "Export with static shapes here.");
  }
  return RuleVerdict::taken();
}

RuleVerdict check_pad(const RuleNode& node, Release release) {
  const std::vector<int64_t> pads = node.integers("pad");
  if (release < k10 || std::ranges::none_of(pads, [](int64_t pad) { return pad < 0; }))
    return RuleVerdict::taken();
  return RuleVerdict::refused("negative_padding", "XNNPACK takes no negative padding.",
                              "Slice instead of padding by a negative number.");
}

RuleVerdict check_upsample(const RuleNode& node, Release) {
  const TensorType* out = node.output_type();
  if (out == nullptr || !out->is_dynamic()) return RuleVerdict::taken();
  return RuleVerdict::refused("dynamic_shape", "XNNPACK takes upsample only to a static size.",
                              "Export with static shapes here.");
}

RuleVerdict check_view(const RuleNode& node, Release) {
  const NodeArgument* size = node.argument("size");
  if (size == nullptr) return RuleVerdict::taken();
  const auto open = std::ranges::count(size->integers, -1);
  if (size->names.empty() && open < 2) return RuleVerdict::taken();
  if (size->names.size() + static_cast<size_t>(open) < 2 && size->kind == ArgumentKind::Ints)
    return RuleVerdict::taken();
  return RuleVerdict::refused(
      "dynamic_shape", "XNNPACK takes a reshape only to static sizes, of which one may be -1.",
      "Write numbers or one -1 instead of x.size().");
}

RuleVerdict check_unsqueeze(const RuleNode& node, Release) {
  const std::optional<int64_t> dim = node.integer("dim");
  const TensorType* type = node.input_type();
  if (!dim || type == nullptr || *dim == -1 || *dim == static_cast<int64_t>(type->rank()))
    return RuleVerdict::taken();
  return RuleVerdict::refused("unsqueeze_dim",
                              "XNNPACK takes unsqueeze only as a new last dimension.",
                              "Write a reshape to the new sizes: XNNPACK takes view_copy.");
}

RuleVerdict check_to_dim_order(const RuleNode& node, Release) {
  const TensorType* in = node.input_type();
  const TensorType* out = node.output_type();
  if (in == nullptr || out == nullptr || in->dtype == out->dtype) return RuleVerdict::taken();
  return RuleVerdict::refused(
      "dtype_conversion",
      fmt::format("XNNPACK converts no data types, and this is {} to {}.", in->dtype, out->dtype));
}

// Dimensions from the largest stride to the smallest.
std::vector<size_t> dim_order(const std::vector<int64_t>& strides) {
  std::vector<size_t> order(strides.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return strides[a] > strides[b]; });
  return order;
}

RuleVerdict check_clone(const RuleNode& node, Release) {
  const RuleGraph& graph = node.graph();
  const auto strides_of = [&](std::span<const StringId> values) -> const std::vector<int64_t>* {
    if (values.empty()) return nullptr;
    const auto at = graph.arguments().strides.find(std::string(graph.record().text(values[0])));
    return at == graph.arguments().strides.end() ? nullptr : &at->second;
  };
  const std::vector<int64_t>* in = strides_of(node.inputs());
  const std::vector<int64_t>* out = strides_of(node.outputs());
  if (in == nullptr || out == nullptr || in->size() != out->size()) return RuleVerdict::taken();
  if (dim_order(*in) == dim_order(*out)) return RuleVerdict::taken();
  return RuleVerdict::refused("memory_format",
                              "XNNPACK takes no copy that changes the memory format.",
                              "Keep one memory format through the model.");
}

RuleVerdict check_prelu(const RuleNode& node, Release) {
  if (node.inputs().size() < 2 || node.graph().is_constant(node.inputs()[1]))
    return RuleVerdict::taken();
  return RuleVerdict::refused("computed_weight",
                              "XNNPACK takes prelu only with a constant weight.");
}

// Whether somebody uses an output behind the first.
bool uses_further_output(const RuleNode& node) {
  for (size_t i = 1; i < node.outputs().size(); ++i) {
    const StringId output = node.outputs()[i];
    if (!node.graph().readers_of(output).empty() || node.graph().is_returned(output)) return true;
  }
  return false;
}

RuleVerdict check_max_dim(const RuleNode& node, Release) {
  const TensorType* type = node.input_type();
  if (type != nullptr && type->rank() != 4) {
    return RuleVerdict::refused(
        "max_rank", fmt::format("XNNPACK takes max over a dimension only of 4-D tensors, and "
                                "this one is {}-D.",
                                type->rank()));
  }
  if (uses_further_output(node)) {
    return RuleVerdict::refused("max_indices",
                                "XNNPACK takes max over a dimension only without its indices.",
                                "Write amax where the indices are not needed.");
  }
  return RuleVerdict::taken();
}

bool has_constant_parameters(const RuleNode& node) {
  for (size_t i = 1; i < node.inputs().size(); ++i)
    if (!node.graph().is_constant(node.inputs()[i])) return false;
  return true;
}

bool is_behind_gemm(const RuleNode& node) {
  if (node.inputs().empty()) return false;
  const NodeId maker = node.graph().maker_of(node.inputs()[0]);
  if (!maker.valid() || node.graph().readers_of(node.inputs()[0]).size() != 1) return false;
  const std::string_view op = RuleNode(node.graph(), maker).op();
  return op == "convolution.default" || op == "linear.default" || op == "addmm.default";
}

RuleVerdict check_batch_norm(const RuleNode& node, Release release) {
  const TensorType* type = node.input_type();
  const bool stands_alone = release >= k12 && type != nullptr && type->rank() >= 2 &&
                            type->rank() <= 4 && type->sizes[1] >= 0 &&
                            has_constant_parameters(node);
  if (!uses_further_output(node) && (is_behind_gemm(node) || stands_alone))
    return RuleVerdict::taken();
  return RuleVerdict::refused("batch_norm",
                              "XNNPACK takes a batch norm only where it can be folded into a "
                              "convolution or linear in front of it.",
                              "Fold it before export, or put it right after the convolution.");
}

constexpr auto kXnnpackOperators = std::to_array<XnnpackRule>({
    {"abs.default"},
    {"ceil.default"},
    {"floor.default"},
    {"neg.default"},
    {"sqrt.default"},
    {"div.Tensor"},
    {"maximum.default"},
    {"minimum.default"},
    {"sigmoid.default"},
    {"hardswish.default"},
    {"leaky_relu.default"},
    {"mul.Tensor"},
    {"relu.default"},
    {"hardtanh.default"},
    {"clamp.default"},
    {"permute_copy.default"},
    {"bmm.default"},
    {"rsqrt.default", k06},
    {"exp.default", k07},
    {"log.default", k07},
    {"tanh.default", k07},
    {"sin.default", k11},
    {"cos.default", k11},
    {"add.Tensor", 1, check_alpha},
    {"sub.Tensor", 1, check_alpha},
    {"gelu.default", k07, check_gelu},
    {"_softmax.default", 1, check_softmax},
    {"mean.dim", 1, check_mean},
    {"avg_pool2d.default", 1, check_avg_pool},
    {"max_pool2d.default", 1, check_max_pool},
    {"cat.default", 1, check_cat},
    {"pow.Tensor_Scalar", 1, check_pow},
    {"slice_copy.Tensor", 1, check_slice},
    {"constant_pad_nd.default", 1, check_pad},
    {"upsample_bilinear2d.vec", 1, check_upsample},
    {"view_copy.default", k13, check_view},
    {"unsqueeze_copy.default", k13, check_unsqueeze},
    {"_to_dim_order_copy.default", k10, check_to_dim_order},
    {"_clone_dim_order.default", k11, check_clone},
    {"clone.default", k14, check_clone},
    {"prelu.default", 1, check_prelu},
    {"max.dim", 1, check_max_dim},
    {"_native_batch_norm_legit_no_training.default", 1, check_batch_norm},
    {"linear.default", 1, check_xnnpack_gemm},
    {"addmm.default", 1, check_xnnpack_gemm},
    {"mm.default", 1, check_xnnpack_gemm},
    {"convolution.default", 1, check_xnnpack_convolution},
    {"quantize_per_tensor.default"},
    {"dequantize_per_tensor.default"},
    {.op = "quantize_per_tensor.tensor", .is_only_together = true},
    {.op = "dequantize_per_tensor.tensor", .is_only_together = true},
    {.op = "quantize_per_channel.default", .is_only_together = true},
    {.op = "dequantize_per_channel.default", .is_only_together = true},
    {.op = "dequantize_per_channel_group.default", .is_only_together = true},
    {.op = "quantize_per_token.default", .is_only_together = true},
    {.op = "dequantize_per_token.default", .is_only_together = true},
    {.op = "choose_qparams.tensor", .is_only_together = true},
    {.op = "choose_qparams_symmetric.tensor", .is_only_together = true},
    {.op = "choose_qparams_per_token_asymmetric.default", .is_only_together = true},
    {.op = "quantize_affine.default", .is_only_together = true},
    {.op = "dequantize_affine.default", .is_only_together = true},
    {.op = "choose_qparams_affine.default", .is_only_together = true},
});

}  // namespace

const XnnpackRule* find_xnnpack_operator(std::string_view op, Release release) {
  for (const XnnpackRule& row : kXnnpackOperators)
    if (row.op == op && row.since <= release) return &row;
  return nullptr;
}

}  // namespace etlens
