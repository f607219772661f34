// SPDX-License-Identifier: Apache-2.0
#include "core/view/partition_view.h"

#include "core/facts/delegation.h"

namespace etlens {
namespace {

ExplainedView explained_view(const PartitionDetail& detail) {
  const auto on_lines = [&](Confidence how) {
    return detail.on_lines[static_cast<size_t>(how)].value;
  };
  return {on_lines(Confidence::Exact), on_lines(Confidence::Aligned),
          on_lines(Confidence::Recovered), on_lines(Confidence::Inferred),
          detail.without_line.value};
}

NodeInsideView node_view(const Facts& facts, const PartitionNode& row) {
  const EtRecord& record = *facts.join().record;
  const Node& node = record.nodes[row.node.value];
  NodeInsideView view;
  view.name = record.text(node.name);
  view.op = record.text(node.target);
  if (record.is_set(node.debug_handle)) view.debug_handle = node.debug_handle.value;
  view.fate = name_of(row.fate);
  if (row.event.valid() && facts.has_events()) {
    std::string event(facts.join().logged_name(row.event));
    if (!event.empty()) view.event = std::move(event);
  }
  return view;
}

std::vector<NeighbourView> neighbours_view(const Facts& facts,
                                           const std::vector<Neighbour>& neighbours) {
  std::vector<NeighbourView> views;
  for (const Neighbour& row : neighbours) {
    NeighbourView& view = views.emplace_back();
    if (row.partition.valid()) {
      view.partition = facts.code().partitions[row.partition.value].number;
      continue;
    }
    const EtRecord& record = *facts.join().record;
    const Node& node = record.nodes[row.node.value];
    view.name = record.text(node.name);
    view.op = record.text(node.target);
  }
  return views;
}

PartitionView partition_view(const Facts& facts, const Scale& scale, PartitionId id,
                             const PartitionDetail& detail) {
  const PartitionFacts row = facts.partition(id);
  PartitionView view;
  view.cost = partition_cost_view(facts, scale, row);
  view.explained_by = explained_view(detail);
  view.layout_ticks = detail.layout.value;
  view.operators.reserve(row.events.size());
  for (const ContributionId inside : row.events) {
    const ContributionFacts event = facts.contribution(inside);
    view.operators.push_back({op_view(facts, scale, inside), name_of(event.part), event.is_layout,
                              place_view(facts.code(), event.line)});
  }
  for (const PartitionNode& node : detail.nodes) view.nodes.push_back(node_view(facts, node));
  view.fed_by = neighbours_view(facts, detail.fed_by);
  view.read_by = neighbours_view(facts, detail.read_by);
  return view;
}

FallbackView fallback_view(const Facts& facts, const Scale& scale, const FallbackGap& gap) {
  FallbackView view;
  view.cost = fallback_cost_view(facts, scale, gap.before, gap.after, facts.cost_of(gap.events));
  for (const ContributionId id : gap.events)
    view.operators.push_back(
        {op_view(facts, scale, id), place_view(facts.code(), facts.contribution(id).line)});
  return view;
}

}  // namespace

PartitionCostView partition_cost_view(const Facts& facts, const Scale& scale,
                                      const PartitionFacts& row) {
  PartitionCostView view;
  view.call = delegate_call_view(facts, scale, row);
  view.disturbance_ticks = row.total.disturbance.value;
  view.share = row.total.share;
  view.occurrences = row.occurrences;
  view.module = row.module_path;
  return view;
}

FallbackCostView fallback_cost_view(const Facts& facts, const Scale& scale, PartitionId before,
                                    PartitionId after, const Cost& cost) {
  const std::vector<Partition>& calls = facts.code().partitions;
  return {calls[before.value].number, calls[after.value].number, scale.of(cost),
          cost.amount.value,          cost.disturbance.value,    cost.share};
}

PartitionsView partitions_view(const Facts& facts, Scale scale, ReportView report,
                               const Cost& delegated, const RowChoice& rows) {
  PartitionsView view;
  view.report = std::move(report);
  view.delegated = scale.of(delegated);
  view.delegated_ticks = delegated.amount.value;
  view.delegated_share = delegated.share;
  view.partitions = Rows<PartitionView>([&facts, scale, rows](const auto& take) {
    const std::vector<PartitionDetail> details = partition_details(facts);
    for (const size_t p : chosen_rows(rows, details.size()))
      take(partition_view(facts, scale, PartitionId(p), details[p]));
  });
  view.fallbacks = Rows<FallbackView>([&facts, scale](const auto& take) {
    for (const FallbackGap& gap : facts.fallback_gaps()) take(fallback_view(facts, scale, gap));
  });
  return view;
}

}  // namespace etlens
