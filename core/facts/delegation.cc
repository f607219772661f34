// SPDX-License-Identifier: Apache-2.0
#include "core/facts/delegation.h"

#include <algorithm>
#include <unordered_map>

namespace etlens {
namespace {

void sort_unique(std::vector<Neighbour>& neighbours) {
  std::sort(neighbours.begin(), neighbours.end());
  neighbours.erase(std::unique(neighbours.begin(), neighbours.end()), neighbours.end());
}

// Who makes and who reads the values around the delegate calls of a method.
class Surroundings {
 public:
  explicit Surroundings(const Profile& profile) : profile_(profile), record_(*profile.record) {
    for (size_t p = 0; p < profile.partitions.size(); ++p) {
      for (const NodeId node : profile.partitions[p].nodes) {
        const NodeId outer = outer_node(node);
        partition_of_.try_emplace(outer, PartitionId(p));
        graphs_.push_back(record_.nodes[outer.value].graph);
      }
    }
    std::sort(graphs_.begin(), graphs_.end());
    graphs_.erase(std::unique(graphs_.begin(), graphs_.end()), graphs_.end());
    for (const GraphId graph : graphs_) index(graph);
  }

  void find(PartitionId partition, PartitionDetail& detail) const {
    std::vector<NodeId> own;
    for (const NodeId node : profile_.partitions[partition.value].nodes)
      own.push_back(outer_node(node));
    std::sort(own.begin(), own.end());
    own.erase(std::unique(own.begin(), own.end()), own.end());
    for (const NodeId node : own) {
      const Node& row = record_.nodes[node.value];
      for (const StringId value : record_.inputs_of(row)) {
        if (const auto at = makers_.find(key(row.graph, value)); at != makers_.end()) {
          add(at->second, partition, detail.fed_by);
        }
      }
      for (const StringId value : record_.outputs_of(row)) {
        const auto [first, last] = readers_.equal_range(key(row.graph, value));
        for (auto at = first; at != last; ++at) add(at->second, partition, detail.read_by);
      }
    }
    sort_unique(detail.fed_by);
    sort_unique(detail.read_by);
  }

 private:
  static uint64_t key(GraphId graph, StringId value) {
    return uint64_t{graph.value} << 32 | value.value;
  }

  // The delegate call node for a node of a lowered module; else the node itself.
  NodeId outer_node(NodeId node) const {
    const Graph& graph = record_.graphs[record_.nodes[node.value].graph.value];
    return graph.kind == GraphKind::Lowered && graph.parent_node.valid() ? graph.parent_node : node;
  }

  void index(GraphId graph) {
    for (const NodeId node : record_.graphs[graph.value].nodes) {
      const Node& row = record_.nodes[node.value];
      for (const StringId value : record_.outputs_of(row))
        makers_.try_emplace(key(graph, value), node);
      for (const StringId value : record_.inputs_of(row)) readers_.emplace(key(graph, value), node);
    }
  }

  void add(NodeId node, PartitionId self, std::vector<Neighbour>& neighbours) const {
    const auto at = partition_of_.find(node);
    if (at == partition_of_.end()) neighbours.push_back({node, {}});
    else if (at->second != self) neighbours.push_back({{}, at->second});
  }

  const Profile& profile_;
  const EtRecord& record_;
  std::unordered_map<NodeId, PartitionId>
      partition_of_;             // by call node, or by node in early records
  std::vector<GraphId> graphs_;  // that hold them
  std::unordered_map<uint64_t, NodeId> makers_;
  std::unordered_multimap<uint64_t, NodeId> readers_;
};

void add_times(const Profile& profile, const PartitionRow& partition, PartitionDetail& detail) {
  for (const EventId id : partition.events) {
    const EventRow& event = profile.events[id.value];
    if (event.part == TimePart::Unattributed) detail.unlined_ticks += event.self_ticks;
    if (event.part != TimePart::Line) continue;
    detail.line_ticks[static_cast<size_t>(event.confidence)] += event.self_ticks;
    if (event.layout) detail.layout_ticks += event.self_ticks;
  }
}

void add_nodes(const Profile& profile, const PartitionRow& partition, PartitionDetail& detail) {
  std::unordered_map<NodeId, EventId> placed;
  std::unordered_map<NodeId, EventId> fused;
  const auto note = [&](std::unordered_map<NodeId, EventId>& events, NodeId node, EventId id) {
    const auto [at, is_new] = events.try_emplace(node, id);
    if (!is_new &&
        profile.events[id.value].self_ticks > profile.events[at->second.value].self_ticks)
      at->second = id;
  };
  for (const EventId id : partition.events) {
    const EventRow& event = profile.events[id.value];
    if (event.node.valid() && !event.layout) note(placed, event.node, id);
    for (const NodeId node : profile.fused_of(event)) note(fused, node, id);
  }
  for (const NodeId node : partition.nodes) {
    PartitionNode row{node, NodeFate::NotReported, {}};
    if (const auto own = placed.find(node); own != placed.end()) {
      row = {node, NodeFate::Placed, own->second};
    } else if (const auto into = fused.find(node); into != fused.end()) {
      row = {node, NodeFate::Fused, into->second};
    }
    detail.nodes.push_back(row);
  }
}

}  // namespace

std::string_view name_of(NodeFate fate) {
  switch (fate) {
    case NodeFate::Placed:
      return "placed";
    case NodeFate::Fused:
      return "fused";
    case NodeFate::NotReported:
      break;
  }
  return "not reported";
}

std::vector<PartitionDetail> partition_details(const Profile& profile) {
  std::vector<PartitionDetail> details(profile.partitions.size());
  for (size_t p = 0; p < details.size(); ++p) {
    add_times(profile, profile.partitions[p], details[p]);
    add_nodes(profile, profile.partitions[p], details[p]);
  }
  if (!profile.record) return details;
  const Surroundings surroundings(profile);
  for (size_t p = 0; p < details.size(); ++p) surroundings.find(PartitionId(p), details[p]);
  return details;
}

uint64_t delegated_ticks(const Profile& profile, LineId line) {
  uint64_t ticks = 0;
  for (const EventId id : profile.lines[line.value].events) {
    const EventRow& event = profile.events[id.value];
    if (event.partition.valid()) ticks += event.self_ticks;
  }
  return ticks;
}

}  // namespace etlens
