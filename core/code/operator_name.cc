// SPDX-License-Identifier: Apache-2.0
#include "core/code/operator_name.h"

#include <algorithm>
#include <array>
#include <utility>

namespace etlens {
namespace {

using Entry = std::pair<std::string_view, OperatorRank>;
constexpr auto kCompute = OperatorRank::Compute;
constexpr auto kPooling = OperatorRank::Pooling;
constexpr auto kNorm = OperatorRank::Normalisation;
constexpr auto kMove = OperatorRank::DataMovement;
constexpr auto kQuantize = OperatorRank::Quantize;

// Sorted by name. What is not here is elementwise.
constexpr auto kRanks = std::to_array<Entry>({
    {"_adaptive_avg_pool2d", kPooling},
    {"_adaptive_avg_pool3d", kPooling},
    {"_cdist_forward", kCompute},
    {"_clone_dim_order", kMove},
    {"_conj_physical", kMove},
    {"_convolution", kCompute},
    {"_embedding_bag", kMove},
    {"_log_softmax", kNorm},
    {"_native_batch_norm_legit", kNorm},
    {"_native_batch_norm_legit_no_training", kNorm},
    {"_scaled_dot_product_attention_math", kCompute},
    {"_scaled_dot_product_flash_attention", kCompute},
    {"_softmax", kNorm},
    {"_to_copy", kMove},
    {"_to_dim_order_copy", kMove},
    {"_unsafe_index", kMove},
    {"_unsafe_view", kMove},
    {"_weight_int8pack_mm", kCompute},
    {"adaptive_avg_pool1d", kPooling},
    {"adaptive_avg_pool2d", kPooling},
    {"adaptive_max_pool2d", kPooling},
    {"addmm", kCompute},
    {"addmv", kCompute},
    {"alias_copy", kMove},
    {"as_strided_copy", kMove},
    {"avg_pool1d", kPooling},
    {"avg_pool2d", kPooling},
    {"avg_pool3d", kPooling},
    {"baddbmm", kCompute},
    {"batch_norm", kNorm},
    {"bmm", kCompute},
    {"cat", kMove},
    {"choose_qparams", kQuantize},
    {"choose_qparams_affine", kQuantize},
    {"choose_qparams_per_token_asymmetric", kQuantize},
    {"choose_qparams_symmetric", kQuantize},
    {"clone", kMove},
    {"constant_pad_nd", kMove},
    {"conv1d", kCompute},
    {"conv2d", kCompute},
    {"conv3d", kCompute},
    {"conv_transpose2d", kCompute},
    {"convolution", kCompute},
    {"copy", kMove},
    {"copy_", kMove},
    {"custom_sdpa", kCompute},
    {"dequantize_affine", kQuantize},
    {"dequantize_per_channel", kQuantize},
    {"dequantize_per_channel_group", kQuantize},
    {"dequantize_per_tensor", kQuantize},
    {"dequantize_per_token", kQuantize},
    {"detach_copy", kMove},
    {"embedding", kMove},
    {"embedding_4bit", kMove},
    {"embedding_byte", kMove},
    {"empty", kMove},
    {"expand_copy", kMove},
    {"flip", kMove},
    {"full", kMove},
    {"full_like", kMove},
    {"gather", kMove},
    {"group_norm", kNorm},
    {"gru", kCompute},
    {"index", kMove},
    {"index_put", kMove},
    {"index_select", kMove},
    {"layer_norm", kNorm},
    {"lift_fresh_copy", kMove},
    {"linear", kCompute},
    {"lstm", kCompute},
    {"masked_fill", kMove},
    {"matmul", kCompute},
    {"max_pool2d", kPooling},
    {"max_pool2d_with_indices", kPooling},
    {"mm", kCompute},
    {"mv", kCompute},
    {"narrow_copy", kMove},
    {"native_batch_norm", kNorm},
    {"native_group_norm", kNorm},
    {"native_layer_norm", kNorm},
    {"ones", kMove},
    {"permute_copy", kMove},
    {"pixel_shuffle", kMove},
    {"quantize_affine", kQuantize},
    {"quantize_per_channel", kQuantize},
    {"quantize_per_channel_group", kQuantize},
    {"quantize_per_tensor", kQuantize},
    {"quantize_per_token", kQuantize},
    {"repeat", kMove},
    {"reshape", kMove},
    {"rms_norm", kNorm},
    {"roll", kMove},
    {"scaled_dot_product_attention", kCompute},
    {"scatter", kMove},
    {"scatter_add", kMove},
    {"sdpa_with_kv_cache", kCompute},
    {"select_copy", kMove},
    {"select_scatter", kMove},
    {"slice_copy", kMove},
    {"slice_scatter", kMove},
    {"softmax", kNorm},
    {"split_copy", kMove},
    {"split_with_sizes_copy", kMove},
    {"squeeze_copy", kMove},
    {"stack", kMove},
    {"t_copy", kMove},
    {"tile", kMove},
    {"transpose_copy", kMove},
    {"unbind_copy", kMove},
    {"unfold_copy", kMove},
    {"unsqueeze_copy", kMove},
    {"update_cache", kMove},
    {"view", kMove},
    {"view_as_complex_copy", kMove},
    {"view_as_real_copy", kMove},
    {"view_copy", kMove},
    {"zeros", kMove},
});
static_assert(std::is_sorted(kRanks.begin(), kRanks.end(),
                             [](const Entry& a, const Entry& b) { return a.first < b.first; }));

// Where "::" stands for the last time. Most names have no colon, which is found out sooner.
size_t last_scope(std::string_view name) {
  return name.find(':') == std::string_view::npos ? std::string_view::npos : name.rfind("::");
}

}  // namespace

std::string_view base_operator_of_target(std::string_view target) {
  if (const size_t at = last_scope(target); at != std::string_view::npos) {
    target.remove_prefix(at + 2);
    return target.substr(0, target.find('.'));
  }
  const size_t first = target.find('.');
  if (first == std::string_view::npos) return target;
  const size_t second = target.find('.', first + 1);
  if (second == std::string_view::npos) return target.substr(first + 1);
  // namespace.operator.overload; Python functions may have a longer path in front.
  const size_t last = target.rfind('.');
  if (last == second) return target.substr(first + 1, second - first - 1);
  return target.substr(last + 1);
}

std::string_view base_operator_of_kernel(std::string_view name) {
  constexpr std::string_view kPrefix = "native_call_";
  if (name.starts_with(kPrefix)) name.remove_prefix(kPrefix.size());
  if (const size_t at = last_scope(name); at != std::string_view::npos) name.remove_prefix(at + 2);
  return name.substr(0, name.find('.'));
}

OperatorRank rank_of_operator(std::string_view base_operator) {
  const auto at = std::lower_bound(kRanks.begin(), kRanks.end(), base_operator,
                                   [](const Entry& e, std::string_view n) { return e.first < n; });
  if (at != kRanks.end() && at->first == base_operator) return at->second;
  return OperatorRank::Elementwise;
}

}  // namespace etlens
