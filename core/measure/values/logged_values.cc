// SPDX-License-Identifier: Apache-2.0
#include "core/measure/values/logged_values.h"

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>

#include "core/base/budget.h"
#include "core/measure/values/value_gap.h"

namespace etlens {
namespace {

// Whose values are told apart: instructions, and inside them what a delegate logged itself.
struct LoggerKey {
  int32_t chain;
  Instruction instruction;
  int32_t delegate_id_int;
  StringId delegate_id_str;
  friend auto operator<=>(const LoggerKey&, const LoggerKey&) = default;
};

LoggerKey logger_of(const EventKey& key) {
  return {key.chain, key.instruction, key.delegate_id_int, key.delegate_id_str};
}

// Per position of a sequence: for a Debug event the position of the event that logged it. Values
// are logged inside the event, so it is the next one to finish; kNone if there is none.
std::vector<uint32_t> find_loggers(const EventSequence& sequence) {
  std::vector<uint32_t> loggers(sequence.events.size(), kNone);
  std::map<LoggerKey, uint32_t> next;
  for (size_t i = sequence.events.size(); i-- > 0;) {
    const EventKey& key = sequence.events[i];
    if (key.kind == EventKind::Profile) next[logger_of(key)] = static_cast<uint32_t>(i);
    if (key.kind != EventKind::Debug || !key.in_instruction()) continue;
    const auto at = next.find(logger_of(key));
    if (at != next.end()) loggers[i] = at->second;
  }
  // A delegate may report an event's time before its value; else the value is the call's.
  std::map<LoggerKey, uint32_t> last;
  for (size_t i = 0; i < sequence.events.size(); ++i) {
    const EventKey& key = sequence.events[i];
    if (key.kind == EventKind::Profile) last[logger_of(key)] = static_cast<uint32_t>(i);
    if (key.kind != EventKind::Debug || !key.has_delegate_id() || loggers[i] != kNone) continue;
    const auto at = last.find(logger_of(key));
    if (at != last.end()) loggers[i] = at->second;
  }
  return loggers;
}

// The sizes in a record's "[1, 64] float32"; nullopt where one is not a number: "[1, s0] float32".
std::optional<std::string_view> fixed_shape(std::string_view recorded) {
  const size_t end = recorded.find(']');
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view shape = recorded.substr(0, end + 1);
  const bool is_fixed = std::all_of(shape.begin(), shape.end(), [](char c) {
    return (c >= '0' && c <= '9') || std::string_view("[], ").find(c) != std::string_view::npos;
  });
  return is_fixed ? std::optional(shape) : std::nullopt;
}

class ValueCollector {
 public:
  explicit ValueCollector(const LoggedValuesRequest& request)
      : request_(request), join_(request.join), log_(*request.join.log) {}

  std::vector<LoggedValue> run() {
    const Block& block = join_.selected();
    for (size_t s = 0; s < block.sequences.size(); ++s)
      index_of_sequence_.emplace(block.sequences[s], s);
    for (size_t e = 0; e < block.runs.size(); ++e) {
      execution_ = static_cast<uint32_t>(e);
      add_run(log_.run(block.runs[e]));
    }
    return std::move(values_);
  }

 private:
  void add_run(const Run& run) {
    const EventSequence& sequence = log_.sequence(run.sequence);
    if (sequence.debug_events == 0) return;
    const auto [at, is_new] = loggers_.try_emplace(run.sequence);
    if (is_new) at->second = find_loggers(sequence);
    const std::vector<uint32_t>& loggers = at->second;
    const std::vector<ContributionId>& events = events_of(run.sequence);

    std::map<uint32_t, std::vector<size_t>> by_logger;  // rows of values_, in order
    std::map<LoggerKey, std::vector<size_t>> by_id;     // the same, of delegates without an event
    std::vector<size_t> returned;
    uint64_t ordinal = run.first_debug_value;
    for (size_t i = 0; i < sequence.events.size(); ++i) {
      if (sequence.events[i].kind != EventKind::Debug) continue;
      const DebugValue& value = log_.debug_values[ordinal++];
      const size_t first = values_.size();
      add_value(value);
      const uint32_t logger = loggers[i];
      for (size_t v = first; v < values_.size(); ++v) {
        LoggedValue& row = values_[v];
        if (value.is_output) row.role = ValueRole::Program;
        if (sequence.events[i].in_instruction()) row.instruction = sequence.events[i].instruction;
        if (logger != kNone) row.event = events[logger];
        const EventKey& key = sequence.events[i];
        const bool is_delegates = logger == kNone && key.has_delegate_id() && !value.is_output;
        if (is_delegates) row.delegate_id = delegate_id_of(log_, key);
        std::vector<size_t>& others = value.is_output ? returned
                                      : is_delegates  ? by_id[logger_of(key)]
                                                      : by_logger[logger];
        row.output = static_cast<uint32_t>(others.size());
        others.push_back(v);
      }
    }
    for (const auto& [logger, rows] : by_logger) {
      if (logger == kNone) continue;
      if (join_.event(events[logger]).role == EventRole::DelegateCall) place_call(rows);
      else place_outputs(events[logger], rows);
    }
    for (const auto& [logger, rows] : by_id) place_logged_by_id(logger.instruction, rows);
    place_returned(returned);
  }

  const std::vector<ContributionId>& events_of(SequenceId sequence) const {
    return join_.event_of_position[index_of_sequence_.at(sequence)];
  }

  void add_value(const DebugValue& value) {
    switch (value.kind) {
      case DebugValueKind::Int:
        return add_number(number_tensor(value.int_value));
      case DebugValueKind::Bool:
        return add_number(number_tensor(value.int_value != 0));
      case DebugValueKind::Float:
      case DebugValueKind::Double:
        return add_number(number_tensor(value.double_value));
      case DebugValueKind::Null:
        return;
      case DebugValueKind::Tensor:
      case DebugValueKind::TensorList:
        break;
    }
    for (const TensorInfo& info : value.tensors) {
      LoggedValue& row = values_.emplace_back();
      row.execution = execution_;
      row.scalar_type = info.scalar_type;
      row.sizes = info.sizes;
      if (request_.buffer == nullptr) continue;
      Result<StoredTensor> tensor = request_.buffer->tensor(info);
      if (tensor) row.tensor = std::move(*tensor);
      else row.problem = std::move(tensor).error().message;
    }
  }

  void add_number(StoredTensor tensor) {
    LoggedValue& row = values_.emplace_back();
    row.execution = execution_;
    row.scalar_type = tensor.scalar_type;
    row.is_number = true;
    row.tensor = std::move(tensor);
  }

  void place(LoggedValue& row, const NodeOutput& made_by, Confidence confidence) const {
    row.made_by = made_by;
    row.confidence = confidence;
    if (const Place* place = join_.code().place_of(made_by.node)) row.line = place->line;
  }

  // A kernel's outputs are its node's, in order.
  void place_outputs(ContributionId event, const std::vector<size_t>& rows) {
    const Landing& landing = (*join_.landings)[event];
    if (!landing.node.valid()) return;
    for (const size_t v : rows)
      place(values_[v], {landing.node, values_[v].output}, landing.confidence);
  }

  // A delegate logged them itself, with an id that its map has, or that names a node.
  void place_logged_by_id(Instruction instruction, const std::vector<size_t>& rows) {
    if (!join_.record || !join_.code().method || !values_[rows.front()].instruction) return;
    const EtRecord& record = *join_.record;
    const MethodMap* map = record.map_of(join_.code().method->name);
    const DelegateEntry* entry = map == nullptr ? nullptr : map->find_delegate(instruction);
    if (entry == nullptr) return;
    const std::string& id = values_[rows.front()].delegate_id;
    const BackendEvent meaning = join_.backends->describe(record.text(entry->backend), id, false);
    const auto ids = std::find_if(entry->ids.begin(), entry->ids.end(), [&](const auto& row) {
      go_on();
      return record.text(row.id) == id || record.text(row.id) == meaning.key;
    });
    if (ids == entry->ids.end()) {
      const NodeId node = node_named(instruction, meaning.node_name);
      for (const size_t v : rows) {
        if (node.valid()) place(values_[v], {node, values_[v].output}, Confidence::Aligned);
      }
      return;
    }
    const std::span<const DebugHandle> handles = map->handles_of(*ids);
    NodeId node;  // the last of the handles' nodes makes their value; a name in the id tells more
    for (const DebugHandle handle : handles) {
      for (const NodeId one : request_.graph.nodes_of(handle)) {
        go_on();
        if (!node.valid() || is_named(id, one) || (!is_named(id, node) && one > node)) node = one;
      }
    }
    for (const size_t v : rows) {
      values_[v].handles.assign(handles.begin(), handles.end());
      if (node.valid()) place(values_[v], {node, values_[v].output}, Confidence::Exact);
    }
  }

  // "aten_mul_tensor__debugID_7_0" begins with the node's name.
  bool is_named(std::string_view id, NodeId node) const {
    const std::string_view name = join_.record->text(join_.record->nodes[node.value].name);
    const bool begins = !name.empty() && id.starts_with(name);
    return begins && (id.size() == name.size() || id.substr(name.size()).starts_with("__") ||
                      id[name.size()] == ':');
  }

  // The node of the call with that name; invalid if there is none.
  NodeId node_named(Instruction instruction, std::string_view name) const {
    const PartitionId partition = join_.code().find_partition(instruction);
    if (name.empty() || !partition.valid()) return {};
    for (const NodeId node : join_.code().partitions[partition.value].nodes) {
      go_on();
      if (join_.record->text(join_.record->nodes[node.value].name) == name) return node;
    }
    return {};
  }

  // A delegate call logs its inputs, then its outputs.
  void place_call(const std::vector<size_t>& rows) {
    const Instruction instruction = *values_[rows.front()].instruction;
    const PartitionId partition = join_.code().find_partition(instruction);
    std::vector<NodeOutput> results;
    if (partition.valid())
      results = request_.graph.results_of(join_.code().partitions[partition.value]);
    const auto counted = request_.output_counts.find(instruction);
    size_t count = counted != request_.output_counts.end() ? counted->second : results.size();
    if (count == 0 || count > rows.size()) count = 1;
    for (size_t i = 0; i + count < rows.size(); ++i) values_[rows[i]].role = ValueRole::Input;
    match_results({rows.end() - static_cast<ptrdiff_t>(count), rows.end()}, results);
  }

  // As many of the same shapes: in order. Otherwise only a shape that no other has tells.
  void match_results(const std::vector<size_t>& rows, const std::vector<NodeOutput>& results) {
    bool in_order = rows.size() == results.size();
    for (size_t i = 0; in_order && i < rows.size(); ++i) in_order = fits(rows[i], results[i]);
    std::map<std::vector<int64_t>, size_t> alike;  // rows, by their sizes
    for (const size_t v : rows) ++alike[values_[v].sizes];
    const ResultShapes shapes = shapes_of(results);
    for (size_t i = 0; i < rows.size(); ++i) {
      go_on();
      const NodeOutput* only = alike[values_[rows[i]].sizes] == 1
                                   ? only_result(shapes, values_[rows[i]].sizes)
                                   : nullptr;
      if (in_order)
        place(values_[rows[i]], results[i],
              only != nullptr ? Confidence::Aligned : Confidence::Inferred);
      else if (only != nullptr) place(values_[rows[i]], *only, Confidence::Inferred);
    }
  }

  // Results by the text of their shape.
  struct ResultShapes {
    struct Row {
      const NodeOutput* first = nullptr;
      size_t count = 0;
      void add(const NodeOutput& result) {
        if (count++ == 0) first = &result;
      }
    };
    std::unordered_map<std::string_view, Row> fixed;
    Row any;  // may have any shape
  };

  ResultShapes shapes_of(const std::vector<NodeOutput>& results) const {
    ResultShapes shapes;
    for (const NodeOutput& result : results) {
      go_on();
      if (!result.node.valid()) continue;
      const std::optional<std::string_view> shape = fixed_shape(recorded_shape(result));
      (shape ? shapes.fixed[*shape] : shapes.any).add(result);
    }
    return shapes;
  }

  // The one that values of these sizes may be; null if there are several, or none.
  static const NodeOutput* only_result(const ResultShapes& shapes, std::span<const int64_t> sizes) {
    const auto at = shapes.fixed.find(shape_text(sizes));
    const ResultShapes::Row fixed = at == shapes.fixed.end() ? ResultShapes::Row() : at->second;
    if (fixed.count + shapes.any.count != 1) return nullptr;
    return fixed.count == 1 ? fixed.first : shapes.any.first;
  }

  // "" where the record does not say.
  std::string_view recorded_shape(const NodeOutput& result) const {
    const Node& node = join_.record->nodes[result.node.value];
    if (result.output > 0 || !node.shape.valid()) return {};
    return join_.record->text(node.shape);
  }

  bool fits(size_t v, const NodeOutput& result) const {
    if (!result.node.valid()) return false;
    const std::optional<std::string_view> shape = fixed_shape(recorded_shape(result));
    return !shape || *shape == shape_text(values_[v].sizes);
  }

  // Buffers that the method changed stand before what it returns.
  void place_returned(const std::vector<size_t>& rows) {
    std::vector<NodeOutput> results = request_.graph.results();
    if (results.size() < rows.size()) return;
    results.erase(results.begin(), results.end() - static_cast<ptrdiff_t>(rows.size()));
    for (size_t i = 0; i < rows.size(); ++i) {
      if (results[i].node.valid()) place(values_[rows[i]], results[i], Confidence::Exact);
    }
  }

  const LoggedValuesRequest& request_;
  const Join& join_;
  const EventLog& log_;
  std::unordered_map<SequenceId, size_t> index_of_sequence_;  // of the block
  std::map<SequenceId, std::vector<uint32_t>> loggers_;
  uint32_t execution_ = 0;
  std::vector<LoggedValue> values_;
};

}  // namespace

std::string_view name_of(ValueRole role) {
  switch (role) {
    case ValueRole::Output:
      return "output";
    case ValueRole::Input:
      return "input";
    case ValueRole::Program:
      return "program";
  }
  return "";
}

std::vector<LoggedValue> logged_values(const LoggedValuesRequest& request) {
  return ValueCollector(request).run();
}

std::vector<DebugHandle> handles_of(const Join& join, const LoggedValue& value) {
  if (value.event.valid()) return join.handles_of(value.event);
  if (!value.handles.empty()) return value.handles;
  if (!join.record || !join.code().method || !value.instruction) return {};
  const MethodMap* map = join.record->map_of(join.code().method->name);
  const InstructionHandles* entry = map == nullptr ? nullptr : map->find(*value.instruction);
  if (entry == nullptr) return {};
  const std::span<const DebugHandle> handles = map->handles_of(*entry);
  return {handles.begin(), handles.end()};
}

}  // namespace etlens
