// SPDX-License-Identifier: Apache-2.0
#include "core/recover/layer_traces.h"

#include <span>

#include "core/base/budget.h"

namespace etlens::recover {

LayerTraces::LayerTraces(const EtRecord& record, const Graph& graph,
                         const std::vector<bool>& is_project_file)
    : record_(record), is_project_file_(is_project_file), traces_(record.strings.size(), 0) {
  for (const NodeId id : graph.nodes) {
    go_on();
    const Node& node = record.nodes[id.value];
    if (node.torch_fn.valid() && node.stack.valid() && !record.frames_of(node.stack).empty())
      traces_[node.torch_fn.value] |= ends_in_layer(node) ? kInLayer : kElsewhere;
  }
}

bool LayerTraces::is_named_by_next(const Node& node) const {
  return node.torch_fn.valid() && traces_[node.torch_fn.value] == (kInLayer | kElsewhere) &&
         ends_in_layer(node);
}

bool LayerTraces::ends_in_layer(const Node& node) const {
  if (!node.stack.valid()) return false;
  const std::span<const FrameId> frames = record_.frames_of(node.stack);
  if (frames.empty()) return false;
  const Frame& last = record_.frames[frames.back().value];
  const bool is_project =
      last.file.value < is_project_file_.size() && is_project_file_[last.file.value];
  return !is_project && record_.text(last.function) == "forward";
}

}  // namespace etlens::recover
