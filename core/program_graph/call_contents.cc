// SPDX-License-Identifier: Apache-2.0
#include "core/program_graph/call_contents.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "core/base/budget.h"
#include "core/code/call_nodes.h"
#include "core/code/operator_name.h"

namespace etlens {

namespace {

bool has_handles(const PayloadGraph& payload) {
  return std::ranges::any_of(
      payload.operators, [](const PayloadOperator& op) { return op.debug_handle != kNoHandle; });
}

}  // namespace

// Of the values of one payload.
struct PayloadRows {
  const PayloadGraph& payload;
  std::vector<uint32_t> value;        // row of the graph's values
  std::vector<uint32_t> maker;        // row of the graph's nodes; kNone: outside, or none
  std::vector<ConstantOwner> owners;  // of constants, as the backend lists them
  std::unordered_map<uint32_t, std::pair<OperatorRank, NodeId>> nodes;  // by debug handle
};

struct CallContents::OfRecord {
  explicit OfRecord(ProgramGraph& graph)
      : frames(*graph.code->record, {}),
        context(*graph.code->record, *graph.code->method, frames),
        nodes(graph) {}

  ProjectFrames frames;
  MethodContext context;
  RecordNodes nodes;
};

CallContents::CallContents(ProgramGraph& graph, const ProgramMethod& method,
                           const ConstantNames& names, const Backends& backends,
                           const ReadPayload& payload)
    : graph_(graph), method_(method), names_(names), backends_(backends), payload_(payload) {
  if (graph.code->record != nullptr && graph.code->method)
    record_ = std::make_unique<OfRecord>(graph);
}

CallContents::~CallContents() = default;

void CallContents::add(uint32_t call, std::span<const uint32_t> inputs) {
  const uint32_t instruction = graph_.nodes[call].instruction;
  const std::optional<PayloadGraph>& payload = payload_of(method_.instructions[instruction]);
  // Operators without handles have no lines: those of the record have.
  const bool is_payload = payload && (record_ == nullptr || has_handles(*payload));
  if (is_payload) add_payload(call, *payload);
  else if (record_ != nullptr) add_record(call, inputs);
}

// Calls may share a payload.
const std::optional<PayloadGraph>& CallContents::payload_of(const ProgramInstruction& instruction) {
  const auto [at, is_new] = payloads_.try_emplace(instruction.target);
  if (!is_new) return at->second;
  const ProgramDelegate& delegate = method_.delegates[instruction.target];
  const Backend& backend = backends_.find(delegate.backend);
  if (backend.read_graph == nullptr) return at->second;
  const std::vector<uint8_t> bytes = payload_(delegate);
  at->second = backend.read_graph(bytes);
  if (backend.list_constants != nullptr)
    constants_[instruction.target] = backend.list_constants(bytes);
  return at->second;
}

std::span<const NodeId> CallContents::nodes_of(uint32_t instruction) const {
  const PartitionId partition =
      graph_.code->find_partition(Instruction(static_cast<int32_t>(instruction)));
  if (!partition.valid()) return {};
  return graph_.code->partitions[partition.value].nodes;
}

void CallContents::add_payload(uint32_t call, const PayloadGraph& payload) {
  const uint32_t instruction = graph_.nodes[call].instruction;
  PayloadRows rows{payload, {}, std::vector<uint32_t>(payload.values.size(), kNone), {}, {}};
  for (uint32_t v = 0; v < payload.values.size(); ++v) {
    go_on();
    rows.value.push_back(static_cast<uint32_t>(graph_.values.size()));
    GraphValue& value = graph_.values.emplace_back();
    value.number = v;
    value.is_inside = true;
    value.shape = payload.values[v].shape;
    value.dtype = payload.values[v].dtype;
  }
  // What comes from outside, and what goes there, are the method's values.
  const std::span<const uint32_t> arguments =
      method_.arguments_of(method_.instructions[instruction]);
  size_t next = 0;
  for (const std::vector<uint32_t>* ends : {&payload.inputs, &payload.outputs})
    for (const uint32_t row : *ends)
      if (next < arguments.size()) rows.value[row] = arguments[next++];
  rows.owners =
      names_.of_payload(instruction, constants_[method_.instructions[instruction].target]);
  for (const NodeId id : nodes_of(instruction)) {
    const Node& node = graph_.code->record->nodes[id.value];
    if (!graph_.code->record->is_set(node.debug_handle)) continue;
    const OperatorRank rank =
        rank_of_operator(base_operator_of_target(graph_.code->record->text(node.target)));
    const auto [at, is_new] = rows.nodes.try_emplace(node.debug_handle.value, rank, id);
    if (!is_new && rank < at->second.first) at->second = {rank, id};
  }
  for (const PayloadOperator& op : payload.operators) add_operator(call, op, rows);
}

void CallContents::add_operator(uint32_t call, const PayloadOperator& op, PayloadRows& rows) {
  GraphNode node;
  node.kind = GraphNodeKind::Operator;
  node.group = call;
  node.op = op.op;
  if (const auto at = rows.nodes.find(op.debug_handle.value); at != rows.nodes.end())
    place_node(*graph_.code, at->second.second, node);
  std::vector<uint32_t> makers;
  for (uint32_t i = 0; i < op.inputs.size(); ++i) {
    go_on();
    const uint32_t input = op.inputs[i];
    const PayloadValue& value = rows.payload.values[input];
    if (value.is_constant && rows.maker[input] == kNone)
      rows.maker[input] = add_constant(call, value, rows);
    if (value.is_constant) graph_.nodes[rows.maker[input]].makes = {rows.value[input]};
    node.reads.push_back({rows.value[input], i});
    makers.push_back(rows.maker[input]);
  }
  for (const uint32_t output : op.outputs) {
    node.makes.push_back(rows.value[output]);
    rows.maker[output] = static_cast<uint32_t>(graph_.nodes.size());
  }
  const auto row = static_cast<uint32_t>(graph_.nodes.size());
  for (uint32_t i = 0; i < makers.size(); ++i) {
    if (makers[i] != kNone) graph_.edges.push_back({makers[i], row, node.reads[i]});
    else if (node.reads[i].value < method_.values.size())
      from_outside_.push_back({call, row, node.reads[i]});
  }
  graph_.nodes.push_back(std::move(node));
}

uint32_t CallContents::add_constant(uint32_t call, const PayloadValue& value, PayloadRows& rows) {
  GraphNode& node = graph_.nodes.emplace_back();
  node.kind = GraphNodeKind::Constant;
  node.group = call;
  if (value.constant < rows.owners.size()) node.name = rows.owners[value.constant].name;
  return static_cast<uint32_t>(graph_.nodes.size() - 1);
}

void CallContents::add_record(uint32_t call, std::span<const uint32_t> inputs) {
  const Instruction instruction(static_cast<int32_t>(graph_.nodes[call].instruction));
  const std::span<const NodeId> nodes = nodes_of(graph_.nodes[call].instruction);
  const EtRecord& record = *graph_.code->record;
  RecordNodes::Names outside;
  if (const NodeId node = call_node(record_->context, instruction); node.valid()) {
    const std::span<const StringId> names = record.inputs_of(record.nodes[node.value]);
    for (size_t i = 0; i < names.size() && names.size() == inputs.size(); ++i)
      outside.try_emplace(record.text(names[i]), MadeValue{{}, inputs[i]});
  }
  const size_t first = graph_.nodes.size();
  record_->nodes.add(nodes, call, std::move(outside));
  for (size_t n = first; n < graph_.nodes.size(); ++n) {
    for (const GraphArgument& at : graph_.nodes[n].reads) {
      go_on();
      if (at.value < method_.values.size())
        from_outside_.push_back({call, static_cast<uint32_t>(n), at});
    }
  }
}

}  // namespace etlens
