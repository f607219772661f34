// SPDX-License-Identifier: Apache-2.0
#include "core/delegation/vulkan.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

namespace etlens {
namespace {

enum Types : uint8_t { kFloats = 1, kInts = 2, kBools = 4, kAny = 8 };
constexpr uint8_t kNumbers = kFloats | kInts;
constexpr uint8_t kAll = kFloats | kInts | kBools;

RuleVerdict check_reduction(const RuleNode& node, Release);
RuleVerdict check_vulkan_convolution(const RuleNode& node, Release);
RuleVerdict check_index(const RuleNode& node, Release release);
RuleVerdict check_grid(const RuleNode& node, Release);
RuleVerdict check_copy(const RuleNode& node, Release);

struct VulkanOperator {
  std::string_view op;
  uint8_t types = kFloats;
  bool has_any_rank = false;
  bool is_static = false;
  Release since = 1;
  RuleVerdict (*check)(const RuleNode& node, Release release) = nullptr;
  uint8_t outputs = 0;  // 0: as `types`
  uint8_t first = 0;    // of the first input, where the others have other types; 0: as `types`
};

constexpr auto kVulkanOperators = std::to_array<VulkanOperator>({
    {"abs.default"},
    {"cos.default"},
    {"exp.default"},
    {"gelu.default"},
    {"hardshrink.default"},
    {"hardswish.default", kFloats, false, false, k13},
    {"hardtanh.default"},
    {"neg.default"},
    {"relu.default"},
    {"sigmoid.default"},
    {"sin.default"},
    {"sqrt.default"},
    {"rsqrt.default"},
    {"tanh.default"},
    {"round.default"},
    {"leaky_relu.default"},
    {"log10.default", kFloats, false, false, k15},
    {"_softmax.default"},
    {"_log_softmax.default"},
    {"bmm.default"},
    {"mm.default"},
    {"addmm.default"},
    {"linear.default"},
    {"convolution.default", kFloats, false, false, 1, check_vulkan_convolution},
    {"_weight_int8pack_mm.default", kAny},
    {"avg_pool2d.default"},
    {"max_pool2d.default"},
    {.op = "max_pool2d_with_indices.default", .outputs = kAny},
    {"pixel_shuffle.default", kFloats, false, false, k13},
    {"_native_batch_norm_legit_no_training.default"},
    {"native_layer_norm.default"},
    {"grid_sampler_2d.default", kFloats, false, false, k14, check_grid},
    {"sdpa_with_kv_cache.default", kAny},
    {"custom_sdpa.default", kAny},
    {"update_cache.default", kAny},
    {"pow.Tensor_Scalar", kFloats, true, false, k11},
    {"mean.dim", kFloats, true, false, 1, check_reduction},
    {"sum.dim_IntList", kFloats, true, false, 1, check_reduction},
    {"amax.default", kFloats, true, false, 1, check_reduction},
    {"amin.default", kFloats, true, false, 1, check_reduction},
    {"argmax.default", kFloats, true, false, k11, check_reduction, kInts},
    {"argmin.default", kFloats, true, false, k11, check_reduction, kInts},
    {"unfold_copy.default", kFloats, true, false, k15},
    {"native_group_norm.default", kFloats, false, true},
    {"upsample_nearest2d.vec", kFloats, false, true},
    {"upsample_bilinear2d.vec", kFloats, false, true},
    {.op = "embedding.default", .types = kInts, .outputs = kFloats, .first = kFloats},
    {"clamp.default", kNumbers},
    {"cat.default", kNumbers},
    {"scalar_tensor.default", kNumbers},
    {"index.Tensor", kNumbers, false, false, k12, check_index},
    {"arange.start_step", kNumbers},
    {"add.Tensor", kNumbers, true},
    {"sub.Tensor", kNumbers, true},
    {"mul.Tensor", kNumbers, true},
    {"div.Tensor", kNumbers, true},
    {"minimum.default", kNumbers, true},
    {"div.Tensor_mode", kNumbers, true},
    {"pow.Tensor_Tensor", kNumbers, true},
    {.op = "eq.Tensor", .types = kNumbers, .has_any_rank = true, .outputs = kBools},
    {.op = "lt.Tensor", .types = kNumbers, .has_any_rank = true, .outputs = kBools},
    {.op = "le.Tensor", .types = kNumbers, .has_any_rank = true, .outputs = kBools},
    {.op = "gt.Tensor", .types = kNumbers, .has_any_rank = true, .outputs = kBools},
    {.op = "ge.Tensor", .types = kNumbers, .has_any_rank = true, .outputs = kBools},
    {"eq.Scalar", kNumbers, true, false, k14, nullptr, kBools},
    {"lt.Scalar", kNumbers, true, false, k14, nullptr, kBools},
    {"le.Scalar", kNumbers, true, false, k14, nullptr, kBools},
    {"gt.Scalar", kNumbers, true, false, k14, nullptr, kBools},
    {"ge.Scalar", kNumbers, true, false, k14, nullptr, kBools},
    {"ne.Scalar", kNumbers, true, false, k14, nullptr, kBools},
    {"bitwise_and.Tensor", kBools, true, false, k12},
    {"bitwise_or.Tensor", kBools, true, false, k14},
    {"bitwise_not.default", kBools, true, false, k13},
    {"logical_and.default", kBools, true, false, k13},
    {"logical_or.default", kBools, true, false, k14},
    {"logical_not.default", kBools, true, false, k14},
    {"_to_copy.default", kAll},
    {"permute.default", kAll},
    {"constant_pad_nd.default", kAll},
    {"permute_copy.default", kAll, true},
    {"view_copy.default", kAll, true},
    {"_to_dim_order_copy.default", kAll, true},
    {"squeeze_copy.dims", kAll, true},
    {"unsqueeze_copy.default", kAll, true},
    {"clone.default", kAll, true},
    {"_clone_dim_order.default", kAll, true},
    {"alias_copy.default", kAll, true, false, k13},
    {"gather.default", kAll, true, false, k11},
    {"select_copy.int", kAll, true},
    {"slice_copy.Tensor", kAll, true},
    {"split_with_sizes_copy.default", kAll, true},
    {"expand_copy.default", kAll, true, true},
    {"t_copy.default", kAll, false, true},
    {"flip.default", kAll, false, true},
    {"index_select.default", kAll, false, true},
    {"full.default", kAll, false, true},
    {"full_like.default", kAll, false, true},
    {"ones.default", kAll, false, true},
    {"ones_like.default", kAll, false, true},
    {"zeros.default", kAll, false, true},
    {"zeros_like.default", kAll, false, true},
    {"repeat.default", kAll, false, true},
    {"where.self", kFloats, false, false, k12, nullptr, kFloats, kBools},
    {"copy.default", kAny, false, false, k12, check_copy},
});

const VulkanOperator* find_vulkan_operator(std::string_view op, Release release) {
  for (const VulkanOperator& row : kVulkanOperators)
    if (row.op == op && row.since <= release) return &row;
  return nullptr;
}

RuleVerdict check_reduction(const RuleNode& node, Release) {
  const TensorType* type = node.input_type();
  if (!node.has_arguments() || type == nullptr) return RuleVerdict::taken();
  std::vector<int64_t> dims = node.integers("dim");
  const auto rank = static_cast<int64_t>(type->rank());
  for (int64_t& dim : dims) dim = dim < 0 ? dim + rank : dim;
  const std::string name = operator_of(node);
  // argmax without a dimension, and sum without any, are over all of them.
  if (dims.empty()) {
    for (int64_t dim = 0; dim < rank; ++dim) dims.push_back(dim);
    if (rank == 2 && type->sizes[0] == 1) dims = {1};
  }
  if (dims.size() > 2) {
    return RuleVerdict::refused(
        "reduced_dimensions", fmt::format("Vulkan takes {} over one or two dimensions only.", name),
        "Reduce the dimensions one after the other with keepdim=True.");
  }
  const bool is_last = dims.size() == 1 && dims[0] == rank - 1;
  if (is_last || node.flag("keepdim", false)) return RuleVerdict::taken();
  return RuleVerdict::refused(
      "reduction_keepdim",
      fmt::format("Vulkan takes {} over this dimension only with keepdim=True.", name),
      "Write keepdim=True, and flatten or squeeze the result.");
}

RuleVerdict check_vulkan_convolution(const RuleNode& node, Release) {
  const TensorType* type = node.input_type();
  if (type == nullptr) return RuleVerdict::taken();
  if (type->rank() == 4 && type->sizes[0] != 1) {
    return RuleVerdict::refused("batch",
                                "Vulkan takes a 2-D convolution only of one image at a time.",
                                "Export with a batch of 1.");
  }
  if (type->rank() == 3 && node.flag("transposed", false))
    return RuleVerdict::refused("transposed_convolution",
                                "Vulkan takes no transposed convolution of 1 dimension.");
  return RuleVerdict::taken();
}

RuleVerdict check_index(const RuleNode& node, Release release) {
  const TensorType* index = node.input_type(1);
  if (node.inputs().size() == 2 && (index == nullptr || index->rank() == 1)) {
    // Before 1.5 it has to be the first dimension.
    const NodeArgument* indices = node.argument("indices");
    if (indices == nullptr || release >= k15 || indices->names.size() == 1)
      return RuleVerdict::taken();
  }
  return RuleVerdict::refused("index",
                              release >= k15
                                  ? "Vulkan takes indexing only by one 1-D tensor."
                                  : "Vulkan takes indexing before 1.5 only by one 1-D tensor on "
                                    "the first dimension.",
                              "Write index_select or gather.");
}

RuleVerdict check_grid(const RuleNode& node, Release) {
  const bool fits = node.integer("interpolation_mode").value_or(0) == 0 &&
                    node.integer("padding_mode").value_or(0) == 1 &&
                    node.flag("align_corners", false);
  if (!node.has_arguments() || fits) return RuleVerdict::taken();
  return RuleVerdict::refused(
      "grid_sampler_mode",
      "Vulkan takes grid_sample only bilinear, with padding_mode=\"border\" and "
      "align_corners=True.");
}

RuleVerdict check_copy(const RuleNode& node, Release) {
  const TensorType* in = node.input_type();
  const TensorType* out = node.output_type();
  if (in == nullptr || out == nullptr) return RuleVerdict::taken();
  if (in->dtype == out->dtype && in->sizes == out->sizes) return RuleVerdict::taken();
  return RuleVerdict::refused("copy",
                              "Vulkan takes copy only where it changes neither type nor shape.");
}

bool is_known_type(std::string_view dtype) {
  constexpr auto kKnown = std::to_array<std::string_view>(
      {"bool", "uint8", "int8", "int32", "int64", "float16", "float32", "float64"});
  return std::ranges::find(kKnown, dtype) != kKnown.end();
}

bool fits(std::string_view dtype, uint8_t types) {
  if ((types & kAny) != 0) return true;
  if (dtype == "float32" || dtype == "float16") return (types & kFloats) != 0;
  if (dtype == "int32" || dtype == "int64") return (types & kInts) != 0;
  return dtype == "bool" && (types & kBools) != 0;
}

std::optional<RuleVerdict> check_vulkan_type(const RuleNode& node, const TensorType& type,
                                             const VulkanOperator& row, uint8_t types,
                                             Release release) {
  const std::string name = operator_of(node);
  if (type.dtype != "unknown" && !is_known_type(type.dtype))
    return RuleVerdict::refused("dtype", fmt::format("Vulkan takes no {} tensors.", type.dtype));
  if (release >= k12 && type.dtype != "unknown" && !fits(type.dtype, types)) {
    return RuleVerdict::refused("dtype",
                                fmt::format("Vulkan takes no {} of {} tensors.", name, type.dtype),
                                "Convert the tensor to a type that Vulkan takes for it.");
  }
  if (type.rank() > 4 && !(row.has_any_rank && release >= k12)) {
    return RuleVerdict::refused("rank",
                                fmt::format("Vulkan takes {} of up to 4 dimensions, and this "
                                            "tensor has {}.",
                                            name, type.rank()),
                                "Reshape to 4 dimensions around it.");
  }
  return std::nullopt;
}

std::optional<RuleVerdict> check_vulkan_types(const RuleNode& node, const VulkanOperator& row,
                                              Release release) {
  for (size_t i = 0; i < node.inputs().size(); ++i) {
    const TensorType* type = node.input_type(i);
    if (type == nullptr) continue;
    const uint8_t types = i == 0 && row.first != 0 ? row.first : row.types;
    if (auto wrong = check_vulkan_type(node, *type, row, types, release)) return wrong;
  }
  const uint8_t types = row.outputs != 0 ? row.outputs : row.types;
  for (size_t i = 0; i < node.outputs().size(); ++i) {
    const TensorType* type = node.output_type(i);
    if (type == nullptr) continue;
    if (auto wrong = check_vulkan_type(node, *type, row, types, release)) return wrong;
  }
  return std::nullopt;
}

// A transpose in front of one matrix product is left to whoever takes that.
bool is_turned_weight_left(const RuleNode& node, Release release, const ExportFacts& facts) {
  if (node.op() != "permute_copy.default" && node.op() != "t_copy.default") return false;
  if (node.outputs().empty()) return false;
  const std::span<const NodeId> readers = node.graph().readers_of(node.outputs()[0]);
  if (readers.size() != 1 || node.graph().is_returned(node.outputs()[0])) return false;
  const RuleNode product(node.graph(), readers[0]);
  if (product.op() != "mm.default" && product.op() != "addmm.default") return false;
  return judge_vulkan(product, release, facts).answer == RuleAnswer::Refused;
}

}  // namespace

RuleVerdict judge_vulkan(const RuleNode& node, Release release, const ExportFacts& facts) {
  if (is_quantize_node(node.op())) {
    return RuleVerdict::only_together(
        "quantize_without_operator",
        "Vulkan takes this quantize or dequantize node only where it can be fused.");
  }
  if (is_turned_weight_left(node, release, facts)) {
    return RuleVerdict::refused("part_of_linear",
                                "Vulkan leaves a transpose to the backend that takes the matrix "
                                "product after it.");
  }
  if (node.row().target_kind == TargetKind::TorchOperator && !node.op().starts_with("sym_")) {
    return RuleVerdict::refused(
        "unsupported_operator",
        fmt::format("Vulkan has no {} outside of the edge dialect.", operator_of(node)));
  }
  const VulkanOperator* row = find_vulkan_operator(node.op(), release);
  if (!node.is_operator() || row == nullptr)
    return RuleVerdict::refused("unsupported_operator",
                                fmt::format("Vulkan has no {}.", operator_of(node)));
  if (auto wrong = check_vulkan_types(node, *row, release)) return *std::move(wrong);
  if (row->check != nullptr && release >= k11) {
    RuleVerdict verdict = row->check(node, release);
    if (verdict.answer != RuleAnswer::Taken) return verdict;
  }
  if (row->is_static) {
    const TensorType* out = node.output_type();
    if (out != nullptr && out->is_dynamic()) {
      return RuleVerdict::unknown(
          "partitioner_option",
          fmt::format("Vulkan takes {} only of static shapes where the export "
                      "asks for dynamic ones.",
                      operator_of(node)),
          "Export with static shapes, or without require_dynamic_shapes.");
    }
  }
  return RuleVerdict::taken();
}

}  // namespace etlens
