// SPDX-License-Identifier: Apache-2.0
#include "core/delegation/kernel_names.h"

#include <algorithm>
#include <iterator>

namespace etlens {
namespace {

// Whose kernel does not tell the overload by the form of its name.
struct KernelName {
  std::string_view kernel;
  std::string_view op;
};
constexpr KernelName kKernels[]{
    {"executorch_prim::et_view.default", "aten.view_copy.default"},
    {"aten::add.out", "aten.add.Tensor"},
    {"aten::sub.out", "aten.sub.Tensor"},
    {"aten::mul.out", "aten.mul.Tensor"},
    {"aten::div.out", "aten.div.Tensor"},
    {"aten::div.out_mode", "aten.div.Tensor_mode"},
    {"aten::mean.out", "aten.mean.dim"},
    {"aten::mean.dtype_out", "aten.mean.default"},
    {"aten::sum.IntList_out", "aten.sum.dim_IntList"},
    {"aten::prod.int_out", "aten.prod.dim_int"},
    {"aten::var.out", "aten.var.dim"},
    {"aten::std.out", "aten.std.dim"},
    {"aten::any.out", "aten.any.dim"},
    {"aten::any.all_out", "aten.any.default"},
    {"aten::all.out", "aten.all.dim"},
    {"aten::all.all_out", "aten.all.default"},
    {"aten::max.dim_max", "aten.max.dim"},
    {"aten::max.unary_out", "aten.max.default"},
    {"aten::max.out", "aten.max.other"},
    {"aten::min.dim_min", "aten.min.dim"},
    {"aten::min.unary_out", "aten.min.default"},
    {"aten::min.out", "aten.min.other"},
    {"aten::median.dim_values", "aten.median.dim"},
    {"aten::nanmedian.dim_values", "aten.nanmedian.dim"},
    {"aten::sort.values_stable", "aten.sort.stable"},
    {"aten::arange.start_out", "aten.arange.start_step"},
    {"aten::bernoulli.float_out", "aten.bernoulli.p"},
    {"aten::copysign.out", "aten.copysign.Tensor"},
    {"aten::empty.out", "aten.empty.memory_format"},
    {"aten::ldexp.out", "aten.ldexp.Tensor"},
    {"aten::norm.out", "aten.norm.ScalarOpt_dim"},
    {"aten::xlogy.OutTensor", "aten.xlogy.Tensor"},
    {"aten::xlogy.OutScalar_Self", "aten.xlogy.Scalar_Self"},
    {"aten::xlogy.OutScalar_Other", "aten.xlogy.Scalar_Other"},
};

// Kernels of default overloads that are called after what they write.
constexpr std::string_view kOutputs[]{"",  "out", "values",      "output", "result",  "U",
                                      "L", "X",   "eigenvalues", "sign",   "inverse", "grad_input"};

}  // namespace

std::string edge_operator_of_kernel(std::string_view kernel) {
  for (const KernelName& row : kKernels)
    if (row.kernel == kernel) return std::string(row.op);
  const size_t colons = kernel.find("::");
  if (colons == std::string_view::npos) return std::string(kernel);
  const std::string_view name = kernel.substr(colons + 2);
  const size_t dot = name.find('.');
  std::string_view overload = dot == std::string_view::npos ? "" : name.substr(dot + 1);
  constexpr std::string_view kOut = "_out";
  if (overload.ends_with(kOut)) overload.remove_suffix(kOut.size());
  else if (std::ranges::find(kOutputs, overload) != std::end(kOutputs)) overload = "default";
  std::string op(kernel.substr(0, colons));
  op.append(".").append(name.substr(0, dot)).append(".").append(overload);
  return op;
}

}  // namespace etlens
