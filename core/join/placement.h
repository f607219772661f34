// SPDX-License-Identifier: Apache-2.0
// Where an event's time goes: from debug handles to the node that dominates them and to its line.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/formats/etrecord/etrecord.h"
#include "core/code/method_nodes.h"
#include "core/code/operator_name.h"
#include "core/code/project_frames.h"

namespace etlens {

// How sure a link from time to source is; the weakest word counts for a sum.
enum class Confidence : uint8_t {
  Exact,      // the artifacts say so (debug handle map, delegate map)
  Aligned,    // ordered alignment with one possible placement
  Inferred,   // more than one possible placement, or rules that cannot be certain
  Partition,  // known only for a whole delegate call
};
std::string_view name_of(Confidence confidence);

struct EventPlacement {
  NodeId node;    // the dominating one; invalid if nothing is known
  FrameId frame;  // the line that carries the time; invalid if the node has no usable stack trace
  Confidence confidence = Confidence::Exact;
  uint32_t candidates = 1;    // possible lines, if Inferred
  std::vector<NodeId> fused;  // further nodes whose work this event did
  bool is_layout = false;  // moves or converts data for `node`, which the exporter or library added
};

// One method of a record with everything that placing needs, computed once.
class MethodContext {
 public:
  MethodContext(const EtRecord& record, const RecordMethod& method, const ProjectFrames& frames);

  const EtRecord& record() const { return *record_; }
  const MethodMap& map() const { return *map_; }
  const MethodNodes& nodes() const { return nodes_; }
  const ProjectFrames& frames() const { return *frames_; }
  StringId method() const { return method_; }
  GraphId edge_graph() const {
    return edge_;
  }  // invalid if the record holds no graph of the method

  // The node's line. A node without a usable stack trace borrows the line of the other nodes of its
  // handle if they all agree.
  FrameId line_of(NodeId node) const;
  // The frames that inclusive time goes to, following the same rule.
  std::span<const FrameId> lines_of(NodeId node) const;
  bool same_line(FrameId a, FrameId b) const;
  // The node's module stack; a node of a control-flow branch has that of the branching node.
  ModuleStackId modules_of(NodeId node) const;
  std::string_view operator_of(NodeId node) const;  // base name

 private:
  StackId stack_of(NodeId node) const;

  const EtRecord* record_;
  const ProjectFrames* frames_;
  StringId method_;
  GraphId edge_;
  const MethodMap* map_;
  MethodNodes nodes_;
  std::unordered_map<DebugHandle, StackId> agreed_;  // the stack to borrow, per handle
};

// An instruction as the runtime ran it: what its kernel was called, "" if no kernel reported.
struct ExecutedInstruction {
  int32_t instruction = 0;
  std::string_view kernel;  // event name, e.g. native_call_addmm.out
};

// Places operator events. From release 1.0 on one handle is shared by all nodes that one ATen
// operator was decomposed into and by several instructions, so of a handle's nodes those count
// whose operator is the kernel's; what no instruction ran counts as fused into the handle's main
// one.
class OperatorPlacer {
 public:
  // `executed`: every operator instruction of the block, distinct, ascending.
  OperatorPlacer(const MethodContext& context, const std::vector<ExecutedInstruction>& executed);

  // An instruction that the record's map lacks gives a placement without a node.
  EventPlacement place(int32_t instruction, std::string_view kernel) const;
  // True if operator instructions ran the node: as many of them as nodes of its kind.
  bool ran(NodeId node) const;

 private:
  struct Share {  // of one handle and one base operator
    std::vector<NodeId> nodes;
    std::vector<int32_t> instructions;
  };
  struct HandleRows {
    std::unordered_map<std::string_view, Share> by_operator;
    std::vector<NodeId> left_over;  // nodes that no instruction's kernel matches
    int32_t main_instruction = -1;  // takes the left-over ones
    OperatorRank main_rank = OperatorRank::Quantize;
  };

  void collect(const std::vector<ExecutedInstruction>& executed);
  void choose_main(const ExecutedInstruction& row, HandleRows& rows);
  std::vector<NodeId> matching(const HandleRows& rows, int32_t instruction,
                               std::string_view base) const;

  const MethodContext* context_;
  std::unordered_map<DebugHandle, HandleRows> handles_;
};

// The placement of an event that ran all of `nodes`: on the line of the dominating one (by
// rank_of_operator, ties by graph order). With `is_certain` false and nodes on several lines it is
// Inferred.
EventPlacement place_on_dominating(const MethodContext& context, std::span<const NodeId> nodes,
                                   bool is_certain);

}  // namespace etlens
