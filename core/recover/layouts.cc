// SPDX-License-Identifier: Apache-2.0
#include "core/recover/layouts.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "core/recover/interpreter/operator_names.h"

namespace etlens::recover {
namespace {

constexpr int kMaxDepth = 64;  // of nodes that only pass an order on

// Their results are contiguous.
constexpr auto kProducts = std::to_array<std::string_view>({"addmm", "bmm", "mm"});
// PyTorch lays out their result like the first tensor that has all of its sizes.
constexpr auto kElementwise = std::to_array<std::string_view>(
    {"abs", "add", "cos", "div", "exp", "gelu", "mul", "neg", "relu", "rsqrt", "sigmoid", "silu",
     "sin", "sqrt", "sub", "tanh"});

template <size_t N>
bool is_one_of(const std::array<std::string_view, N>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

std::vector<uint32_t> contiguous_order(const std::vector<int64_t>& sizes) {
  std::vector<uint32_t> order;
  for (uint32_t d = 0; d < sizes.size(); ++d) {
    if (sizes[d] != 1) order.push_back(d);
  }
  return order;
}

// The order behind a node that permutes dimensions; none if it does not say how.
std::optional<std::vector<uint32_t>> permuted(const EtRecord& record, const Node& node,
                                              const std::vector<uint32_t>& order) {
  const std::span<const int64_t> dims = numbers_of(record, node, "dims");
  if (dims.empty()) return std::nullopt;
  const auto rank = static_cast<int64_t>(dims.size());
  std::vector<uint32_t> result;
  for (const uint32_t old : order) {
    const auto at = std::ranges::find_if(
        dims, [&](int64_t dim) { return (dim < 0 ? dim + rank : dim) == old; });
    if (at == dims.end()) return std::nullopt;
    result.push_back(static_cast<uint32_t>(at - dims.begin()));
  }
  return result;
}

}  // namespace

bool Layouts::is_permuted(const GraphUnits& graph, uint32_t value) {
  const Order order = order_of(graph, value, 0);
  return order && !std::ranges::is_sorted(*order);
}

Layouts::Order Layouts::order_of(const GraphUnits& graph, uint32_t value, int depth) {
  if (depth > kMaxDepth) return std::nullopt;
  const auto known = orders_.find(value);
  if (known != orders_.end()) return known->second;
  return orders_.emplace(value, order_of_result(graph, value, depth)).first->second;
}

Layouts::Order Layouts::order_of_result(const GraphUnits& graph, uint32_t value, int depth) {
  const NodeId producer = graph.producer_of(value);
  const TensorSizes& sizes = graph.sizes_of(value);
  const EtRecord& record = graph.record();
  if (!producer.valid() || !sizes.is_known || std::ranges::count(sizes.sizes, 0) > 0)
    return std::nullopt;
  const Node& node = record.nodes[producer.value];
  const std::string_view name = operator_of_target(record.text(node.target));
  if (is_one_of(kProducts, name)) return contiguous_order(sizes.sizes);
  const std::span<const StringId> inputs = record.inputs_of(node);
  if (inputs.empty()) return std::nullopt;
  const uint32_t input = graph.canonical(inputs[0]);
  const bool is_elementwise = is_one_of(kElementwise, name);
  if (!is_elementwise && name != "view" && name != "permute") return std::nullopt;
  const Order order = order_of(graph, input, depth + 1);
  if (!order) return std::nullopt;
  if (name == "permute") return permuted(record, node, *order);
  const TensorSizes& before = graph.sizes_of(input);
  if (is_elementwise) return before.sizes == sizes.sizes ? order : std::nullopt;
  // What a view makes of another order depends on the sizes.
  return std::ranges::is_sorted(*order) ? Order(contiguous_order(sizes.sizes)) : std::nullopt;
}

}  // namespace etlens::recover
