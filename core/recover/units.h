// SPDX-License-Identifier: Apache-2.0
// Units: a graph cut into what source does. A unit is one call of torch or one call of a child
// module; a module call holds its units in order, and is one task for the search.
#pragma once

#include <array>
#include <memory_resource>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/formats/etrecord/etrecord.h"
#include "core/recover/layer_traces.h"

namespace etlens::recover {

inline constexpr uint32_t kNoCall = kNone;

// A frame of the project that the record kept.
struct KeptFrame {
  StringId file;
  StringId function;
  uint32_t line = 0;  // 1-based
  friend bool operator==(const KeptFrame&, const KeptFrame&) = default;
};

// Texts are the record's, lists the graph's.
struct SourceCall {
  uint32_t call = kNoCall;            // that it is of
  uint32_t child = kNoCall;           // the module call, if it is one
  std::string_view name;              // of the Python function called, normal; "" if unknown
  std::string_view origin;            // its ATen operator, normal, where that is unknown
  std::span<const NodeId> nodes;      // in graph order
  std::span<const uint32_t> inputs;   // values from outside, in order of use
  std::span<const uint32_t> outputs;  // values that are used outside; all results if none is
  std::span<const uint32_t> results;  // of an operator: values that it does not use up itself
  std::span<const KeptFrame> frames;  // of the project, of its first node that has any
  bool is_layer = false;  // ran inside a layer of torch, and bears the name of the call after it
};

struct ModuleCall {
  StringId key;
  std::string_view path;
  std::string_view type;      // Python module and qualified name
  uint32_t module = kNone;    // the row of the path
  uint32_t parent = kNoCall;  // into Graph view's calls
  uint32_t unit = 0;          // in the parent
  std::span<const SourceCall> units;
};

// A module of the model, or a place above one.
struct ModelModule {
  std::string_view path;
  std::string_view type;  // "" if no call of it is recorded
  bool is_listed = false;
  uint32_t parent = kNone;  // its row; none of what is not listed
  // In the model's order: names below it, and what they are.
  std::span<const std::string_view> children;
  std::span<const uint32_t> child_modules;
  std::span<const std::string_view> held;
  std::span<const uint32_t> held_values;
};

// "weight" of "layers.0.weight".
std::string_view last_part(std::string_view path);

// The numbers of a node's constant argument of that name; none without one.
std::span<const int64_t> numbers_of(const EtRecord& record, const Node& node,
                                    std::string_view argument);

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
  GraphUnits(const GraphUnits&) = delete;
  GraphUnits& operator=(const GraphUnits&) = delete;

  const EtRecord& record() const { return record_; }
  const Graph& graph() const { return record_.graphs[graph_.value]; }
  const std::vector<ModuleCall>& calls() const { return calls_; }
  // Which of a call's units is the last call of the module; kNone without.
  uint32_t last_unit(uint32_t call, std::string_view path) const;

  // Values of the graph are numbered in the order in which they are met.
  uint32_t number_of(StringId value) const { return numbers_[value.value] - 1; }
  // A value and its quantized or dequantized copies are one.
  uint32_t canonical(StringId value) const { return canonical_[number_of(value)]; }
  size_t value_count() const { return canonical_.size(); }
  const TensorSizes& sizes_of(uint32_t value) const;
  // The text that sizes_of reads; "" without.
  StringId shape_text(uint32_t value) const;
  // What the model holds under a dotted path; kNone without.
  uint32_t held(std::string_view path) const;
  bool is_lifted(uint32_t value) const { return (roles_[value] & kLifted) != 0; }
  bool is_held(uint32_t value) const { return (roles_[value] & kHeld) != 0; }
  // Null if nothing is known of the path.
  const ModelModule* find_module(std::string_view path) const;
  const ModelModule& module(uint32_t row) const { return modules_[row]; }
  size_t module_count() const { return modules_.size(); }
  // The path is a module's, or above one's.
  bool has_module(std::string_view path) const;
  // "" if no call of it is recorded.
  std::string_view type_of(std::string_view path) const;
  const std::vector<uint32_t>& user_inputs() const { return user_inputs_; }
  // The input that may be the same tensor as this one, which nothing reads: nodes read a tensor that
  // is given twice under its last name. kNone without one, or with several.
  uint32_t input_read_instead(uint32_t value) const;
  bool is_in_layer(const Node& node) const { return traces_.ends_in_layer(node); }
  const std::vector<NodeId>& quantize_nodes() const { return quantize_nodes_; }
  std::span<const KeptFrame> frames_of(const Node& node) const;
  // The node that makes a value or this copy of it; invalid for inputs.
  NodeId producer(StringId value) const { return producer_of(number_of(value)); }
  NodeId producer_of(uint32_t value) const { return producers_[value]; }

 private:
  // A run of rows of a table that still grows.
  struct Range {
    uint32_t first = 0;
    uint32_t count = 0;
  };
  // The module calls around nodes with one stack of modules.
  struct StackCalls {
    bool is_known = false;
    uint32_t innermost = kNoCall;
    Range units;  // into stack_units_: of those around it
  };

  // What a value is besides: bits of roles_.
  static constexpr uint8_t kHeld = 1;      // by the model
  static constexpr uint8_t kLifted = 2;    // a number or a tensor in the text of the source
  static constexpr uint8_t kReturned = 4;  // by the graph

  // What modules hold, under which names: of one module behind those of another.
  struct Members {
    std::vector<std::string_view> names;
    std::vector<uint32_t> things;
  };
  struct Member {
    uint32_t module;
    uint32_t thing;
    std::string_view name;
  };

  void number_values();
  void read_inputs();
  void find_frozen_numbers();
  void read_values();
  void read_consumers();
  std::string_view operator_of(StringId torch_fn);
  void read_modules();
  void arrange_members(const std::vector<Member>& members, Members& arranged,
                       std::span<const std::string_view> ModelModule::*names,
                       std::span<const uint32_t> ModelModule::*things);
  void read_frames();
  uint32_t module_row(std::string_view path);
  uint32_t call_of(const Module& module, uint32_t parent);
  const StackCalls& calls_around(ModuleStackId stack);
  uint32_t unit_of_group(uint32_t call, StringId group, const Node& node, std::string_view name);
  void add(NodeId id);
  void sort_by_call();
  // Where values of a unit lie in unit_values_: inputs, results and outputs end there.
  struct UnitValues {
    uint32_t begin, inputs, results, outputs;
  };
  void compute_inputs_and_outputs();
  size_t first_unit(uint32_t call) const;
  bool holds_all_of(const SourceCall& child) const;
  void read_value(uint32_t value);
  void read_nodes(SourceCall& unit);
  void read_child(SourceCall& unit, const std::vector<UnitValues>& values);
  void write_value(uint32_t value);
  void write_nodes(const SourceCall& unit);
  void write_child(const SourceCall& unit, const std::vector<UnitValues>& values);
  bool is_tensor(uint32_t value) const {
    return value < shapes_.size() && shapes_[value].valid();  // what has no name is nowhere
  }

  const EtRecord& record_;
  GraphId graph_;
  const std::vector<bool>& is_project_file_;    // by StringId
  std::pmr::monotonic_buffer_resource memory_;  // of the tables below, which only grow
  std::vector<ModuleCall> calls_;               // parents first
  std::vector<SourceCall> units_;               // of one call behind those of another
  std::vector<NodeId> unit_nodes_;
  std::vector<uint32_t> unit_values_;
  std::vector<KeptFrame> kept_frames_;
  std::vector<Range> frames_of_stack_;  // by StackId, into kept_frames_
  LayerTraces traces_;
  std::pmr::unordered_map<uint64_t, uint32_t> last_units_{&memory_};  // by call and module
  // While units are being found:
  std::vector<std::pair<uint32_t, NodeId>> members_;  // nodes of units
  std::pmr::unordered_map<StringId, uint32_t> call_of_key_{&memory_};
  std::pmr::unordered_map<uint64_t, uint32_t> unit_of_child_{&memory_};  // by call and child
  std::vector<StackCalls> stack_calls_;                                  // by ModuleStackId
  std::vector<uint32_t> stack_units_;
  std::vector<uint32_t> unit_of_group_;                                // by StringId: the last one
  std::pmr::unordered_map<uint64_t, uint32_t> older_units_{&memory_};  // by call and group
  std::vector<uint32_t> numbers_;  // of values, by StringId; one more, so that 0 is none (kNone)
  // By the number of a value.
  std::vector<uint32_t> canonical_;
  std::vector<uint8_t> roles_;
  std::vector<StringId> shapes_;  // invalid: no tensor
  std::pmr::unordered_map<StringId, TensorSizes> sizes_{&memory_};
  std::vector<NodeId> producers_;
  std::vector<uint32_t> first_consumer_;  // into consumers_; one more than there are values
  std::vector<NodeId> consumers_;
  std::pmr::unordered_map<std::string_view, std::string_view> operators_{
      &memory_};  // by Python function
  std::pmr::unordered_map<std::string_view, uint32_t> held_{&memory_};
  struct KnownFunction {
    std::string_view function;
    std::string_view name;
  };
  std::array<KnownFunction, 64> last_functions_;  // of operators_: most nodes call one of a few
  std::vector<ModelModule> modules_;
  Members children_;
  Members held_members_;
  std::pmr::unordered_map<std::string_view, uint32_t> module_rows_{&memory_};
  std::vector<uint32_t> user_inputs_;
  std::vector<NodeId> quantize_nodes_;
  std::vector<bool> is_quantize_;  // by NodeId
  // Which unit is being settled: its nodes and what they make carry its number.
  uint32_t settled_ = 0;
  std::vector<uint32_t> settled_node_;
  std::vector<uint32_t> settled_value_;
  std::vector<uint32_t> settled_reader_;
};

}  // namespace etlens::recover
