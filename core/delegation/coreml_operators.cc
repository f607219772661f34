// SPDX-License-Identifier: Apache-2.0
#include "core/delegation/coreml_operators.h"

#include <string>

#include "core/delegation/name_list.h"

namespace etlens {
namespace {

// The registry of coremltools 9.0 with what ExecuTorch 1.5 adds to it. Earlier ones have fewer.
constexpr std::string_view kCoremlOperators =
    "_abs _adaptive_avg_pool2d _assert_async.msg _assert_scalar _assert_tensor_metadata "
    "_clone_dim_order _convert_weight_to_int4pack _convert_weight_to_int4pack_for_cpu "
    "_convolution _convolution_mode _empty_dim_order _internal_op_tensor_inplace_copy "
    "_internal_op_tensor_inplace_fill _local_scalar_dense _log_softmax _logcumsumexp "
    "_native_batch_norm_legit.no_stats _native_batch_norm_legit_no_training _pack_padded_sequence "
    "_pad_packed_sequence _reshape_from_tensor _round _scaled_dot_product_flash_attention_for_cpu "
    "_shape_as_tensor _slice _softmax _to_copy _to_dim_order_copy _unique2 _unsafe_index "
    "_unsafe_view _upsample_bilinear2d_aa _upsample_bilinear2d_aa.vec _weight_int4pack_mm "
    "_weight_int4pack_mm_for_cpu _weight_norm _weight_norm_interface abs acos acosh "
    "adaptive_avg_pool1d adaptive_avg_pool2d adaptive_max_pool1d adaptive_max_pool2d add addmm "
    "affine_grid_generator alias_copy all all.dim all.dims amax amin any any.dim any.dims arange "
    "arange.start arange.start_step arange_start_step argmax argmin argsort asin asinh atan atan2 "
    "atanh atleast_1d atleast_1d.sequence atleast_2d atleast_2d.sequence atleast_3d "
    "atleast_3d.sequence avg_pool1d avg_pool2d avg_pool3d baddbmm batch_norm bitwise_and "
    "bitwise_not bmm broadcast_tensors cat ceil choose_qparams_per_token_asymmetric clamp "
    "clamp_max clamp_min clip clone col2im complex concat constant_pad_nd contiguous conv1d "
    "conv1d.padding conv2d conv2d.padding conv3d conv3d.padding conv_transpose1d "
    "conv_transpose2d.input conv_transpose3d.input convolution copy coreml.sdpa cos cosh "
    "cosine_similarity cross cumprod cumsum dequantize dequantize_affine dequantize_codebook "
    "detach diagonal diagonal_copy dim_order_ops._clone_dim_order dim_order_ops._empty_dim_order "
    "dim_order_ops._to_dim_order_copy div dot dropout einsum elu embedding empty "
    "empty.memory_format empty_like eq erf exp exp2 expand expand_as expand_copy expm1 eye eye.m "
    "feature_dropout fft_fft fft_fftn fft_ifft fft_ifftn fft_irfft fft_irfftn fft_rfft fft_rfftn "
    "fill flatten flip fliplr floor floor_divide floordiv frac frobenius_norm full full_like "
    "gather ge gelu glu grid_sampler group_norm gru gt hann_window hardsigmoid hardswish hardtanh "
    "hstack im2col imag index index_put index_select instance_norm isnan layer_norm le leaky_relu "
    "lift_fresh lift_fresh_copy linalg_inv linalg_matrix_norm linalg_norm linalg_norm.ord_str "
    "linalg_vecdot linalg_vector_norm linear linspace log log10 log1p log2 log_softmax "
    "logcumsumexp logical_and logical_not logical_or logical_xor logsumexp lstm lt masked_fill "
    "matmul max max.dim max.other max_pool1d max_pool1d_with_indices max_pool2d "
    "max_pool2d_with_indices max_pool3d max_pool3d_with_indices maximum mean mean.dim meshgrid "
    "meshgrid.indexing min min.dim min.other minimum mish mm mse_loss mul multinomial mv "
    "nan_to_num narrow native_dropout native_group_norm native_layer_norm ne neg new_empty "
    "new_full new_zeros nll_loss nll_loss_nd nonzero norm numel one_hot ones ones_like outer pad "
    "permute permute_copy pixel_shuffle pixel_unshuffle pow pow.tensor_tensor prelu "
    "quant.dequantize_codebook quantize_per_channel quantize_per_tensor quantized_add "
    "quantized_add_relu quantized_conv2d quantized_conv2d_relu "
    "quantized_decomposed.choose_qparams_per_token_asymmetric "
    "quantized_decomposed.dequantize_per_channel quantized_decomposed.dequantize_per_tensor "
    "quantized_decomposed.embedding_4bit quantized_decomposed.embedding_4bit.dtype "
    "quantized_decomposed.quantize_per_tensor quantized_embedding quantized_embedding_4bit "
    "quantized_linear quantized_linear_relu quantized_matmul quantized_mul rand rand_like randint "
    "randint.low randn randn_like real reciprocal reflection_pad1d reflection_pad2d relu relu6 "
    "remainder repeat repeat_interleave repeat_interleave.self_int repeat_interleave.self_tensor "
    "replication_pad1d replication_pad2d reshape reshape_as rms_norm rnn_relu rnn_tanh roll round "
    "rrelu rsqrt rsub scalar_tensor scaled_dot_product_attention scatter scatter.reduce "
    "scatter.src scatter.value scatter.value_reduce scatter_add searchsorted select select_copy "
    "select_scatter selu sigmoid sign silu sin sinh size slice slice_copy slice_scatter softmax "
    "softplus softsign sort split split_copy split_with_sizes split_with_sizes_copy sqrt square "
    "squeeze squeeze.dim squeeze.dims squeeze_copy squeeze_copy.dim squeeze_copy.dims stack std "
    "std.correction std.dim std_correction stft sub sum sum.dim_intlist sym_constrain_range "
    "sym_constrain_range_for_size sym_size t tan tanh threshold tile to topk "
    "torchao.dequantize_affine torchvision_nms trace transpose transpose_copy tril triu "
    "true_divide truediv type_as unbind unbind_copy unflatten unsqueeze unsqueeze_copy "
    "upsample_bilinear2d upsample_bilinear2d.vec upsample_linear1d upsample_linear1d.vec "
    "upsample_nearest1d upsample_nearest1d.vec upsample_nearest2d upsample_nearest2d.vec var "
    "var.correction var.dim var_correction view view_as_real view_copy where where.scalarself "
    "where.self where_scalarself zeros zeros_like";

// Overloads that coremltools does not tell apart.
constexpr std::string_view kPlainOverloads = "default int tensor tensor_mode scalar tensor_scalar";

}  // namespace

bool is_coreml_operator(std::string_view target) {
  std::string name(target);
  for (char& c : name)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  std::string_view key = name;
  if (key.starts_with("aten.") || key.starts_with("prim.")) key.remove_prefix(5);
  const size_t dot = key.rfind('.');
  if (dot != std::string_view::npos && has_name(kPlainOverloads, key.substr(dot + 1)))
    key = key.substr(0, dot);
  return has_name(kCoremlOperators, key);
}

}  // namespace etlens
