// SPDX-License-Identifier: Apache-2.0
#include "core/code/method_nodes.h"

#include <algorithm>
#include <utility>

#include "core/base/budget.h"

namespace etlens {
namespace {

using HandleNode = std::pair<DebugHandle, NodeId>;

// Extra programs are recorded as `<module>/<method>`; the exported program is that of `forward`, or
// of the only method.
bool is_graph_of(const EtRecord& record, const Graph& graph, const RecordMethod& method) {
  if (graph.kind == GraphKind::Exported) {
    return record.methods.size() == 1 || record.text(method.name) == "forward";
  }
  const std::string_view name = record.text(graph.name);
  const size_t slash = name.rfind('/');
  return graph.kind == GraphKind::Extra &&
         (slash == std::string_view::npos ? record.methods.size() == 1
                                          : name.substr(slash + 1) == record.text(method.name));
}

// The nodes of a method are mostly those of one graph, in whose order they ascend.
void sort_unless_sorted(std::vector<NodeId>& nodes) {
  if (!std::is_sorted(nodes.begin(), nodes.end())) std::sort(nodes.begin(), nodes.end());
}

}  // namespace

MethodNodes::MethodNodes(const EtRecord& record, const RecordMethod& method) {
  std::vector<HandleNode> rows;
  std::vector<bool> is_own(record.graphs.size(), false);
  for (size_t g = 0; g < record.graphs.size(); ++g) {
    go_on();
    const Graph& graph = record.graphs[g];
    // A parent's row stands before those of the graphs inside it.
    is_own[g] = GraphId(g) == method.edge || (graph.parent.valid() && is_own[graph.parent.value]);
    if (!is_own[g]) continue;
    has_branches_ |= graph.kind == GraphKind::Branch;
    for (const NodeId id : graph.nodes) {
      const Node& node = record.nodes[id.value];
      all_.push_back(id);
      if (node.lowered.valid() && graph.kind == GraphKind::Edge) delegate_calls_.push_back(id);
      if (record.is_set(node.debug_handle)) rows.emplace_back(node.debug_handle, id);
    }
  }
  if (!std::is_sorted(rows.begin(), rows.end()))
    std::sort(rows.begin(), rows.end());  // node ids ascend in graph order
  const auto own_end = static_cast<ptrdiff_t>(rows.size());
  const auto is_known = [&](DebugHandle handle) {
    const auto at = std::ranges::lower_bound(rows.begin(), rows.begin() + own_end, handle, {},
                                             &HandleNode::first);
    return at != rows.begin() + own_end && at->first == handle;
  };
  for (const Graph& graph : record.graphs) {
    if (!is_graph_of(record, graph, method)) continue;
    for (const NodeId id : graph.nodes) {
      const DebugHandle handle = record.nodes[id.value].debug_handle;
      if (!record.is_set(handle) || is_known(handle)) continue;
      rows.emplace_back(handle, id);
      all_.push_back(id);
    }
  }
  sort_unless_sorted(all_);
  sort_unless_sorted(delegate_calls_);
  if (own_end < static_cast<ptrdiff_t>(rows.size())) std::sort(rows.begin(), rows.end());
  for (const auto& [handle, node] : rows) {
    if (handles_.empty() || handles_.back() != handle) {
      handles_.push_back(handle);
      offsets_.push_back(static_cast<uint32_t>(nodes_.size()));
    }
    nodes_.push_back(node);
  }
  offsets_.push_back(static_cast<uint32_t>(nodes_.size()));
}

std::span<const NodeId> MethodNodes::nodes_of(DebugHandle handle) const {
  if (handles_.empty()) return {};
  size_t row = size_t{handle.value} - handles_.front().value;  // mostly there are no gaps
  if (row >= handles_.size() || handles_[row] != handle) {
    const auto at = std::lower_bound(handles_.begin(), handles_.end(), handle);
    if (at == handles_.end() || *at != handle) return {};
    row = static_cast<size_t>(at - handles_.begin());
  }
  return std::span(nodes_).subspan(offsets_[row], offsets_[row + 1] - offsets_[row]);
}

}  // namespace etlens
