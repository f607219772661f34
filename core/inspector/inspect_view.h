// SPDX-License-Identifier: Apache-2.0
// The Inspector's blocks and events: the document of `etlens inspect`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/fields.h"
#include "core/inspector/inspector.h"

namespace etlens {

// Null for events without a time.
struct PerfView {
  Nullable<double> p10;
  Nullable<double> p50;
  Nullable<double> p90;
  Nullable<double> avg;
  Nullable<double> min;
  Nullable<double> max;
};
FIELDS(PerfView, p10, p50, p90, avg, min, max)

struct TensorSummaryView {
  std::string dtype;  // "" if the value is no tensor
  std::vector<int64_t> shape;
  Nullable<Real> min;  // of finite elements
  Nullable<Real> max;
  Nullable<Real> mean;
  uint64_t nan = 0;
  uint64_t inf = 0;
};
FIELDS(TensorSummaryView, dtype, shape, min, max, mean, nan, inf)

using ModuleOfNodeView = std::tuple<std::string_view, std::string_view, std::string_view>;
// By node, as the Inspector names it.
template <typename T>
using ByNode = std::vector<std::pair<std::string, Nullable<T>>>;

struct InspectorEventView {
  std::string name;
  int32_t instruction_id = 0;
  int32_t chain_index = 0;
  std::vector<double> raw;
  Spread<PerfView> perf;
  std::vector<uint64_t> start_time;
  std::vector<std::string> op_types;
  Nullable<std::variant<int32_t, std::string>> delegate_debug_identifier;
  Nullable<std::vector<uint32_t>> debug_handles;
  ByNode<std::string_view> stack_traces;
  ByNode<std::vector<ModuleOfNodeView>> module_hierarchy;  // key, path and type, outermost first
  bool is_delegated_op = false;
  Nullable<std::string> delegate_backend_name;
  std::vector<std::string> delegate_debug_metadata;
  std::vector<TensorSummaryView> debug_data;
};
FIELDS(InspectorEventView, name, instruction_id, chain_index, raw, perf, start_time, op_types,
       delegate_debug_identifier, debug_handles, stack_traces, module_hierarchy, is_delegated_op,
       delegate_backend_name, delegate_debug_metadata, debug_data)

struct InspectorBlockView {
  std::string name;
  int32_t bundled_input_index = -1;
  uint64_t executions = 0;
  Rows<InspectorEventView> events;
};
FIELDS(InspectorBlockView, name, bundled_input_index, executions, events)

struct InspectView {
  Literal<"etlens/inspect@1"> schema;
  std::string_view source_time_scale;
  std::string_view target_time_scale;
  Rows<InspectorBlockView> blocks;
};
FIELDS(InspectView, schema, source_time_scale, target_time_scale, blocks)

// `record`: of the blocks, null if they have none. Both must outlive the view.
InspectView inspect_view(const std::vector<InspectorBlock>& blocks, const EtRecord* record,
                         const InspectorFormat& format);

}  // namespace etlens
