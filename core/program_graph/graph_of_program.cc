// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>

#include "core/base/budget.h"
#include "core/formats/scalar_type.h"
#include "core/join/constant_names.h"
#include "core/join/program_code.h"
#include "core/program_graph/call_contents.h"
#include "core/program_graph/program_graph.h"
#include "core/program_graph/record_nodes.h"
#include "core/program_graph/value_flow.h"

namespace etlens {
namespace {

std::string literal_of(const ProgramMethod& method, uint32_t value) {
  const ProgramValue& row = method.values[value];
  switch (row.kind) {
    case ValueKind::Null:
      return "None";
    case ValueKind::Int:
      return std::to_string(method.numbers[row.first]);
    case ValueKind::Bool:
      return method.numbers[row.first] != 0 ? "True" : "False";
    case ValueKind::Double:
      return fmt::format("{}", std::bit_cast<double>(method.numbers[row.first]));
    default:
      return "";
  }
}

GraphNodeKind kind_of(InstructionKind kind) {
  switch (kind) {
    case InstructionKind::Kernel:
      return GraphNodeKind::Kernel;
    case InstructionKind::Delegate:
      return GraphNodeKind::DelegateCall;
    case InstructionKind::Move:
      return GraphNodeKind::Move;
    case InstructionKind::JumpFalse:
      return GraphNodeKind::Jump;
    case InstructionKind::Free:
      return GraphNodeKind::Free;
    default:
      return GraphNodeKind::Unknown;
  }
}

class GraphBuilder {
 public:
  GraphBuilder(const ProgramMethod& method, std::shared_ptr<const Code> code)
      : method_(method),
        flow_(find_value_flow(method)),
        names_(*code, method),
        nodes_(find_nodes(*code, method)) {
    graph_.method = method.name;
    graph_.code = std::move(code);
  }

  ProgramGraph build(const Backends& backends, const ReadPayload& payload) {
    add_values();
    index_reads();
    add_inputs();
    add_sources(ValueSource::Constant, GraphNodeKind::Constant);
    add_sources(ValueSource::State, GraphNodeKind::State);
    CallContents contents(graph_, method_, names_, backends, payload);
    for (uint32_t i = 0; i < method_.instructions.size(); ++i) add_instruction(i, contents);
    const auto outputs = static_cast<uint32_t>(graph_.nodes.size());
    for (uint32_t a = 0; a < method_.outputs.size(); ++a)
      graph_.nodes.emplace_back().kind = GraphNodeKind::Output;
    for (const ValueRead& read : flow_.reads) add_read(read, outputs);
    for (const CallContents::FromOutside& row : contents.from_outside()) add_edges_into(row);
    std::ranges::stable_sort(graph_.edges, {}, &GraphEdge::to);
    find_repeats(graph_);
    return std::move(graph_);
  }

 private:
  void add_values() {
    graph_.values.resize(method_.values.size());
    for (uint32_t v = 0; v < method_.values.size(); ++v) {
      go_on();
      GraphValue& row = graph_.values[v];
      row.number = v;
      if (!flow_.is_written[v] && flow_.sources[v] == ValueSource::None)
        row.literal = literal_of(method_, v);
      const ProgramTensor* tensor = method_.tensor_of(v);
      if (tensor == nullptr) continue;
      set_type(shape_text(method_, *tensor), row);
      row.is_bound = tensor->dynamism != ShapeDynamism::Static;
      row.name = tensor->name;
    }
  }

  // Where the reads of each instruction begin.
  void index_reads() {
    first_read_.resize(method_.instructions.size() + 2);
    for (const ValueRead& read : flow_.reads) ++first_read_[read.reader + 1];
    for (size_t i = 1; i < first_read_.size(); ++i) first_read_[i] += first_read_[i - 1];
  }

  void add_inputs() {
    for (uint32_t a = 0; a < method_.inputs.size(); ++a) {
      const uint32_t value = method_.inputs[a];
      const auto row = static_cast<uint32_t>(graph_.nodes.size());
      GraphNode& node = graph_.nodes.emplace_back();
      node.kind = GraphNodeKind::Input;
      const std::span<const uint32_t> elements = method_.elements_of(value);
      for (const uint32_t made : method_.is_list(value) ? elements : std::span(&value, 1)) {
        go_on();
        if (made == kNone) continue;
        node.makes.push_back(made);
        sources_.try_emplace(made, row);
      }
    }
  }

  void add_sources(ValueSource source, GraphNodeKind kind) {
    std::vector<const ValueRead*> first(method_.values.size());
    for (const ValueRead& read : flow_.reads)
      if (flow_.sources[read.base] == source && first[read.base] == nullptr)
        first[read.base] = &read;
    for (uint32_t v = 0; v < first.size(); ++v) {
      if (first[v] == nullptr) continue;
      sources_.emplace(v, static_cast<uint32_t>(graph_.nodes.size()));
      GraphNode& node = graph_.nodes.emplace_back();
      node.kind = kind;
      node.makes = {v};
      node.name = name_of_source(v, *first[v]);
    }
  }

  std::string name_of_source(uint32_t value, const ValueRead& read) const {
    if (const ProgramTensor* tensor = method_.tensor_of(value); tensor && !tensor->name.empty())
      return tensor->name;
    const bool is_kernel = read.reader < method_.instructions.size() &&
                           method_.instructions[read.reader].kind == InstructionKind::Kernel;
    if (!is_kernel || method_.tensor_of(value) == nullptr) return "";
    return names_.of_kernel(read.reader, method_.values[value].first).name;
  }

  void add_instruction(uint32_t i, CallContents& contents) {
    go_on();
    const ProgramInstruction& row = method_.instructions[i];
    const auto at = static_cast<uint32_t>(graph_.nodes.size());
    node_of_.push_back(at);
    GraphNode& node = graph_.nodes.emplace_back();
    node.kind = kind_of(row.kind);
    node.instruction = i;
    if (row.kind == InstructionKind::JumpFalse) node.target = row.target;
    node.op = method_.operator_of(row);
    if (const ProgramDelegate* delegate = method_.delegate_of(row)) node.op = delegate->backend;
    for (const ValueUse& use : flow_.instructions[i].writes) node.makes.push_back(use.value);
    place_node(*graph_.code, nodes_.placements[i].node, node);
    if (node.kind != GraphNodeKind::DelegateCall) return;
    node.number = ++calls_;
    if (const Landing landing = land_in_call(*graph_.code, i, {}); graph_.code->record != nullptr)
      node.module = landing.module;
    std::vector<uint32_t> inputs;
    for (uint32_t r = first_read_[i]; r < first_read_[i + 1]; ++r)
      inputs.push_back(flow_.reads[r].use.value);
    contents.add(at, inputs);
  }

  void add_read(const ValueRead& read, uint32_t outputs) {
    const bool is_output = read.reader == method_.instructions.size();
    const uint32_t to = is_output ? outputs + read.use.argument : node_of_[read.reader];
    const GraphArgument at{read.use.value, read.use.argument, read.use.element};
    graph_.nodes[to].reads.push_back(at);
    add_edges(read, to, at);
  }

  void add_edges(const ValueRead& read, uint32_t to, const GraphArgument& at) {
    for (const uint32_t maker : read.makers) {
      go_on();
      const uint32_t from = maker == kBeforeStart ? sources_.at(read.base) : node_of_[maker];
      graph_.edges.push_back({from, to, at});
    }
  }

  // From where the call got it.
  void add_edges_into(const CallContents::FromOutside& row) {
    if (reads_of_ != row.call) {
      reads_of_ = row.call;
      by_value_.clear();
      const uint32_t i = graph_.nodes[row.call].instruction;
      for (uint32_t r = first_read_[i]; r < first_read_[i + 1]; ++r)
        by_value_.try_emplace(flow_.reads[r].use.value, r);
    }
    const auto read = by_value_.find(row.at.value);
    if (read != by_value_.end()) add_edges(flow_.reads[read->second], row.reader, row.at);
  }

  const ProgramMethod& method_;
  ValueFlow flow_;
  ConstantNames names_;
  InstructionNodes nodes_;
  ProgramGraph graph_;
  std::vector<uint32_t> first_read_;
  std::vector<uint32_t> node_of_;         // by instruction
  std::map<uint32_t, uint32_t> sources_;  // nodes, by value
  uint32_t calls_ = 0;
  uint32_t reads_of_ = kNone;  // the call whose reads these are:
  std::map<uint32_t, uint32_t> by_value_;
};

}  // namespace

ProgramGraph graph_of_program(const ProgramMethod& method, std::shared_ptr<const Code> code,
                              const Backends& backends, const ReadPayload& payload) {
  return GraphBuilder(method, std::move(code)).build(backends, payload);
}

std::string_view name_of(GraphNodeKind kind) {
  switch (kind) {
    case GraphNodeKind::Input:
      return "input";
    case GraphNodeKind::Constant:
      return "constant";
    case GraphNodeKind::State:
      return "state";
    case GraphNodeKind::Kernel:
      return "kernel";
    case GraphNodeKind::DelegateCall:
      return "delegate_call";
    case GraphNodeKind::ControlFlow:
      return "control_flow";
    case GraphNodeKind::Operator:
      return "operator";
    case GraphNodeKind::Move:
      return "move";
    case GraphNodeKind::Jump:
      return "jump";
    case GraphNodeKind::Free:
      return "free";
    case GraphNodeKind::Output:
      return "output";
    case GraphNodeKind::Unknown:
      break;
  }
  return "unknown";
}

}  // namespace etlens
