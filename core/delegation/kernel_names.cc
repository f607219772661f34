// SPDX-License-Identifier: Apache-2.0
#include "core/delegation/kernel_names.h"

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
    {"aten::min.dim_min", "aten.min.dim"},
    {"aten::min.unary_out", "aten.min.default"},
    {"aten::median.dim_values", "aten.median.dim"},
    {"aten::sort.values", "aten.sort.default"},
    {"aten::sort.values_stable", "aten.sort.stable"},
    {"aten::topk.values", "aten.topk.default"},
    {"aten::arange.start_out", "aten.arange.start_step"},
};

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
  else if (overload == "out" || overload.empty()) overload = "default";
  std::string op(kernel.substr(0, colons));
  op.append(".").append(name.substr(0, dot)).append(".").append(overload);
  return op;
}

}  // namespace etlens
