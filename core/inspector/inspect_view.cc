// SPDX-License-Identifier: Apache-2.0
#include "core/inspector/inspect_view.h"

namespace etlens {
namespace {

TensorSummaryView summary_view(const TensorSummary& summary) {
  TensorSummaryView view{summary.dtype, summary.shape, {}, {}, {}, summary.nan, summary.inf};
  if (summary.min) view.min = Real(*summary.min);
  if (summary.max) view.max = Real(*summary.max);
  if (summary.mean) view.mean = Real(*summary.mean);
  return view;
}

void add_nodes(const InspectorEvent& event, const EtRecord* record, InspectorEventView& view) {
  for (size_t i = 0; i < event.nodes.size(); ++i) {
    const Node& node = record->nodes[event.nodes[i].value];
    Nullable<std::string_view> trace;
    if (node.stack_trace.valid()) trace = record->text(node.stack_trace);
    view.stack_traces.emplace_back(event.node_names[i], trace);
    Nullable<std::vector<ModuleOfNodeView>> modules;
    if (node.modules.valid()) {
      modules.value.emplace();
      for (const Module& module : record->modules_of(node.modules))
        modules.value->emplace_back(record->text(module.key), record->text(module.raw_path),
                                    record->text(module.type));
    }
    view.module_hierarchy.emplace_back(event.node_names[i], std::move(modules));
  }
}

InspectorEventView event_view(const InspectorEvent& event, const EtRecord* record) {
  InspectorEventView view;
  view.name = event.name;
  view.instruction_id = event.instruction.value;
  view.chain_index = event.chain;
  view.raw = event.raw;
  const PerfData& perf = event.perf;
  if (!event.raw.empty())
    view.perf = PerfView{perf.p10, perf.p50, perf.p90, perf.avg, perf.min, perf.max};
  view.start_time = event.start_time;
  view.op_types = event.op_types;
  using Identifier = std::variant<int32_t, std::string>;
  if (event.delegate_id_int != -1)
    view.delegate_debug_identifier = Identifier(event.delegate_id_int);
  else if (!event.delegate_id_str.empty())
    view.delegate_debug_identifier = Identifier(event.delegate_id_str);
  if (event.debug_handles) {
    view.debug_handles.value.emplace();
    for (const DebugHandle handle : *event.debug_handles)
      view.debug_handles.value->push_back(handle.value);
  }
  add_nodes(event, record, view);
  view.is_delegated_op = event.is_delegated_op;
  if (!event.backend.empty()) view.delegate_backend_name = event.backend;
  view.delegate_debug_metadata = event.metadata;
  for (const TensorSummary& summary : event.debug_data)
    view.debug_data.push_back(summary_view(summary));
  return view;
}

}  // namespace

InspectView inspect_view(const std::vector<InspectorBlock>& blocks, const EtRecord* record,
                         const InspectorFormat& format) {
  InspectView view;
  view.source_time_scale = name_of(format.source);
  view.target_time_scale = name_of(format.target);
  view.blocks = Rows<InspectorBlockView>([&blocks, record](const auto& take) {
    for (const InspectorBlock& block : blocks) {
      const Rows<InspectorEventView> events([&block, record](const auto& take_event) {
        for (const InspectorEvent& event : block.events) take_event(event_view(event, record));
      });
      take({block.name, block.bundled_input_index, block.executions, events});
    }
  });
  return view;
}

}  // namespace etlens
