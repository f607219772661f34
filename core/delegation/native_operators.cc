// SPDX-License-Identifier: Apache-2.0
#include "core/delegation/native_operators.h"

#include "core/delegation/name_list.h"

namespace etlens {
namespace {

// Of torch 2.13: tagged "core" or "view_copy", without "aten."; and what ExecuTorch 1.5 adds.
constexpr std::string_view kNativeOperators =
    "_adaptive_avg_pool2d.default _adaptive_avg_pool2d_backward.default "
    "_adaptive_avg_pool3d.default _cdist_forward.default _conj_copy.default "
    "_embedding_bag.default _fft_c2r.default _fft_r2c.default _fw_primal_copy.default "
    "_indices_copy.default _local_scalar_dense.default _log_softmax.default "
    "_make_dual_copy.default _native_batch_norm_legit.default _native_batch_norm_legit.no_stats "
    "_native_batch_norm_legit_no_training.default _neg_view_copy.default "
    "_nested_get_values_copy.default _nested_view_from_buffer_copy.default "
    "_nested_view_from_jagged_copy.default _pdist_forward.default _reshape_alias_copy.default "
    "_softmax.default _sparse_broadcast_to_copy.default "
    "_test_autograd_multiple_dispatch_view_copy.default _to_copy.default _values_copy.default "
    "abs.default acos.default acosh.default adaptive_avg_pool1d.default add.Scalar add.Tensor "
    "addmm.default alias.default alias_copy.default amax.default amin.default any.default any.dim "
    "any.dims arange.start_step argmax.default argmin.default as_strided.default "
    "as_strided_copy.default asin.default asinh.default atan.default atan2.default atanh.default "
    "avg_pool1d.default avg_pool2d.default avg_pool2d_backward.default avg_pool3d.default "
    "bitwise_and.Scalar bitwise_and.Tensor bitwise_not.default bitwise_or.Scalar "
    "bitwise_or.Tensor bitwise_xor.Scalar bitwise_xor.Tensor bmm.default cat.default "
    "ccol_indices_copy.default ceil.default clamp.Tensor clamp.default clone.default "
    "col2im.default col_indices_copy.default constant_pad_nd.default convolution.default "
    "convolution_backward.default copy.default cos.default cosh.default crow_indices_copy.default "
    "cumsum.default detach_copy.default diagonal.default diagonal_copy.default div.Scalar "
    "div.Scalar_mode div.Tensor div.Tensor_mode elu.default embedding.default "
    "embedding_dense_backward.default empty.memory_format empty_strided.default eq.Scalar "
    "eq.Tensor erf.default exp.default expand.default expand_copy.default expm1.default "
    "fill.Scalar flip.default floor.default fmod.Scalar fmod.Tensor full.default "
    "full_like.default gather.default ge.Scalar ge.Tensor gelu.default grid_sampler_2d.default "
    "gt.Scalar gt.Tensor hardtanh.default index.Tensor index_put.default index_select.default "
    "indices_copy.default isinf.default isnan.default le.Scalar le.Tensor leaky_relu.default "
    "lift_fresh_copy.default linear.default log.default log10.default log1p.default log2.default "
    "logical_and.default logical_not.default logical_or.default logical_xor.default lt.Scalar "
    "lt.Tensor masked_scatter.default matmul.default max.dim max_pool2d_with_indices.default "
    "max_pool2d_with_indices_backward.default max_pool3d_with_indices.default maximum.default "
    "mean.default mean.dim min.dim minimum.default mm.default mul.Scalar mul.Tensor "
    "narrow_copy.default native_dropout.default native_group_norm.default "
    "native_group_norm_backward.default native_layer_norm.default "
    "native_layer_norm_backward.default ne.Scalar ne.Tensor neg.default nonzero.default "
    "permute.default permute_copy.default pow.Scalar pow.Tensor_Scalar pow.Tensor_Tensor "
    "prod.default prod.dim_int rand.default randn.default randperm.default reciprocal.default "
    "reflection_pad1d.default reflection_pad2d.default reflection_pad3d.default relu.default "
    "remainder.Scalar remainder.Tensor repeat.default replication_pad2d.default "
    "replication_pad3d.default resize_.default round.default row_indices_copy.default "
    "rsqrt.default scalar_tensor.default scaled_dot_product_attention.default scatter.src "
    "scatter.value scatter_add.default scatter_reduce.two select.int select_copy.int "
    "select_scatter.default sigmoid.default sign.default sin.default sinh.default slice.Tensor "
    "slice_copy.Tensor slice_scatter.default sort.default split_copy.Tensor "
    "split_with_sizes.default split_with_sizes_copy.default sqrt.default squeeze.dim squeeze.dims "
    "squeeze_copy.default squeeze_copy.dim squeeze_copy.dims sub.Scalar sub.Tensor "
    "sum.dim_IntList sym_is_contiguous.default sym_numel.default sym_size.int "
    "sym_storage_offset.default sym_stride.int t_copy.default tan.default tanh.default "
    "topk.default transpose_copy.int trunc.default unbind_copy.int unfold_copy.default "
    "unsqueeze.default unsqueeze_copy.default upsample_bilinear2d.vec upsample_nearest2d.vec "
    "values_copy.default var.correction var.dim view.default view_as_complex_copy.default "
    "view_as_real_copy.default view_copy.default view_copy.dtype where.self";

}  // namespace

bool is_native_operator(std::string_view target) {
  constexpr std::string_view kAten = "aten.";
  if (!target.starts_with(kAten)) return false;
  return has_name(kNativeOperators, target.substr(kAten.size()));
}

}  // namespace etlens
