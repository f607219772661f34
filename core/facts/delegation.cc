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
  explicit Surroundings(const Code& code) : code_(code), record_(*code.record) {
    for (size_t p = 0; p < code.partitions.size(); ++p) {
      for (const NodeId node : code.partitions[p].nodes) {
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
    for (const NodeId node : code_.partitions[partition.value].nodes)
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

  const Code& code_;
  const EtRecord& record_;
  std::unordered_map<NodeId, PartitionId>
      partition_of_;             // by call node, or by node in early records
  std::vector<GraphId> graphs_;  // that hold them
  std::unordered_map<uint64_t, NodeId> makers_;
  std::unordered_multimap<uint64_t, NodeId> readers_;
};

void add_amounts(const Measure& measure, const PartitionLandings& partition,
                 PartitionDetail& detail) {
  for (const ContributionId id : partition.inside) {
    const Landing& row = (*measure.landings)[id];
    const Amount amount = measure.self[id.value].amount;
    if (row.part == Part::Unattributed) detail.without_line += amount;
    if (row.part != Part::Line) continue;
    detail.on_lines[static_cast<size_t>(row.confidence)] += amount;
    if (row.is_layout) detail.layout += amount;
  }
}

void add_nodes(const Measure& measure, PartitionId id, PartitionDetail& detail) {
  const Landings& landings = *measure.landings;
  std::unordered_map<NodeId, ContributionId> placed;
  std::unordered_map<NodeId, ContributionId> fused;
  const auto note = [&](std::unordered_map<NodeId, ContributionId>& events, NodeId node,
                        ContributionId event) {
    const auto [at, is_new] = events.try_emplace(node, event);
    if (!is_new && measure.self[event.value].amount > measure.self[at->second.value].amount)
      at->second = event;
  };
  for (const ContributionId event : landings.partitions[id.value].inside) {
    const Landing& row = landings[event];
    if (row.node.valid() && !row.is_layout) note(placed, row.node, event);
    for (const NodeId node : landings.fused_of(row)) note(fused, node, event);
  }
  for (const NodeId node : landings.code->partitions[id.value].nodes) {
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
    case NodeFate::NotRun:
      return "not run";
    case NodeFate::NotReported:
      break;
  }
  return "not reported";
}

std::vector<PartitionDetail> partition_details(const Facts& facts) {
  std::vector<PartitionDetail> details(facts.code().partitions.size());
  for (size_t p = 0; p < details.size(); ++p) {
    add_amounts(facts.measure(), facts.measure().landings->partitions[p], details[p]);
    add_nodes(facts.measure(), PartitionId(p), details[p]);
  }
  if (!facts.code().record) return details;
  if (facts.study().is_of_export()) {
    for (PartitionDetail& detail : details)
      for (PartitionNode& node : detail.nodes) node.fate = NodeFate::NotRun;
  }
  const Surroundings surroundings(facts.code());
  for (size_t p = 0; p < details.size(); ++p) surroundings.find(PartitionId(p), details[p]);
  return details;
}

std::vector<std::vector<PartitionId>> partitions_of_modules(const Facts& facts) {
  const Landings& landings = *facts.measure().landings;
  std::vector<std::vector<PartitionId>> partitions(facts.code().modules.size());
  for (const Landing& row : landings.rows) {
    if (!row.is_leaf() || !row.partition.valid()) continue;
    for (const ModuleId module : landings.owners_of(row))
      partitions[module.value].push_back(row.partition);
  }
  for (std::vector<PartitionId>& row : partitions) {
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
  }
  return partitions;
}

}  // namespace etlens
