// SPDX-License-Identifier: Apache-2.0
#include "core/code/method_context.h"

#include "core/base/budget.h"

namespace etlens {
namespace {

const MethodMap kNoMap{};

}  // namespace

MethodContext::MethodContext(const EtRecord& record, const RecordMethod& method,
                             const ProjectFrames& frames)
    : record_(&record),
      frames_(&frames),
      edge_(method.edge),
      map_(record.map_of(method.name)),
      nodes_(record, method) {
  if (map_ == nullptr) map_ = &kNoMap;
  for (const NodeId node : nodes_.all()) {
    go_on();
    const auto [at, is_new] = operators_.try_emplace(record.nodes[node.value].target);
    if (is_new) at->second = base_operator_of_target(record.text(at->first));
  }
  for (const DebugHandle handle : nodes_.handles()) {
    StackId agreed;
    bool do_agree = true;
    bool is_wanted = false;  // by a node that has none
    for (const NodeId id : nodes_.nodes_of(handle)) {
      const StackId stack = record.nodes[id.value].stack;
      const FrameId frame = frames.self_of(stack);
      is_wanted |= !frame.valid();
      if (!frame.valid()) continue;
      if (!agreed.valid()) agreed = stack;
      do_agree &= same_line(frames.self_of(agreed), frame);
    }
    if (is_wanted && do_agree && agreed.valid()) agreed_.emplace(handle, agreed);
  }
}

StackId MethodContext::stack_of(NodeId node) const {
  const Node& row = record_->nodes[node.value];
  if (frames_->self_of(row.stack).valid()) return row.stack;
  const auto borrowed = agreed_.find(row.debug_handle);
  return borrowed == agreed_.end() ? StackId() : borrowed->second;
}

FrameId MethodContext::line_of(NodeId node) const { return frames_->self_of(stack_of(node)); }

bool MethodContext::same_line(FrameId a, FrameId b) const {
  if (!a.valid() || !b.valid()) return false;
  const Frame& x = record_->frames[a.value];
  const Frame& y = record_->frames[b.value];
  return x.file == y.file && x.line == y.line;
}

ModuleStackId MethodContext::modules_of(NodeId node) const {
  for (NodeId at = node; at.valid();) {
    go_on();
    const Node& row = record_->nodes[at.value];
    if (row.modules.valid()) return row.modules;
    at = record_->graphs[row.graph.value].parent_node;
  }
  return {};
}

std::string_view MethodContext::operator_of(NodeId node) const {
  const StringId target = record_->nodes[node.value].target;
  const auto at = operators_.find(target);
  return at != operators_.end() ? at->second : base_operator_of_target(record_->text(target));
}

}  // namespace etlens
