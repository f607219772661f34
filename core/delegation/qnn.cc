// SPDX-License-Identifier: Apache-2.0
#include "core/delegation/qnn.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/code/operator_name.h"

namespace etlens {
namespace {

constexpr auto kNeverInQnn = std::to_array<std::string_view>({
    "_embedding_bag",
    "_clone_dim_order",
    "embedding_4bit",
    "adaptive_max_pool3d",
    "max_pool3d_with_indices",
    "median",
    "bitwise_not",
});

// Base names of what has a builder in 1.5, also after the passes that run before partitioning.
constexpr auto kBuilders = std::to_array<std::string_view>({
    "_adaptive_avg_pool3d",
    "_log_softmax",
    "_native_batch_norm_legit",
    "_native_batch_norm_legit_no_training",
    "_safe_softmax",
    "_softmax",
    "_to_copy",
    "_to_dim_order_copy",
    "abs",
    "adaptive_avg_pool2d",
    "adaptive_max_pool2d",
    "add",
    "amax",
    "amin",
    "arange",
    "argmax",
    "argmin",
    "asin",
    "atan",
    "avg_pool2d",
    "avg_pool3d",
    "bitwise_and",
    "bitwise_or",
    "bitwise_xor",
    "bmm",
    "cat",
    "ceil",
    "channel_shuffle",
    "clamp",
    "constant_pad_nd",
    "convolution",
    "copy",
    "cos",
    "cumsum",
    "dequantize_per_channel",
    "dequantize_per_tensor",
    "div",
    "elu",
    "embedding",
    "eq",
    "exp",
    "expand_copy",
    "flip",
    "floor",
    "floor_divide",
    "full",
    "full_like",
    "gather",
    "ge",
    "gelu",
    "grid_sampler_2d",
    "grid_sampler_3d",
    "gt",
    "hardsigmoid",
    "hardswish",
    "hardtanh",
    "index",
    "index_put",
    "index_select",
    "instance_norm",
    "isinf",
    "isnan",
    "le",
    "linear",
    "log",
    "logical_and",
    "logical_not",
    "lt",
    "matmul",
    "max",
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
    "permute_copy",
    "pixel_shuffle",
    "pixel_unshuffle",
    "pow",
    "prelu",
    "quantize_per_channel",
    "quantize_per_tensor",
    "rand",
    "rand_like",
    "randn",
    "randn_like",
    "reciprocal",
    "reflection_pad1d",
    "reflection_pad2d",
    "relu",
    "repeat",
    "rms_norm",
    "round",
    "rsqrt",
    "scalar_tensor",
    "scatter",
    "select",
    "select_copy",
    "sigmoid",
    "sign",
    "sin",
    "slice_copy",
    "slice_scatter",
    "sort",
    "split_with_sizes",
    "split_with_sizes_copy",
    "sqrt",
    "squeeze",
    "squeeze_copy",
    "stack",
    "sub",
    "sum",
    "tanh",
    "topk",
    "unbind",
    "unsqueeze_copy",
    "upsample_bicubic2d",
    "upsample_bilinear2d",
    "upsample_nearest2d",
    "view_copy",
    "where",
});

// What the passes before the partitioner turn into operators with a builder.
constexpr auto kRewritten = std::to_array<std::string_view>({
    "silu",
    "addmm",
    "baddbmm",
    "t_copy",
    "max_pool2d",
    "any",
    "var",
    "glu",
    "linalg_vector_norm",
    "alias_copy",
    "clone",
    "lift_fresh_copy",
    "detach_copy",
    "leaky_relu",
    "mul_scalar",
});

}  // namespace

RuleVerdict judge_qnn(const RuleNode& node, Release, const ExportFacts&) {
  const std::string_view base = base_operator_of_target(node.target());
  if (std::ranges::find(kNeverInQnn, base) != kNeverInQnn.end())
    return RuleVerdict::refused("unsupported_operator",
                                fmt::format("QNN's partitioner takes no {}.", base));
  const bool is_known = std::ranges::find(kBuilders, base) != kBuilders.end() ||
                        std::ranges::find(kRewritten, base) != kRewritten.end();
  if (!is_known)
    return RuleVerdict::refused("unsupported_operator",
                                fmt::format("The QNN backend has no {}.", base));
  return RuleVerdict::unknown(
      "not_decidable",
      fmt::format("The QNN SDK refused this {}, or an option left it out: the record does not show "
                  "which.",
                  base),
      "Read the partitioner's log at export.");
}

}  // namespace etlens
