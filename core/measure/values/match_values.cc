// SPDX-License-Identifier: Apache-2.0
// Which value of another dump is the counterpart of a value.
#include <algorithm>
#include <map>
#include <unordered_map>

#include "core/code/operator_name.h"
#include "core/measure/values/value_reference.h"

namespace etlens {
namespace {

// Executions of both dumps ran the same instructions with the same kernels.
bool is_same_program(const Join& a, const Join& b) {
  const EventSequence& one = a.log->sequence(a.selected().sequences.front());
  const EventSequence& other = b.log->sequence(b.selected().sequences.front());
  return std::ranges::equal(one.events, other.events, [&](const EventKey& x, const EventKey& y) {
    return x.kind == y.kind && x.chain == y.chain && x.instruction == y.instruction &&
           x.delegate_id_int == y.delegate_id_int && a.log->text(x.name) == b.log->text(y.name) &&
           a.log->text(x.delegate_id_str) == b.log->text(y.delegate_id_str);
  });
}

// Both records have the same graph of the method: nodes with equal names do equal work.
bool is_same_graph(const ValueSide& a, const ValueSide& b) {
  return std::ranges::equal(a.graph.all(), b.graph.all(), [&](NodeId x, NodeId y) {
    const Node& one = a.join.record->nodes[x.value];
    const Node& other = b.join.record->nodes[y.value];
    return a.join.record->text(one.name) == b.join.record->text(other.name) &&
           a.join.record->text(one.target) == b.join.record->text(other.target) &&
           a.join.record->text(one.stack_trace) == b.join.record->text(other.stack_trace);
  });
}

// Names for nodes that outlive an export: the module, the line, the operator, and how many of the
// same stand before it.
std::unordered_map<NodeId, std::string> names_of(const ValueSide& side) {
  const Code& code = side.join.code();
  std::unordered_map<NodeId, std::string> names;
  std::map<std::string, uint32_t> seen;
  for (const NodeId node : side.graph.all()) {
    const Place* place = code.place_of(node);
    if (place == nullptr) continue;
    std::string name;
    if (place->module.valid()) name += code.modules[place->module.value].path;
    name += '\n';
    if (place->line.valid()) {
      const LineKey key = code.key_of(place->line);
      for (const std::string_view part : {key.file, key.function, key.text}) (name += part) += '\n';
      name += std::to_string(key.before) + '\n';
    }
    name +=
        base_operator_of_target(side.join.record->text(side.join.record->nodes[node.value].target));
    names[node] = name + '\n' + std::to_string(seen[name]++);
  }
  return names;
}

std::unordered_map<NodeId, std::string> node_names(const ValueSide& side) {
  std::unordered_map<NodeId, std::string> names;
  for (const NodeId node : side.graph.all())
    names[node] = side.join.record->text(side.join.record->nodes[node.value].name);
  return names;
}

// What a value is compared by.
struct ValueKey {
  uint32_t execution = 0;
  bool is_returned = false;
  std::string maker;  // "" for what is only known by its place among what was returned
  uint32_t output = 0;
  uint32_t occurrence = 0;  // in loops
  friend auto operator<=>(const ValueKey&, const ValueKey&) = default;
};

class Keys {
 public:
  Keys(const ValueSide& side, bool by_instruction, bool by_name) : side_(side) {
    by_instruction_ = by_instruction;
    if (!by_instruction && side.join.record) names_ = by_name ? node_names(side) : names_of(side);
  }

  // One per value; nullopt for those without a counterpart.
  std::vector<std::optional<ValueKey>> run() {
    std::vector<std::optional<ValueKey>> keys;
    std::map<ValueKey, uint32_t> seen;
    for (const LoggedValue& value : side_.values) {
      std::optional<ValueKey> key = key_of(value);
      if (key) key->occurrence = seen[*key]++;
      keys.push_back(std::move(key));
    }
    return keys;
  }

 private:
  std::optional<ValueKey> key_of(const LoggedValue& value) const {
    ValueKey key;
    key.execution = value.execution;
    key.output = value.output;
    if (value.role == ValueRole::Program) {
      key.is_returned = true;
      return key;
    }
    if (by_instruction_) {
      key.maker = value.instruction ? std::to_string(value.instruction->value) : "";
      if (value.event.valid()) key.maker += '\n' + side_.join.logged_name(value.event);
      return key;
    }
    if (value.role == ValueRole::Input) return std::nullopt;
    const auto name = names_.find(value.made_by.node);
    if (name == names_.end()) return std::nullopt;
    key.maker = name->second;
    key.output = value.made_by.output;
    return key;
  }

  const ValueSide& side_;
  bool by_instruction_ = false;
  std::unordered_map<NodeId, std::string> names_;
};

}  // namespace

Counterparts match_values(const ValueSide& side, const ValueSide& reference) {
  const bool same_program = is_same_program(side.join, reference.join);
  const bool both_recorded = side.join.record && reference.join.record;
  const bool same_graph = !same_program && both_recorded && is_same_graph(side, reference);
  const std::vector<std::optional<ValueKey>> others =
      Keys(reference, same_program, same_graph).run();
  std::map<ValueKey, size_t> by_key;
  uint32_t executions = 0;
  for (size_t v = 0; v < others.size(); ++v) {
    executions = std::max(executions, reference.values[v].execution + 1);
    if (others[v]) by_key.emplace(*others[v], v);
  }
  Counterparts result;
  result.of_value.resize(side.values.size());
  std::vector<std::optional<ValueKey>> keys = Keys(side, same_program, same_graph).run();
  for (size_t v = 0; v < keys.size(); ++v) {
    if (!keys[v] || executions == 0) continue;
    // Of fewer executions the last stands for the rest.
    keys[v]->execution = std::min(keys[v]->execution, executions - 1);
    const auto at = by_key.find(*keys[v]);
    if (at != by_key.end()) result.of_value[v] = reference.values[at->second].tensor;
  }
  return result;
}

}  // namespace etlens
