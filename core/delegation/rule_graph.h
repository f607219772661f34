// SPDX-License-Identifier: Apache-2.0
// What the rules of a backend may ask of a method's edge program: types, constants, who makes and
// who reads a value; and of one of its nodes: operator and arguments.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/formats/etrecord/etrecord.h"
#include "core/formats/etrecord/node_arguments.h"

namespace etlens {

// A size that is not a number: "s0".
inline constexpr int64_t kSymbolicSize = -1;
// One that depends on data: "u0".
inline constexpr int64_t kDataSize = -2;

struct TensorType {
  std::string_view dtype;      // "float32"
  std::vector<int64_t> sizes;  // numbers, kSymbolicSize or kDataSize

  size_t rank() const { return sizes.size(); }
  bool is_float() const { return dtype == "float32" || dtype == "float16"; }
  bool is_dynamic() const;
};

class RuleGraph {
 public:
  // All must outlive the object. `arguments` may be empty: rules that need them decide nothing.
  RuleGraph(const EtRecord& record, GraphId graph, const NodeArguments& arguments);

  const EtRecord& record() const { return *record_; }
  const NodeArguments& arguments() const { return *arguments_; }
  // Null if the value is no tensor, or nothing is known of it.
  const TensorType* type_of(StringId value) const;
  // A parameter, a buffer or another constant of the model.
  bool is_constant(StringId value) const;
  bool is_input(StringId value) const { return inputs_.contains(value); }
  NodeId maker_of(StringId value) const;
  std::span<const NodeId> readers_of(StringId value) const;
  bool is_returned(StringId value) const;

 private:
  const EtRecord* record_;
  const NodeArguments* arguments_;
  std::unordered_map<StringId, TensorType> types_;
  std::unordered_map<StringId, GraphInputKind> inputs_;
  std::unordered_map<StringId, NodeId> makers_;
  std::unordered_map<StringId, std::vector<NodeId>> readers_;
  std::unordered_map<StringId, bool> returned_;
};

class RuleNode {
 public:
  RuleNode(const RuleGraph& graph, NodeId id);

  const RuleGraph& graph() const { return *graph_; }
  NodeId id() const { return id_; }
  const Node& row() const { return *row_; }
  std::string_view target() const { return graph_->record().text(row_->target); }
  // Without its namespace: "mean.dim".
  std::string_view op() const;
  bool is_operator() const { return row_->target_kind != TargetKind::Function; }

  std::span<const StringId> inputs() const { return graph_->record().inputs_of(*row_); }
  std::span<const StringId> outputs() const { return graph_->record().outputs_of(*row_); }
  // Of the i-th tensor that goes in or comes out; null if it is not known.
  const TensorType* input_type(size_t i = 0) const;
  const TensorType* output_type(size_t i = 0) const;

  // False if nothing is known of the arguments: then those below have their defaults.
  bool has_arguments() const { return arguments_ != nullptr; }
  // Null if the argument is not there: it has the default of its schema.
  const NodeArgument* argument(std::string_view name) const;
  bool flag(std::string_view name, bool by_default) const;
  std::optional<int64_t> integer(std::string_view name) const;
  std::vector<int64_t> integers(std::string_view name) const;
  std::span<const NodeArgument> arguments() const {
    return arguments_ == nullptr ? std::span<const NodeArgument>() : std::span(*arguments_);
  }

 private:
  const RuleGraph* graph_;
  NodeId id_;
  const Node* row_;
  const std::vector<NodeArgument>* arguments_ = nullptr;
};

// "mean.dim" of "aten.mean.dim", "quantize_per_tensor.default" of "quantized_decomposed.…".
std::string_view without_namespace(std::string_view target);
// Quantize, dequantize and what chooses their parameters.
bool is_quantize_node(std::string_view op);
// The one that makes real numbers of stored ones.
bool is_dequantize_node(std::string_view op);

}  // namespace etlens
