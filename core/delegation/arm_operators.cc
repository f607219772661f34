// SPDX-License-Identifier: Apache-2.0
#include "core/delegation/arm_operators.h"

#include "core/delegation/name_list.h"

namespace etlens {
namespace {

// Release 1.5: for integers and floats, for one of them.
constexpr std::string_view kTosaBoth =
    "__lshift__.Scalar __rshift__.Scalar _adaptive_avg_pool2d.default _clone_dim_order.default "
    "_to_dim_order_copy.default abs.default acos.default acosh.default add.Tensor "
    "alias_copy.default amax.default amin.default any.default any.dim any.dims arange.start_step "
    "argmax.default as_strided_copy.default asin.default asinh.default atan.default atanh.default "
    "avg_pool2d.default bitwise_and.Scalar bitwise_and.Tensor bitwise_left_shift.Tensor "
    "bitwise_not.default bitwise_or.Scalar bitwise_or.Tensor bitwise_right_shift.Tensor "
    "bitwise_xor.Scalar bitwise_xor.Tensor bmm.default cat.default ceil.default celu.default "
    "clamp.Tensor clamp.default constant_pad_nd.default conv_transpose2d.input "
    "convolution.default copy.default cos.default cosh.default cumsum.default detach_copy.default "
    "div.Tensor_mode elu.default embedding.default eq.Scalar eq.Tensor erf.default erfinv.default "
    "exp.default expand_copy.default expm1.default eye.default flip.default floor.default "
    "full.default full_like.default gather.default ge.Scalar ge.Tensor gelu.default gt.Scalar "
    "gt.Tensor hardsigmoid.default hardswish.default hardtanh.default index.Tensor "
    "index_put.default index_select.default le.Scalar le.Tensor leaky_relu.default linear.default "
    "linspace.default log.default log1p.default logical_and.default logical_not.default "
    "logical_or.default logical_xor.default lt.Scalar lt.Tensor masked_fill.Scalar "
    "max_pool2d.default max_pool2d_with_indices.default maximum.default mean.dim minimum.default "
    "mm.default mul.Tensor neg.default pad.default permute_copy.default pow.Tensor_Scalar "
    "pow.Tensor_Tensor reciprocal.default relu.default remainder.Scalar remainder.Tensor "
    "repeat.default round.default rsqrt.default scalar_tensor.default select_copy.int "
    "selu.default sigmoid.default sign.default sin.default sinh.default slice_copy.Tensor "
    "split_copy.Tensor split_with_sizes_copy.default squeeze_copy.dims sub.Tensor sum.dim_IntList "
    "tan.default tanh.default unfold_copy.default unsqueeze_copy.default upsample_bilinear2d.vec "
    "upsample_nearest2d.vec view_copy.default where.self";
constexpr std::string_view kTosaIntegers =
    "dequantize_per_channel.default dequantize_per_tensor.default log10.default "
    "quantize_per_channel.default quantize_per_tensor.default silu.default";
constexpr std::string_view kTosaFloats =
    "_log_softmax.default _native_batch_norm_legit_no_training.default _softmax.default "
    "add.Scalar addmm.default div.Scalar div.Tensor floor_divide.default glu.default "
    "logit.default max.dim mean.default min.dim mul.Scalar native_group_norm.default "
    "native_layer_norm.default ne.Scalar ne.Tensor prod.dim_int slice_scatter.default "
    "sqrt.default sub.Scalar var.correction var.dim";

// Releases 1.0 to 1.4: names without overloads.
constexpr std::string_view kEarlyTosa =
    "_adaptive_avg_pool2d _clone_dim_order _log_softmax _native_batch_norm_legit "
    "_native_batch_norm_legit_no_training _softmax _to_copy _to_dim_order_copy abs acos acosh add "
    "addmm alias_copy amax amin any argmax as_strided_copy asin asinh atan atanh avg_pool2d "
    "bitwise_and bitwise_left_shift bitwise_not bitwise_or bitwise_right_shift bitwise_xor bmm "
    "cat ceil celu clamp clone constant_pad_nd conv2d conv_transpose2d convolution copy cos cosh "
    "cumsum dequantize_per_channel dequantize_per_tensor detach_copy div elu embedding eq erf exp "
    "expand_copy expm1 eye flip floor floor_divide full full_like gather ge gelu getitem glu "
    "grid_sampler_2d gt hardsigmoid hardswish hardtanh index index_put index_select le leaky_relu "
    "linear log log10 log1p logical_and logical_not logical_or logical_xor logit lt masked_fill "
    "max max_pool2d max_pool2d_with_indices maximum mean min minimum mm mul native_group_norm "
    "native_layer_norm ne neg ones permute_copy pixel_shuffle pixel_unshuffle pow "
    "quantize_per_channel quantize_per_tensor reciprocal reflection_pad1d reflection_pad2d relu "
    "remainder repeat round rsqrt scalar_tensor scatter select_copy select_scatter selu sigmoid "
    "sign silu sin sinh slice_copy slice_scatter split_copy split_with_sizes_copy sqrt "
    "squeeze_copy sub sum t_copy tan tanh unfold_copy unsqueeze_copy upsample_bilinear2d "
    "upsample_nearest2d var view_copy where zeros";

constexpr std::string_view kNotOnU55 =
    "any bitwise_and bitwise_not bitwise_or bitwise_xor conv3d eq gather ge gt index index_put "
    "index_select le logical_and logical_not logical_or logical_xor lt ne scatter scatter_add "
    "scatter_reduce select_scatter upsample_bilinear2d where";
constexpr std::string_view kEarlyNotOnU55 =
    "any bitwise_and bitwise_left_shift bitwise_not bitwise_or bitwise_right_shift bitwise_xor eq "
    "gather ge grid_sampler_2d gt index index_put index_select le logical_and logical_not "
    "logical_or logical_xor lt masked_fill ne reflection_pad1d reflection_pad2d scatter "
    "unfold_copy upsample_bilinear2d where";

// All of them as integers, with a table where it is a function of one value.
constexpr std::string_view kQuantizedAround =
    "acos.default acosh.default add.Tensor asin.default asinh.default atan.default atanh.default "
    "avg_pool2d.default bmm.default ceil.default convolution.default cos.default cosh.default "
    "elu.default erf.default erfinv.default exp.default expm1.default floor.default full.default "
    "full_like.default gelu.default hardsigmoid.default hardswish.default hardtanh.default "
    "leaky_relu.default linear.default log.default log10.default log1p.default "
    "max_pool2d_with_indices.default mean.dim mm.default mul.Tensor neg.default pow.Tensor_Scalar "
    "reciprocal.default relu.default remainder.Scalar round.default rsqrt.default sigmoid.default "
    "silu.default sin.default sinh.default sub.Tensor tan.default tanh.default "
    "upsample_bilinear2d.vec upsample_nearest2d.vec";

constexpr std::string_view kRemoved =
    "_clone_dim_order.default alias_copy.default as_strided_copy.default detach_copy.default "
    "expand_copy.default view_copy.default _to_dim_order_copy.default squeeze_copy.dims "
    "permute_copy.default";
constexpr std::string_view kConstants =
    "full.default arange.start_step eye.default linspace.default scalar_tensor.default";

}  // namespace

bool is_tosa_operator(std::string_view op, Release release, bool is_integer) {
  if (release < k15) return has_name(kEarlyTosa, op.substr(0, op.find('.')));
  return has_name(kTosaBoth, op) || has_name(is_integer ? kTosaIntegers : kTosaFloats, op);
}

bool is_float_tosa_operator(std::string_view op) { return has_name(kTosaFloats, op); }

bool is_not_on_u55(std::string_view base, Release release) {
  return has_name(release < k15 ? kEarlyNotOnU55 : kNotOnU55, base);
}

bool needs_quantized_values(std::string_view op) { return has_name(kQuantizedAround, op); }

bool is_removed_by_tosa(std::string_view op) { return has_name(kRemoved, op); }

bool is_tosa_constant(std::string_view op) { return has_name(kConstants, op); }

}  // namespace etlens
