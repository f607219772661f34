// SPDX-License-Identifier: Apache-2.0
// One method of a record with everything that placing needs: its map, its nodes, their lines and
// modules.
#pragma once

#include <span>
#include <string_view>
#include <unordered_map>

#include "core/code/method_nodes.h"
#include "core/code/operator_name.h"
#include "core/code/project_frames.h"
#include "core/formats/etrecord/etrecord.h"

namespace etlens {

// Computed once; record and frames must outlive the object.
class MethodContext {
 public:
  MethodContext(const EtRecord& record, const RecordMethod& method, const ProjectFrames& frames);

  const EtRecord& record() const { return *record_; }
  const MethodMap& map() const { return *map_; }
  const MethodNodes& nodes() const { return nodes_; }
  const ProjectFrames& frames() const { return *frames_; }
  // Invalid if the record holds no graph of the method.
  GraphId edge_graph() const { return edge_; }

  // The node's line. A node without a usable stack trace borrows the line of the other nodes of its
  // handle if they all agree.
  FrameId line_of(NodeId node) const;
  bool same_line(FrameId a, FrameId b) const;
  // The node's module stack; a node of a control-flow branch has that of the branching node.
  ModuleStackId modules_of(NodeId node) const;
  std::string_view operator_of(NodeId node) const;  // base name
  // The node's stack of frames, or the one that it borrows; invalid if there is none.
  StackId stack_of(NodeId node) const;

 private:
  const EtRecord* record_;
  const ProjectFrames* frames_;
  GraphId edge_;
  const MethodMap* map_;
  MethodNodes nodes_;
  std::unordered_map<DebugHandle, StackId> agreed_;  // the stack to borrow, per handle
  // Base names by target: many nodes have one of a few, and are asked about often.
  std::unordered_map<StringId, std::string_view> operators_;
};

}  // namespace etlens
