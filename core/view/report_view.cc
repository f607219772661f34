// SPDX-License-Identifier: Apache-2.0
#include "core/view/report_view.h"

#include <algorithm>
#include <array>

namespace etlens {

Nullable<ColdStartView> cold_start_view(const ColdStart& cold, double ticks_per_unit) {
  if (cold.loads == 0) return std::nullopt;
  const auto of = [&](Amount amount) { return static_cast<double>(amount.value) / ticks_per_unit; };
  ColdStartView view{cold.total() / ticks_per_unit,
                     of(cold.load),
                     of(cold.init),
                     cold.first / ticks_per_unit,
                     cold.loads,
                     of(cold.delegates.total),
                     {}};
  const std::vector<std::optional<Amount>>& calls = cold.delegates.of_call;
  for (size_t p = 0; p < calls.size(); ++p)
    if (calls[p]) view.init_of_calls.push_back({p + 1, of(*calls[p])});
  return view;
}

namespace {

// In the order of Part.
constexpr std::array<int64_t ReconciliationView::*, kParts> kTicksOfParts{
    &ReconciliationView::lines_ticks,
    &ReconciliationView::opaque_partition_ticks,
    &ReconciliationView::delegate_overhead_ticks,
    &ReconciliationView::dispatch_overhead_ticks,
    &ReconciliationView::framework_ticks,
    &ReconciliationView::sizes_ticks,
    &ReconciliationView::unattributed_ticks};

ReconciliationView reconciliation_view(const Reconciliation& total) {
  ReconciliationView view;
  for (size_t p = 0; p < kParts; ++p) view.*kTicksOfParts[p] = total.parts[p].value;
  view.disturbance_ticks = total.disturbance.value;
  return view;
}

double median_total(const Headline& headline, const GroupFacts& group) {
  std::vector<double> totals;
  for (const uint32_t sample : group.samples) totals.push_back(headline.totals[sample]);
  std::sort(totals.begin(), totals.end());
  return percentile(totals, 50);
}

}  // namespace

std::vector<GroupView> group_views(const Headline& headline, const Scale& scale) {
  std::vector<GroupView> views;
  for (const GroupFacts& group : headline.groups) {
    GroupView& view = views.emplace_back();
    view.name = group.name;
    for (const uint32_t sample : group.samples) view.executions.push_back(sample + 1);
    view.size = group.size;
    view.work = group.work;
    view.typical = scale.of(group.typical);
    view.tokens = group.tokens;
    view.tokens_per_second = group.tokens_per_second;
    view.total_ticks = group.total.total.value;
    view.reconciliation = reconciliation_view(group.total);
    view.shown = group.is_shown;
  }
  return views;
}

HeadView head_view(const Facts& facts, const Headline& headline, const Scale& scale,
                   std::vector<std::string> findings) {
  HeadView view;
  view.measure = facts.quantity().id;
  (scale.is_time() ? view.time_unit : view.unit) = scale.unit();
  view.method = text_or_null(headline.method);
  view.block = headline.block;
  view.executions = headline.samples;
  view.executions_used = headline.used.size();
  view.executions_shown = headline.used_text;
  view.statistic = name_of(headline.statistic);
  view.raw = headline.is_raw;
  view.total = scale.of(headline.total);
  view.total_ticks = (headline.total.amount + headline.total.disturbance).value;
  view.mean = scale.of(headline.mean);
  for (const OtherBlock& other : facts.study().others)
    view.also.push_back(
        {text_or_null(other.method), other.block, other.executions, scale.of(other.total)});
  view.cold_start = cold_start_view(headline.cold, scale.factor());
  for (const OddSample& odd : headline.odd)
    view.odd_executions.push_back({odd.sample + 1, static_cast<int64_t>(odd.total)});
  view.findings = std::move(findings);
  for (const GroupFacts& group : headline.groups)
    view.kinds.push_back({group.samples.size(), scale.of(median_total(headline, group))});
  view.groups = group_views(headline, scale);
  return view;
}

ReconciliationView reconciliation_view(const Headline& headline) {
  ReconciliationView view;
  for (const PartFacts& part : headline.parts)
    view.*kTicksOfParts[static_cast<size_t>(part.part)] = part.cost.amount.value;
  view.disturbance_ticks = headline.total.disturbance.value;
  return view;
}

CostsInGroupsView costs_in_groups_view(const Scale& scale, const CostsInGroups& costs,
                                       Cost CostInGroup::*ranked) {
  if (costs.empty()) return std::nullopt;
  std::vector<CostInGroupView> views;
  for (const CostInGroup& cost : costs) {
    views.push_back({cost.group, scale.of(cost.self), cost.self.amount.value,
                     scale.of(cost.inclusive), cost.inclusive.amount.value,
                     (cost.*ranked).disturbance.value, (cost.*ranked).share});
  }
  return views;
}

}  // namespace etlens
