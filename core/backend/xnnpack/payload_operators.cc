// SPDX-License-Identifier: Apache-2.0
#include "core/backend/xnnpack/payload_operators.h"

#include <algorithm>
#include <array>

#include "core/backend/xnnpack/payload.h"
#include "core/base/budget.h"

namespace etlens {
namespace {

// By XnnpackType, as XNNPACK calls them.
constexpr std::array<std::string_view, static_cast<size_t>(XnnpackType::kCount)> kTypes{
    "unknown", "fp32",   "fp16",   "qint8",  "quint8", "qint32", "qcint8", "qcint32",
    "qcint4",  "qdint8", "qbint4", "qpint8", "int32",  "pfp32",  "bf16"};

std::string shape_of(const XnnpackValue& value) {
  if (value.dimensions > kXnnpackSizes) return "";
  std::string shape = "[";
  for (uint32_t d = 0; d < value.dimensions; ++d)
    shape += (d > 0 ? ", " : "") + std::to_string(value.sizes[d]);
  return shape + "]";
}

PayloadValue value_of(const XnnpackPayload& payload, const XnnpackValue& value) {
  PayloadValue row{shape_of(value), kTypes[static_cast<size_t>(value.type)], value.is_constant};
  // The first one is reserved, and left out of the list.
  if (value.is_constant && value.constant < payload.constants.size())
    row.constant = value.constant - 1;
  return row;
}

}  // namespace

std::optional<PayloadGraph> graph_of_xnnpack(std::span<const uint8_t> bytes) {
  const Result<XnnpackPayload> payload = read_xnnpack_payload(bytes);
  if (!payload) return std::nullopt;
  PayloadGraph graph;
  for (uint32_t v = 0; v < payload->values.size(); ++v) {
    go_on();
    const XnnpackValue& value = payload->values[v];
    graph.values.push_back(value_of(*payload, value));
    if (value.is_input) graph.inputs.push_back(v);
    if (value.is_output) graph.outputs.push_back(v);
  }
  // The runtime passes arguments in the order of these ids.
  const auto external = [&](uint32_t row) { return payload->values[row].external; };
  std::ranges::stable_sort(graph.inputs, {}, external);
  std::ranges::stable_sort(graph.outputs, {}, external);
  for (const XnnpackOperator& op : payload->operators) {
    go_on();
    const std::span<const uint32_t> inputs = payload->inputs_of(op);
    const std::span<const uint32_t> outputs = payload->outputs_of(op);
    graph.operators.push_back({std::string(name_of(op.kind)),
                               op.debug_handle,
                               {inputs.begin(), inputs.end()},
                               {outputs.begin(), outputs.end()}});
  }
  return graph;
}

}  // namespace etlens
