// SPDX-License-Identifier: Apache-2.0
#include "core/backend/xnnpack/names.h"

#include <algorithm>
#include <array>
#include <unordered_map>

namespace etlens {
namespace {

using K = XnnpackKind;

constexpr std::string_view kBinary = "Binary Elementwise";  // up to release 0.5 or so
constexpr std::string_view kUnary = "Unary Elementwise";
constexpr std::string_view kConvert = "Convert";

struct KindNames {
  XnnpackKind kind = K::Unknown;
  std::array<XnnpackName, 4> names{};  // as many as are not empty
};

// In the order of the kinds. What no release reports has no names.
constexpr auto kNames = std::to_array<KindNames>({
    {K::Unknown, {}},
    {K::Add, {{{"Add"}, {kBinary}}}},
    {K::FullyConnected, {{{"Fully Connected"}, {"Dynamic Fully Connected"}}}},
    {K::Softmax, {{{"Softmax"}}}},
    {K::Sigmoid, {{{"Sigmoid"}, {kUnary}}}},
    {K::StaticTranspose, {{{"Transpose"}, {"Copy", 2}}}},
    {K::Clamp, {{{"Clamp"}, {kUnary}}}},
    {K::Conv2d, {{{"Convolution"}, {"Fully Connected"}}}},
    {K::Div, {{{"Divide"}, {kBinary}}}},
    {K::StaticResizeBilinear2D, {{{"Resize Bilinear"}}}},
    {K::StaticConstantPad, {{{"Constant Pad"}}}},
    {K::AvgPooling2d, {{{"Average Pooling"}}}},
    {K::Minimum, {{{"Minimum"}, {kBinary}, {kUnary, 1}}}},
    {K::DepthwiseConv2d, {{{"Convolution"}, {"Fully Connected", 1}}}},
    {K::MaxPooling2d, {{{"Max Pooling"}}}},
    {K::Multiply, {{{"Multiply"}, {kBinary}}}},
    {K::Subtract, {{{"Subtract"}, {kBinary}}}},
    {K::Floor, {{{"Floor"}, {kUnary}}}},
    {K::Convert, {{{kConvert}, {kUnary}}}},
    {K::GlobalAvgPooling2d, {{{"Mean"}, {"Mean Squared"}, {"Global Average Pooling"}}}},
    {K::StaticReshape, {{{"Static Reshape"}, {"Reshape"}, {"Copy"}}}},
    {K::ArgMaxPooling2d, {{{"Arg Max Pooling"}, {"ArgMax Pooling"}}}},
    {K::SquareRoot, {{{"Square Root"}, {kUnary}}}},
    {K::Ceiling, {{{"Ceiling"}, {kUnary}}}},
    {K::Hardswish, {{{"HardSwish"}, {kUnary}}}},
    {K::LeakyReLU, {{{"LeakyReLU"}, {"Leaky ReLU"}, {kUnary}}}},
    {K::Maximum, {{{"Maximum"}, {kBinary}, {kUnary, 1}}}},
    {K::Negate, {{{"Negate"}, {kUnary}}}},
    {K::Square, {{{"Square"}, {kUnary}}}},
    {K::ELU, {{{"ELU"}, {kUnary}}}},
    {K::Abs, {{{"Abs"}, {kUnary}}}},
    {K::PReLU, {{{"PReLU"}, {kBinary}}}},
    {K::Concatenate2, {{{"Copy"}, {"Concatenate"}}}},
    {K::Concatenate3, {{{"Copy"}, {"Concatenate"}}}},
    {K::Concatenate4, {{{"Copy"}, {"Concatenate"}}}},
    {K::StaticSlice, {{{"Slice"}}}},
    {K::ScaledDotProductAttention, {{{"Scaled Dot-Product Attention"}}}},
    {K::BatchMatrixMultiply, {{{"Batch Matrix Multiply"}}}},
    {K::Concatenate5, {{{"Copy"}, {"Concatenate"}}}},
    {K::ConvTranspose2d, {{{"Deconvolution"}}}},
    {K::ReciprocalSquareRoot, {{{"Reciprocal Square Root"}, {kUnary}}}},
    {K::Log, {{{"Log"}, {kUnary}}}},
    {K::Gelu, {{{"GELU"}, {kUnary}}}},
    {K::Tanh, {{{"TanH"}, {"Tanh"}, {kUnary}}}},
    {K::Exp, {{{"Exp"}, {kUnary}}}},
    {K::Sin, {{{"Sine"}, {kUnary}}}},
    {K::Copy, {{{"Copy"}}}},
    {K::Cos, {{{"Cosine"}, {kUnary}}}},
});
static_assert(kNames.size() == static_cast<size_t>(K::kCount));

constexpr std::array<XnnpackName, 4> kSquareOfItself{
    {{"Square"}, {kBinary}, {kUnary}, {"Multiply", 1}}};
constexpr std::array<XnnpackName, 2> kLookUp{{{"Invalid Unary Op"}, {kUnary}}};
constexpr std::array<XnnpackName, 2> kClampOfScalar{{{"Clamp"}, {kUnary}}};
constexpr std::array<XnnpackName, 2> kReplaced{{{kConvert}, {kUnary}}};
constexpr std::array<XnnpackName, 1> kDynamicConvert{{{kConvert}}};

template <size_t N>
std::span<const XnnpackName> filled(const std::array<XnnpackName, N>& names) {
  size_t count = 0;
  while (count < N && !names[count].name.empty()) ++count;
  return std::span(names).first(count);
}

// Of all rows, sorted: a name is asked about for every event of every call.
constexpr auto kAllNames = [] {
  constexpr size_t kCount = [] {
    size_t count = 1;
    for (const KindNames& row : kNames)
      for (const XnnpackName& known : row.names) count += known.name.empty() ? 0 : 1;
    return count;
  }();
  std::array<std::string_view, kCount> names{kLookUp.front().name};
  size_t at = 1;
  for (const KindNames& row : kNames) {
    for (const XnnpackName& known : row.names) {
      if (!known.name.empty()) names[at++] = known.name;
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}();

// Which nodes operators are made from. Sorted by node.
constexpr auto kNodeKinds = std::to_array<NodeKind>({
    {"_adaptive_avg_pool2d", K::GlobalAvgPooling2d},
    {"_clone_dim_order", K::Copy},
    {"_clone_dim_order", K::StaticTranspose},
    {"_log_softmax", K::Softmax},
    {"_native_batch_norm_legit_no_training", K::DepthwiseConv2d},
    {"_prelu_kernel", K::PReLU},
    {"_softmax", K::Softmax},
    {"_to_copy", K::Convert},
    {"_to_copy", K::Copy},
    {"_to_copy", K::StaticTranspose},
    {"_to_dim_order_copy", K::Convert},
    {"_to_dim_order_copy", K::Copy},
    {"_to_dim_order_copy", K::StaticTranspose},
    {"abs", K::Abs},
    {"adaptive_avg_pool2d", K::GlobalAvgPooling2d},
    {"add", K::Add},
    {"addmm", K::FullyConnected},
    {"avg_pool2d", K::AvgPooling2d},
    {"batch_norm", K::DepthwiseConv2d},
    {"bmm", K::BatchMatrixMultiply},
    {"cat", K::Concatenate2},
    {"ceil", K::Ceiling},
    {"choose_qparams", K::Convert},
    {"choose_qparams_affine", K::Convert},
    {"choose_qparams_per_token_asymmetric", K::Convert},
    {"clamp", K::Clamp},
    {"clone", K::Copy},
    {"constant_pad_nd", K::StaticConstantPad},
    {"conv1d", K::Conv2d},
    {"conv1d", K::DepthwiseConv2d},
    {"conv2d", K::Conv2d},
    {"conv2d", K::DepthwiseConv2d},
    {"conv_transpose2d", K::ConvTranspose2d},
    {"convolution", K::Conv2d},
    {"convolution", K::ConvTranspose2d},
    {"convolution", K::DepthwiseConv2d},
    {"cos", K::Cos},
    {"dequantize_affine", K::Convert},
    {"dequantize_per_channel", K::Convert},
    {"dequantize_per_channel_group", K::Convert},
    {"dequantize_per_tensor", K::Convert},
    {"dequantize_per_token", K::Convert},
    {"div", K::Div},
    {"elu", K::ELU},
    {"exp", K::Exp},
    {"floor", K::Floor},
    {"gelu", K::Gelu},
    {"hardswish", K::Hardswish},
    {"hardtanh", K::Clamp},
    {"leaky_relu", K::LeakyReLU},
    {"linear", K::FullyConnected},
    {"log", K::Log},
    {"matmul", K::BatchMatrixMultiply},
    {"max_pool2d", K::MaxPooling2d},
    {"max_pool2d_with_indices", K::MaxPooling2d},
    {"maximum", K::Maximum},
    {"mean", K::GlobalAvgPooling2d},
    {"minimum", K::Minimum},
    {"mm", K::FullyConnected},
    {"mul", K::Multiply},
    {"mul", K::Square},
    {"native_batch_norm", K::DepthwiseConv2d},
    {"neg", K::Negate},
    {"pad", K::StaticConstantPad},
    {"permute", K::StaticTranspose},
    {"permute_copy", K::StaticTranspose},
    {"pow", K::Square},
    {"prelu", K::PReLU},
    {"quantize_affine", K::Convert},
    {"quantize_per_channel", K::Convert},
    {"quantize_per_channel_group", K::Convert},
    {"quantize_per_tensor", K::Convert},
    {"quantize_per_token", K::Convert},
    {"relu", K::Clamp},
    {"relu6", K::Clamp},
    {"reshape", K::StaticReshape},
    {"rsqrt", K::ReciprocalSquareRoot},
    {"scaled_dot_product_attention", K::ScaledDotProductAttention},
    {"sigmoid", K::Sigmoid},
    {"sin", K::Sin},
    {"slice_copy", K::StaticSlice},
    {"softmax", K::Softmax},
    {"sqrt", K::SquareRoot},
    {"square", K::Square},
    {"squeeze_copy", K::StaticReshape},
    {"sub", K::Subtract},
    {"t_copy", K::StaticTranspose},
    {"tanh", K::Tanh},
    {"transpose_copy", K::StaticTranspose},
    {"unsqueeze_copy", K::StaticReshape},
    {"upsample_bilinear2d", K::StaticResizeBilinear2D},
    {"view", K::StaticReshape},
    {"view_copy", K::StaticReshape},
});
static_assert(std::is_sorted(kNodeKinds.begin(), kNodeKinds.end(),
                             [](const NodeKind& a, const NodeKind& b) { return a.node < b.node; }));

// All arities of a concatenation are made from one node.
XnnpackKind representative(XnnpackKind kind) {
  const bool is_cat = kind == K::Concatenate3 || kind == K::Concatenate4 || kind == K::Concatenate5;
  return is_cat ? K::Concatenate2 : kind;
}

// Asked about for every operator of every call and each node that it could be made from.
std::span<const NodeKind> rows_of_node(std::string_view node) {
  static const auto kRows = [] {
    std::unordered_map<std::string_view, std::span<const NodeKind>> rows;
    for (auto first = kNodeKinds.begin(); first != kNodeKinds.end();) {
      const auto last = std::find_if(first, kNodeKinds.end(),
                                     [&](const NodeKind& row) { return row.node != first->node; });
      rows.emplace(first->node, std::span(first, last));
      first = last;
    }
    return rows;
  }();
  const auto at = kRows.find(node);
  return at == kRows.end() ? std::span<const NodeKind>() : at->second;
}

bool is_quantized(XnnpackType type) {
  return type == XnnpackType::Qint8 || type == XnnpackType::Quint8 || type == XnnpackType::Qdint8 ||
         type == XnnpackType::Qpint8;
}

bool is_float_name(std::string_view type) {
  constexpr std::array<std::string_view, 5> kTypes{"F32", "F16", "BF16", "PF32", "PF16"};
  return std::find(kTypes.begin(), kTypes.end(), type) != kTypes.end();
}
bool is_dynamic_name(std::string_view type) {
  return type.starts_with("QD") || type.starts_with("QP");
}
bool is_quantized_name(std::string_view type) {
  if (is_dynamic_name(type)) return false;
  return type.starts_with("Q") || type.starts_with("PQ") || type == "S8" || type == "U8";
}
bool is_bytes_name(std::string_view type) {
  return type == "X8" || type == "X16" || type == "X32" || type == "X64";
}

// Types that are none of those are of a library that is not known, and say nothing.
bool contradicts(XnnpackTypeRule rule, std::string_view type) {
  const bool is_known = is_float_name(type) || is_dynamic_name(type) || is_quantized_name(type) ||
                        is_bytes_name(type);
  if (!is_known) return false;
  switch (rule) {
    case XnnpackTypeRule::Any:
      return false;
    case XnnpackTypeRule::Float:
      return !is_float_name(type);
    case XnnpackTypeRule::HalfFloat:
      return is_quantized_name(type) || is_dynamic_name(type) || type == "X8";
    case XnnpackTypeRule::Quantized:
      return !is_quantized_name(type);
    case XnnpackTypeRule::Dynamic:
      return !is_dynamic_name(type);
    case XnnpackTypeRule::Bytes1:
      return type != "X8";
    case XnnpackTypeRule::Bytes2:
      return type != "X16" && type != "X32";
    case XnnpackTypeRule::Bytes4:
      return type != "X32";
  }
  return false;
}

// A GEMM does convolutions whose windows are single elements, and no others; what runs per channel
// is no full convolution.
bool contradicts_kernel(XnnpackKind kind, bool is_pointwise, const EventName& name) {
  if (kind != K::Conv2d) return false;
  if (name.base == "Fully Connected" || name.kernel == "GEMM") return !is_pointwise;
  return name.kernel == "DWConv" || (name.kernel == "IGEMM" && is_pointwise);
}

bool is_one_of(std::string_view text, std::span<const std::string_view> list) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

}  // namespace

std::span<const XnnpackName> names_of(XnnpackKind kind, XnnpackNameSet special) {
  switch (special) {
    case XnnpackNameSet::OfKind:
      break;
    case XnnpackNameSet::SquareOfItself:
      return kSquareOfItself;
    case XnnpackNameSet::LookUp:
      return kLookUp;
    case XnnpackNameSet::ClampOfScalar:
      return kClampOfScalar;
    case XnnpackNameSet::Replaced:
      return kReplaced;
    case XnnpackNameSet::DynamicConvert:
      return kDynamicConvert;
  }
  return filled(kNames[static_cast<size_t>(kind)].names);
}

XnnpackTypeRule type_rule(XnnpackKind kind, XnnpackType type) {
  const bool moves_bytes = kind == K::StaticTranspose || kind == K::Copy ||
                           kind == K::StaticSlice || kind == K::StaticConstantPad ||
                           kind == K::StaticReshape || representative(kind) == K::Concatenate2;
  const bool has_types =
      kind == K::FullyConnected || kind == K::Conv2d || kind == K::DepthwiseConv2d ||
      kind == K::ConvTranspose2d || kind == K::BatchMatrixMultiply || kind == K::Softmax ||
      kind == K::AvgPooling2d || kind == K::MaxPooling2d || kind == K::ArgMaxPooling2d;
  if (!moves_bytes && !has_types) return XnnpackTypeRule::Any;
  switch (type) {
    case XnnpackType::Fp32:
    case XnnpackType::Pfp32:
      return moves_bytes ? XnnpackTypeRule::Bytes4 : XnnpackTypeRule::Float;
    case XnnpackType::Fp16:
    case XnnpackType::Bf16:
      return moves_bytes ? XnnpackTypeRule::Bytes2 : XnnpackTypeRule::HalfFloat;
    case XnnpackType::Qint8:
    case XnnpackType::Quint8:
      return moves_bytes ? XnnpackTypeRule::Bytes1 : XnnpackTypeRule::Quantized;
    case XnnpackType::Qdint8:
    case XnnpackType::Qpint8:
      return moves_bytes ? XnnpackTypeRule::Any : XnnpackTypeRule::Dynamic;
    case XnnpackType::Int32:
      return moves_bytes ? XnnpackTypeRule::Bytes4 : XnnpackTypeRule::Any;
    default:
      return XnnpackTypeRule::Any;
  }
}

uint8_t xnnpack_name_cost(XnnpackKind kind, XnnpackNameSet special, XnnpackTypeRule rule,
                          bool is_pointwise, const EventName& name) {
  if (is_unknown_xnnpack_name(name)) return kUnknownNameCost;
  // An operator of a kind that is not known may have any name.
  if (kind == XnnpackKind::Unknown) return kUnknownNameCost;
  for (const XnnpackName& own : names_of(kind, special)) {
    if (own.name != name.base) continue;
    if (special == XnnpackNameSet::Replaced && own.name == kConvert && !is_replaced_convert(name))
      return kViolation;
    if (special == XnnpackNameSet::DynamicConvert && !is_dynamic_convert(name)) return kViolation;
    if (special == XnnpackNameSet::OfKind && own.name == kConvert && is_replaced_convert(name))
      return kViolation;
    if (contradicts(rule, name.type) || contradicts_kernel(kind, is_pointwise, name))
      return kViolation;
    return own.cost;
  }
  // A look-up table that the library did not make, and a clamp that stayed what it was.
  const bool has_own_name =
      special == XnnpackNameSet::LookUp || special == XnnpackNameSet::ClampOfScalar;
  if (!has_own_name) return kImpossible;
  const uint8_t cost = xnnpack_name_cost(kind, XnnpackNameSet::OfKind, rule, is_pointwise, name);
  return cost >= kViolation ? cost : static_cast<uint8_t>(cost + kDeviation);
}

bool is_unknown_xnnpack_name(const EventName& name) {
  return !std::binary_search(kAllNames.begin(), kAllNames.end(), name.base);
}

bool is_generic_xnnpack_name(const EventName& name) {
  return name.base == kBinary || name.base == kUnary;
}

bool is_xnnpack_look_up(const EventName& name) { return name.base == kLookUp.front().name; }

bool is_replaced_convert(const EventName& name) {
  return name.base == kConvert && is_quantized_name(name.type) &&
         name.second_type.starts_with("QC");
}

bool is_dynamic_convert(const EventName& name) {
  return name.base == kConvert && is_dynamic_name(name.second_type);
}

bool names_quantized_values(const EventName& name) {
  const auto is_any = [](std::string_view type) {
    return is_quantized_name(type) || is_dynamic_name(type);
  };
  return is_any(name.type) || is_any(name.second_type);
}

NodeFit node_fit(XnnpackKind kind, XnnpackType input, XnnpackType output,
                 std::string_view base_operator) {
  kind = representative(kind);
  const std::span<const NodeKind> rows = rows_of_node(base_operator);
  if (std::none_of(rows.begin(), rows.end(),
                   [&](const NodeKind& row) { return row.kind == kind; })) {
    return NodeFit::None;
  }
  const bool is_copy = std::any_of(rows.begin(), rows.end(),
                                   [](const NodeKind& row) { return row.kind == K::Copy; });
  if (kind == K::Convert) {
    const bool quantizes =
        base_operator.starts_with("quantize") || base_operator.starts_with("choose_qparams");
    const bool dequantizes = base_operator.starts_with("dequantize");
    const bool is_right = is_quantized(output)  ? quantizes
                          : is_quantized(input) ? dequantizes
                                                : !quantizes && !dequantizes;
    return is_right ? NodeFit::Good : NodeFit::None;
  }
  return is_copy && kind == K::StaticTranspose ? NodeFit::Weak : NodeFit::Good;
}

std::span<const NodeKind> kinds_of_node(std::string_view base_operator) {
  return rows_of_node(base_operator);
}

bool is_folded_backward(std::string_view base_operator) {
  constexpr std::array<std::string_view, 11> kNodes{"relu",
                                                    "relu6",
                                                    "hardtanh",
                                                    "clamp",
                                                    "batch_norm",
                                                    "native_batch_norm",
                                                    "_native_batch_norm_legit_no_training",
                                                    "quantize_per_tensor",
                                                    "quantize_per_channel",
                                                    "quantize_affine",
                                                    "quantize_per_token"};
  return is_one_of(base_operator, kNodes);
}

bool is_folded_forward(std::string_view base_operator) {
  constexpr std::array<std::string_view, 13> kNodes{"dequantize_per_tensor",
                                                    "dequantize_per_channel",
                                                    "dequantize_per_channel_group",
                                                    "dequantize_affine",
                                                    "dequantize_per_token",
                                                    "permute_copy",
                                                    "t_copy",
                                                    "transpose_copy",
                                                    "choose_qparams",
                                                    "choose_qparams_affine",
                                                    "choose_qparams_per_token_asymmetric",
                                                    "expand_copy",
                                                    "full_like"};
  return is_one_of(base_operator, kNodes);
}

}  // namespace etlens
