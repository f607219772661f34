// SPDX-License-Identifier: Apache-2.0
// Delegation: for every node of a method's edge program, which delegate call has it, or why it runs
// on the CPU. Of a record alone; the export's program makes it surer where several nodes share a
// debug handle. No dump is needed.
//
// Two kinds of records: one made after lowering has the nodes of a call in the call's own graph,
// and what stands beside the calls is on the CPU. One made before has no calls, and its map lists a
// debug handle once for every node that an instruction runs: a node is where its handle is. Nodes
// of one ATen operator share a handle; if the map lists that for calls and for kernels, the rules
// of the backend say which of its nodes are left out, as many as the map has room for.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/delegation/reason.h"
#include "core/delegation/rules.h"
#include "core/formats/etrecord/etrecord.h"
#include "core/formats/etrecord/node_arguments.h"
#include "core/formats/pte/program.h"

namespace etlens {

enum class Lowering : uint8_t {
  NotLowered,  // the record was written before the program: nothing is delegated yet
  NoDelegate,  // the program calls no delegate
  Delegated,
};

// A lowered subgraph that the program calls.
struct CalledDelegate {
  Instruction instruction = kNoInstruction;
  StringId backend;
  bool has_nodes = true;  // false: of a program alone, and the payload cannot be read
};

struct NodeDelegation {
  NodeId node;
  uint32_t call = kNone;                     // into Delegation::calls; kNone: on the CPU
  DelegationReason reason;                   // of a node on the CPU
  Instruction instruction = kNoInstruction;  // of a program alone

  bool is_delegated() const { return call != kNone; }
};

struct Delegation {
  std::shared_ptr<const EtRecord> record;
  RecordMethod method;
  Lowering lowering = Lowering::NotLowered;
  std::vector<CalledDelegate> calls;  // in instruction order
  StringId backend;                   // that has most nodes; invalid without a call
  std::vector<NodeDelegation> nodes;  // in graph order, those of a call in its place; no getitem

  std::vector<uint32_t> rows;  // per node of the record: into `nodes`; kNone without a row

  size_t delegated() const;
  // Null for nodes that are not of the method's edge program, and for getitem.
  const NodeDelegation* find(NodeId node) const;
};

struct DelegationRequest {
  std::shared_ptr<const EtRecord> record;
  RecordMethod method;
  const NodeArguments& arguments;          // of the method; may be empty
  const ProgramMethod* program = nullptr;  // of the same export; null without one
};

// Needs the method's edge program. Of a program alone that of record_of_program().
Delegation find_delegation(const DelegationRequest& request);

// The node's operator as ExecuTorch counts it: its name without the number behind it.
std::string counted_operator(const EtRecord& record, const Node& node);

}  // namespace etlens
