// SPDX-License-Identifier: Apache-2.0
// Whose a program's constants are, and what the model calls them. A .pte names no parameter; a
// record names the placeholders that a node reads (`p_layers_0_q_weight`), and its modules tell
// where the name has dots (`layers.0.q.weight`).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/backend/backend.h"
#include "core/join/program_code.h"

namespace etlens {

struct ConstantOwner {
  Landing landing;   // of the work that reads it
  std::string name;  // "" if nothing tells
  ModuleId module;   // that the name says; else the landing's
};

class ConstantNames {
 public:
  // `code` is that of the method; both must outlive the object.
  ConstantNames(const Code& code, const ProgramMethod& program);

  // Of a tensor that the kernel `instruction` reads.
  ConstantOwner of_kernel(uint32_t instruction, uint32_t tensor) const;
  // Of the delegate call `instruction` as a whole.
  ConstantOwner of_call(uint32_t instruction) const;
  // Of the constants of its payload, one for each.
  std::vector<ConstantOwner> of_payload(uint32_t instruction,
                                        std::span<const PayloadConstant> constants) const;

 private:
  std::vector<std::string_view> placeholders_of(NodeId node, bool is_in_call) const;
  std::string_view placeholder_behind(GraphId graph, StringId value, bool is_in_call) const;
  std::span<const NodeId> nodes_of_call(uint32_t instruction) const;
  NodeId node_in_call(uint32_t instruction, DebugHandle handle) const;
  std::vector<ReturnedNode> nodes_of_operators(uint32_t instruction,
                                               std::span<const PayloadConstant> constants) const;
  std::vector<uint32_t> parameters_of(uint32_t instruction) const;
  void name(std::string_view placeholder, ConstantOwner& owner) const;

  const Code& code_;
  const ProgramMethod& program_;
  InstructionNodes nodes_;
  std::unordered_map<uint64_t, NodeId> makers_;  // of values, by graph and name
  uint32_t first_input_ = 0;                     // values before it are parameters and state
  // Of the kernel that was asked for last: a kernel may read many.
  mutable uint32_t kernel_ = kNone;
  mutable std::unordered_map<uint32_t, std::string_view> names_of_kernel_;
};

}  // namespace etlens
