// SPDX-License-Identifier: Apache-2.0
// What units read and write. The unit of a child is made up of the units of its call, so that each
// node is looked at once, however deep in modules it lies.
#include "core/base/budget.h"
#include "core/recover/units.h"

namespace etlens::recover {

// Inner calls come before those around them.
void GraphUnits::compute_inputs_and_outputs() {
  std::vector<UnitValues> values(units_.size());
  const auto size = [&] { return static_cast<uint32_t>(unit_values_.size()); };
  unit_values_.reserve(units_.size() * 4);
  for (auto c = static_cast<uint32_t>(calls_.size()); c-- > 0;) {
    const size_t first = first_unit(c);
    for (size_t u = first; u < first + calls_[c].units.size(); ++u) {
      SourceCall& unit = units_[u];
      ++settled_;
      for (const NodeId id : unit.nodes) settled_node_[id.value] = settled_;
      values[u].begin = size();
      const bool is_whole = unit.child != kNoCall && unit.child > c && holds_all_of(unit);
      is_whole ? read_child(unit, values) : read_nodes(unit);
      values[u].inputs = size();
      is_whole ? write_child(unit, values) : write_nodes(unit);
      values[u].results = size();
      for (uint32_t i = values[u].inputs; i < values[u].results; ++i) {
        const uint32_t value = unit_values_[i];
        if (settled_reader_[value] == settled_) unit_values_.push_back(value);  // used outside
      }
      values[u].outputs = size();
    }
  }
  const std::span<const uint32_t> all(unit_values_);
  for (size_t u = 0; u < units_.size(); ++u) {
    SourceCall& unit = units_[u];
    const auto& [begin, inputs, results, outputs] = values[u];
    unit.inputs = all.subspan(begin, inputs - begin);
    unit.results = all.subspan(inputs, results - inputs);
    unit.outputs = all.subspan(results, outputs - results);
    if (unit.outputs.empty()) unit.outputs = unit.results;
  }
}

size_t GraphUnits::first_unit(uint32_t call) const {
  return static_cast<size_t>(calls_[call].units.data() - units_.data());
}

// A call that stands in two places has a unit in each, with some of its nodes.
bool GraphUnits::holds_all_of(const SourceCall& child) const {
  size_t left = child.nodes.size();
  for (const SourceCall& inner : calls_[child.child].units) {
    if (inner.nodes.size() > left) return false;
    left -= inner.nodes.size();
  }
  return left == 0;
}

void GraphUnits::read_value(uint32_t value) {
  if (settled_value_[value] == settled_ || settled_reader_[value] == settled_ || !is_tensor(value))
    return;
  settled_reader_[value] = settled_;
  unit_values_.push_back(value);
}

void GraphUnits::read_nodes(SourceCall& unit) {
  for (const NodeId id : unit.nodes) {
    go_on();
    const Node& node = record_.nodes[id.value];
    for (const StringId input : record_.inputs_of(node)) read_value(canonical(input));
    for (const StringId output : record_.outputs_of(node))
      settled_value_[number_of(output)] = settled_;
    if (unit.frames.empty()) unit.frames = frames_of(node);
  }
}

void GraphUnits::read_child(SourceCall& unit, const std::vector<UnitValues>& values) {
  const size_t first = first_unit(unit.child);
  const size_t end = first + calls_[unit.child].units.size();
  for (size_t u = first; u < end; ++u) {
    go_on();
    for (uint32_t i = values[u].inputs; i < values[u].results; ++i)
      settled_value_[unit_values_[i]] = settled_;
  }
  for (size_t u = first; u < end; ++u) {
    for (uint32_t i = values[u].begin; i < values[u].inputs; ++i) read_value(unit_values_[i]);
  }
  for (size_t n = 0; n < unit.nodes.size() && unit.frames.empty(); ++n)
    unit.frames = frames_of(record_.nodes[unit.nodes[n].value]);
}

// A result, if the unit does not use it up; one that is used outside is marked as the unit's.
void GraphUnits::write_value(uint32_t value) {
  bool is_used = (roles_[value] & kReturned) != 0;
  bool is_used_up = false;
  const uint32_t end = first_consumer_[value + 1];
  go_on(end - first_consumer_[value]);
  for (uint32_t c = first_consumer_[value]; c < end; ++c)
    (settled_node_[consumers_[c].value] == settled_ ? is_used_up : is_used) = true;
  if (!is_used_up || is_used) unit_values_.push_back(value);
  settled_reader_[value] = is_used ? settled_ : 0;
}

void GraphUnits::write_nodes(const SourceCall& unit) {
  for (const NodeId id : unit.nodes) {
    for (const StringId output : record_.outputs_of(record_.nodes[id.value])) {
      const uint32_t value = number_of(output);
      if (canonical_[value] == value && is_tensor(value)) write_value(value);
    }
  }
}

void GraphUnits::write_child(const SourceCall& unit, const std::vector<UnitValues>& values) {
  const size_t first = first_unit(unit.child);
  for (size_t u = first; u < first + calls_[unit.child].units.size(); ++u) {
    for (uint32_t i = values[u].inputs; i < values[u].results; ++i) write_value(unit_values_[i]);
  }
}

}  // namespace etlens::recover
