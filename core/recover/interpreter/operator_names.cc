// SPDX-License-Identifier: Apache-2.0
#include "core/recover/interpreter/operator_names.h"

#include <algorithm>
#include <array>
#include <utility>

namespace etlens::recover {
namespace {

using Names = std::pair<std::string_view, std::string_view>;

constexpr auto kSynonyms = std::to_array<Names>({
    {"absolute", "abs"},
    {"and", "bitwise_and"},
    {"bfloat16", "to"},
    {"bool", "to"},
    {"clip", "clamp"},
    {"concat", "cat"},
    {"concatenate", "cat"},
    {"divide", "div"},
    {"double", "to"},
    {"float", "to"},
    {"floordiv", "floor_divide"},
    {"get", "get"},
    {"greater", "gt"},
    {"greater_equal", "ge"},
    {"half", "to"},
    {"iadd", "add"},
    {"iand", "bitwise_and"},
    {"idiv", "div"},
    {"ilshift", "bitwise_left_shift"},
    {"imul", "mul"},
    {"int", "to"},
    {"invert", "bitwise_not"},
    {"ior", "bitwise_or"},
    {"irshift", "bitwise_right_shift"},
    {"isub", "sub"},
    {"itruediv", "div"},
    {"ixor", "bitwise_xor"},
    {"less", "lt"},
    {"less_equal", "le"},
    {"logsigmoid", "log_sigmoid"},
    {"long", "to"},
    {"lshift", "bitwise_left_shift"},
    {"mod", "remainder"},
    {"moveaxis", "movedim"},
    {"multiply", "mul"},
    {"negative", "neg"},
    {"not_equal", "ne"},
    {"or", "bitwise_or"},
    {"radd", "add"},
    {"rdiv", "div"},
    {"rfloordiv", "floor_divide"},
    {"rmatmul", "matmul"},
    {"rmod", "remainder"},
    {"rmul", "mul"},
    {"rpow", "pow"},
    {"rshift", "bitwise_right_shift"},
    {"rsub", "sub"},
    {"rtruediv", "div"},
    {"short", "to"},
    {"subtract", "sub"},
    {"swapaxes", "transpose"},
    {"swapdims", "transpose"},
    {"true_divide", "div"},
    {"truediv", "div"},
    {"type", "to"},
    {"type_as", "to"},
    {"vector_norm", "linalg_vector_norm"},
    {"xor", "bitwise_xor"},
});
static_assert(std::is_sorted(kSynonyms.begin(), kSynonyms.end()));

// What one call is recorded as when only the ATen operator is known.
constexpr auto kBecomes = std::to_array<Names>({
    {"reshape", "view"},
    {"reshape", "clone"},
    {"flatten", "view"},
    {"flatten", "reshape"},
    {"unflatten", "view"},
    {"split", "split_with_sizes"},
    {"chunk", "split"},
    {"chunk", "split_with_sizes"},
    {"stack", "cat"},
    {"square", "pow"},
    {"ones_like", "full_like"},
    {"zeros_like", "full_like"},
    {"norm", "linalg_vector_norm"},
    {"linalg_norm", "linalg_vector_norm"},
    {"log_sigmoid", "log_sigmoid_forward"},
    {"layer_norm", "native_layer_norm"},
    {"group_norm", "native_group_norm"},
    {"batch_norm", "native_batch_norm"},
    {"max_pool2d", "max_pool2d_with_indices"},
    {"interpolate", "upsample_bilinear2d"},
    {"interpolate", "upsample_nearest2d"},
    {"contiguous", "clone"},
    {"to", "to_copy"},
    {"narrow", "slice"},
    {"view_as", "view"},
    {"expand_as", "expand"},
    {"get", "t"},
    {"get", "permute"},
    {"get", "transpose"},
    {"get", "numpy_T"},
    {"get", "mT"},
    {"get", "adjoint"},
    {"t", "transpose"},
    {"t", "permute"},
    {"full", "full"},
    {"zeros", "full"},
    {"ones", "full"},
    {"new_zeros", "full"},
    {"pad", "constant_pad_nd"},
    {"masked_fill", "where"},
    {"sub", "rsub"},
    {"movedim", "permute"},
    {"amax", "max"},
    {"linear", "addmm"},
    {"matmul", "mm"},
    {"matmul", "bmm"},
    {"clamp", "clamp_min"},
    {"clamp", "clamp_max"},
});

template <size_t N>
bool holds(const std::array<std::string_view, N>& names, std::string_view name) {
  return std::binary_search(names.begin(), names.end(), name);
}

constexpr auto kVanishing = std::to_array<std::string_view>(
    {"alpha_dropout", "broadcast_to", "clone",     "contiguous", "detach",    "dropout",
     "dropout1d",     "dropout2d",    "dropout3d", "expand",     "expand_as", "flatten",
     "getitem",       "identity",     "narrow",    "pad",        "permute",   "requires_grad",
     "reshape",       "squeeze",      "to",        "unflatten",  "view",      "view_as"});
static_assert(std::is_sorted(kVanishing.begin(), kVanishing.end()));

constexpr auto kViews = std::to_array<std::string_view>(
    {"diagonal", "expand", "getitem", "narrow", "permute", "select", "slice", "squeeze",
     "transpose", "unflatten", "unsqueeze", "view"});
static_assert(std::is_sorted(kViews.begin(), kViews.end()));

constexpr auto kCreating = std::to_array<std::string_view>(
    {"arange",   "as_tensor",    "empty",        "empty_like", "eye",        "from_numpy",
     "full",     "full_like",    "linspace",     "logspace",   "meshgrid",   "new_empty",
     "new_full", "new_ones",     "new_tensor",   "new_zeros",  "ones",       "ones_like",
     "rand",     "rand_like",    "randint",      "randn",      "randn_like", "scalar_tensor",
     "tensor",   "tril_indices", "triu_indices", "zeros",      "zeros_like"});
static_assert(std::is_sorted(kCreating.begin(), kCreating.end()));

constexpr auto kSeveral = std::to_array<std::string_view>(
    {"aminmax",      "chunk", "cummax", "cummin",           "frexp",    "kthvalue",
     "lstm",         "max",   "median", "meshgrid",         "min",      "mode",
     "qr",           "sort",  "split",  "split_with_sizes", "std_mean", "svd",
     "tensor_split", "topk",  "unbind", "unique",           "var_mean"});
static_assert(std::is_sorted(kSeveral.begin(), kSeveral.end()));

constexpr auto kOrdered = std::to_array<std::string_view>(
    {"add", "bmm", "cat", "div",       "eq",      "floor_divide", "ge",
     "gt",  "le",  "lt",  "matmul",    "maximum", "minimum",      "mm",
     "mul", "ne",  "pow", "remainder", "stack",   "sub",          "where"});
static_assert(std::is_sorted(kOrdered.begin(), kOrdered.end()));

constexpr auto kNoOperators = std::to_array<std::string_view>({"_assert",
                                                               "_check",
                                                               "autocast",
                                                               "compile",
                                                               "cpu",
                                                               "cuda",
                                                               "device",
                                                               "dim",
                                                               "element_size",
                                                               "enable_grad",
                                                               "finfo",
                                                               "get_default_dtype",
                                                               "get_device",
                                                               "iinfo",
                                                               "inference_mode",
                                                               "is_available",
                                                               "is_complex",
                                                               "is_contiguous",
                                                               "is_floating_point",
                                                               "is_grad_enabled",
                                                               "is_tensor",
                                                               "item",
                                                               "manual_seed",
                                                               "ndimension",
                                                               "nelement",
                                                               "no_grad",
                                                               "numel",
                                                               "numpy",
                                                               "register_hook",
                                                               "set_grad_enabled",
                                                               "size",
                                                               "storage_offset",
                                                               "stride",
                                                               "tolist"});
static_assert(std::is_sorted(kNoOperators.begin(), kNoOperators.end()));

constexpr auto kFacts = std::to_array<std::string_view>(
    {"device", "dtype", "grad", "grad_fn", "is_cuda", "is_leaf", "is_nested", "is_quantized",
     "is_sparse", "layout", "names", "ndim", "requires_grad", "shape"});
static_assert(std::is_sorted(kFacts.begin(), kFacts.end()));

constexpr auto kMembers = std::to_array<std::string_view>(
    {"H", "T", "data", "imag", "indices", "mH", "mT", "real", "values"});
static_assert(std::is_sorted(kMembers.begin(), kMembers.end()));

}  // namespace

std::string_view normal_operator(std::string_view name) {
  while (name.size() > 1 && name.front() == '_') name.remove_prefix(1);
  while (name.size() > 1 && name.back() == '_') name.remove_suffix(1);
  const auto at =
      std::lower_bound(kSynonyms.begin(), kSynonyms.end(), name,
                       [](const Names& row, std::string_view n) { return row.first < n; });
  if (at != kSynonyms.end() && at->first == name) name = at->second;
  return name;
}

OperatorFacts operator_facts(std::string_view spelled) {
  OperatorFacts facts;
  facts.name = normal_operator(spelled);
  if (!facts.name.empty() && facts.name.front() >= 'A' && facts.name.front() <= 'Z') {
    for (char& c : facts.name) {
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
    }
  }
  facts.is_no_operator = is_no_operator(spelled);
  facts.is_creation = is_creation(facts.name);
  facts.can_vanish = can_vanish(facts.name);
  facts.keeps_order = keeps_order(facts.name);
  facts.is_view = holds(kViews, facts.name);
  facts.is_like_another = facts.name == "to" || facts.name == "expand_as" ||
                          facts.name == "view_as" || facts.name == "reshape_as";
  return facts;
}

std::string_view operator_of_torch_fn(std::string_view torch_fn) {
  const size_t at = torch_fn.find(';');
  if (at == std::string_view::npos) return {};
  const std::string_view function = torch_fn.substr(at + 1);
  if (function.starts_with("WrapWith") || function.starts_with("OpOverload")) return {};
  const size_t dot = function.rfind('.');
  return normal_operator(dot == std::string_view::npos ? function : function.substr(dot + 1));
}

std::string_view operator_of_target(std::string_view target) {
  const size_t first = target.find('.');
  if (first == std::string_view::npos) return normal_operator(target);
  const std::string_view rest = target.substr(first + 1);
  std::string_view name = rest.substr(0, rest.find('.'));
  std::string_view normal = normal_operator(name);
  constexpr std::string_view kCopy = "_copy";
  if (normal.size() > kCopy.size() && normal.ends_with(kCopy) && normal != "index_copy")
    normal.remove_suffix(kCopy.size());
  return normal;
}

bool may_become(std::string_view source, std::string_view recorded) {
  if (source == recorded) return true;
  return std::any_of(kBecomes.begin(), kBecomes.end(), [&](const Names& row) {
    return row.first == source && row.second == recorded;
  });
}

bool can_vanish(std::string_view name) { return holds(kVanishing, name); }
bool is_creation(std::string_view name) { return holds(kCreating, name); }
bool gives_several(std::string_view name) { return holds(kSeveral, name); }
bool keeps_order(std::string_view name) { return holds(kOrdered, name); }
bool is_no_operator(std::string_view name) { return holds(kNoOperators, name); }
bool is_tensor_fact(std::string_view attribute) { return holds(kFacts, attribute); }
bool is_tensor_member(std::string_view attribute) {
  return is_tensor_fact(attribute) || holds(kMembers, attribute);
}

}  // namespace etlens::recover
