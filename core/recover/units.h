// SPDX-License-Identifier: Apache-2.0
// Units: a graph cut into what source does. A unit is one call of torch or one call of a child
// module; a module call holds its units in order, and is one problem for the search.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/formats/etrecord/etrecord.h"

namespace etlens::recover {

inline constexpr uint32_t kNoCall = kNone;

// A frame of the project that the record kept.
struct KeptFrame {
  StringId file;
  StringId function;
  uint32_t line = 0;  // 1-based
  friend bool operator==(const KeptFrame&, const KeptFrame&) = default;
};

struct Unit {
  uint32_t child = kNoCall;       // the module call, if it is one
  std::string name;               // of the Python function called, normal; "" if unknown
  std::string origin;             // its ATen operator, normal
  std::vector<NodeId> nodes;      // in graph order
  std::vector<uint32_t> inputs;   // values from outside, in order of use
  std::vector<uint32_t> outputs;  // values that are used outside; all results if none is
  std::vector<uint32_t> results;  // of an operator: values that it does not use up itself
  std::vector<KeptFrame> frames;  // of the project, of its first node that has any
};

struct ModuleCall {
  StringId key;
  std::string path;
  std::string type;           // Python module and qualified name
  uint32_t parent = kNoCall;  // into Graph view's calls
  uint32_t unit = 0;          // in the parent
  std::vector<Unit> units;
  std::unordered_map<std::string, uint32_t> last_unit;  // of a child, by its path
};

// Sizes of a tensor; -1 where they are symbolic.
struct TensorSizes {
  bool is_known = false;
  std::vector<int64_t> sizes;
  std::string_view dtype;
};

class GraphUnits {
 public:
  // `is_project_file`: by the StringId of a recorded file; outlives this.
  GraphUnits(const EtRecord& record, GraphId graph, const std::vector<bool>& is_project_file);

  const EtRecord& record() const { return record_; }
  const Graph& graph() const { return record_.graphs[graph_.value]; }
  const std::vector<ModuleCall>& calls() const { return calls_; }

  // A value and its quantized or dequantized copies are one.
  uint32_t canonical(StringId value) const;
  TensorSizes sizes_of(uint32_t value) const;
  // The text that sizes_of reads; "" without.
  StringId shape_text(uint32_t value) const;
  // What the model holds under a dotted path; kNone without.
  uint32_t held(std::string_view path) const;
  bool is_lifted(uint32_t value) const { return lifted_.contains(value); }
  bool is_held(uint32_t value) const { return held_values_.contains(value); }
  // The path is a module's, or above one's.
  bool has_module(std::string_view path) const;
  // "" if no call of it is recorded.
  std::string_view type_of(std::string_view path) const;
  // Names below a module, in the model's order: of modules, then of what it holds.
  std::vector<std::string_view> children_of(std::string_view path) const;
  std::vector<std::string_view> held_below(std::string_view path) const;
  const std::vector<uint32_t>& user_inputs() const { return user_inputs_; }
  const std::vector<NodeId>& quantize_nodes() const { return quantize_nodes_; }
  std::vector<KeptFrame> frames_of(const Node& node) const;
  // The node that makes a value; invalid for inputs.
  NodeId producer(uint32_t value) const;

 private:
  void read_values();
  void read_consumers();
  void read_modules();
  uint32_t call_of(StringId key, std::string_view path, std::string_view type, uint32_t parent);
  void add(NodeId id);
  void settle(ModuleCall& call);
  bool is_tensor(uint32_t value) const { return shapes_[value].valid(); }

  const EtRecord& record_;
  GraphId graph_;
  const std::vector<bool>& is_project_file_;  // by StringId
  std::vector<ModuleCall> calls_;             // parents first
  std::unordered_map<StringId, uint32_t> call_of_key_;
  std::unordered_map<uint64_t, uint32_t> unit_of_;  // by call and text, or call and child
  // By StringId of a value.
  std::vector<uint32_t> canonical_;
  std::vector<StringId> shapes_;  // invalid: no tensor
  std::vector<NodeId> producers_;
  std::vector<uint32_t> first_consumer_;  // into consumers_; one more than there are values
  std::vector<NodeId> consumers_;
  std::unordered_map<std::string_view, uint32_t> held_;
  std::unordered_set<uint32_t> held_values_;
  std::unordered_set<uint32_t> lifted_;
  std::unordered_set<uint32_t> returned_;
  std::unordered_set<std::string_view> module_paths_;
  std::unordered_map<std::string_view, std::vector<std::string_view>> children_;
  std::unordered_map<std::string_view, std::vector<std::string_view>> held_children_;
  std::unordered_map<std::string, std::string> types_;
  std::vector<uint32_t> user_inputs_;
  std::vector<NodeId> quantize_nodes_;
  // Which unit is being settled: its nodes and what they make carry its number.
  uint32_t settled_ = 0;
  std::vector<uint32_t> unit_of_node_;
  std::vector<uint32_t> unit_of_value_;
  std::vector<uint32_t> reader_of_value_;
};

}  // namespace etlens::recover
