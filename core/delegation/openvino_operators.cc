// SPDX-License-Identifier: Apache-2.0
#include "core/delegation/openvino_operators.h"

#include "core/delegation/name_list.h"

namespace etlens {
namespace {

// Of the package 2025.4, without "aten.", and what ExecuTorch 1.5 adds.
constexpr std::string_view kOpenvinoOperators =
    "dim_order_ops._clone_dim_order.default dim_order_ops._to_dim_order_copy.default "
    "_adaptive_avg_pool1d.default _adaptive_avg_pool2d.default _adaptive_avg_pool3d.default "
    "_convolution.default _embedding_bag.default "
    "_fake_quantize_per_tensor_affine_cachemask_tensor_qparams.default "
    "_local_scalar_dense.default _log_softmax.default _native_batch_norm_legit.default "
    "_native_batch_norm_legit.no_stats _native_batch_norm_legit_functional.default "
    "_native_batch_norm_legit_no_training.default _scaled_dot_product_flash_attention.default "
    "_scaled_dot_product_flash_attention_for_cpu.default _softmax.default _to_copy.default "
    "_unsafe_index.Tensor _unsafe_view.default abs.default absolute.default acos.default "
    "acosh.default adaptive_max_pool1d.default adaptive_max_pool2d.default "
    "adaptive_max_pool3d.default add.Scalar add.Tensor add_.Tensor addcmul.default addmm.default "
    "alias.default alias_copy.default all.default amax.default amin.default any.default any.dim "
    "arange.default arange.start arange.start_step argmax.default argmin.default "
    "as_strided.default as_strided_.default as_strided_copy.default asin.default asinh.default "
    "atanh.default avg_pool2d.default avg_pool3d.default baddbmm.default bernoulli.p "
    "bitwise_and.Scalar bitwise_and.Tensor bitwise_not.default bitwise_or.Tensor "
    "bitwise_xor.Tensor bmm.default cat.default ceil.default clamp.default clamp_max.Tensor "
    "clamp_max.default clamp_min.Tensor clamp_min.default clone.default constant_pad_nd.default "
    "convolution.default copy.default copy_.default cos.default cosh.default cumsum.default "
    "detach.default detach_.default div.Scalar div.Tensor div.Tensor_mode div_.Tensor elu.default "
    "elu_.default embedding.default empty.memory_format eq.Scalar eq.Tensor erf.default "
    "exp.default expand.default expand_copy.default "
    "fake_quantize_per_channel_affine_cachemask.default fill.Scalar fill.Tensor fill_.Scalar "
    "fill_.Tensor flip.default floor.default fmod.Scalar fmod.Tensor full.default full.names "
    "full_like.default gather.default ge.Scalar ge.Tensor gelu.default glu.default "
    "grid_sampler_2d.default gt.Scalar gt.Tensor hardsigmoid.default hardswish.default "
    "hardswish_.default hardtanh.default hardtanh_.default index.Tensor index_copy.default "
    "index_put.default index_select.default isfinite.default isinf.default isnan.default "
    "le.Scalar le.Tensor leaky_relu.default leaky_relu_.default lift_fresh_copy.default "
    "linalg_vector_norm.default log.default log10.default log1p.default log2.default "
    "log_sigmoid_forward.default logical_not.default logsumexp.default lt.Scalar lt.Tensor "
    "masked_fill.Scalar masked_fill.Tensor masked_fill_.Scalar masked_fill_.Tensor max.default "
    "max.dim max_pool2d_with_indices.default max_pool3d_with_indices.default maximum.default "
    "mean.default mean.dim min.default min.dim minimum.default mm.default mul.Scalar mul.Tensor "
    "mul_.Tensor native_batch_norm.default native_dropout.default native_group_norm.default "
    "native_layer_norm.default ne.Scalar ne.Tensor neg.default new_full.default new_ones.default "
    "new_zeros.default ones.default ones_like.default permute.default permute_copy.default "
    "pow.Scalar pow.Tensor_Scalar pow.Tensor_Tensor prod.default prod.dim_int "
    "quantized_decomposed.dequantize_per_channel.default "
    "quantized_decomposed.dequantize_per_tensor.default "
    "quantized_decomposed.quantize_per_channel.default "
    "quantized_decomposed.quantize_per_tensor.default rand.default reciprocal.default "
    "reflection_pad2d.default relu.default relu_.default repeat.default roll.default "
    "rsqrt.default rsub.Scalar rsub.Tensor scalar_tensor.default scatter.src scatter.value "
    "select.int select_copy.int select_scatter.default sigmoid.default sigmoid_.default "
    "sign.default silu.default silu_.default sin.default sinh.default slice.Tensor "
    "slice_copy.Tensor slice_scatter.default sort.default split.Tensor split_with_sizes.default "
    "split_with_sizes_copy.default sqrt.default squeeze.dim squeeze.dims squeeze_copy.dims "
    "stack.default std.correction sub.Tensor sub.default sum.default sum.dim_IntList sym_size.int "
    "t.default tan.default tanh.default topk.default torchvision.deform_conv2d.default "
    "torchvision.roi_align.default transpose.int tril.default tril_.default triu.default "
    "unbind.int unfold.default unsqueeze.default unsqueeze_copy.default "
    "upsample_nearest2d.default upsample_nearest2d.vec upsample_nearest3d.vec var.correction "
    "var_mean.correction view.default view_copy.default where.self zero.default zeros.default "
    "zeros_like.default";

}  // namespace

bool is_openvino_operator(std::string_view target) {
  constexpr std::string_view kAten = "aten.";
  if (target.starts_with(kAten)) target.remove_prefix(kAten.size());
  return has_name(kOpenvinoOperators, target);
}

}  // namespace etlens
