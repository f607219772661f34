// SPDX-License-Identifier: Apache-2.0
// What the reports of one study begin with: what was measured, of which executions, and what it
// amounts to. Times are of one execution, of the statistic, in the unit of the scale, unrounded;
// `…_ticks` are integers, summed over the executions used. What these took beyond the statistic is
// their disturbance.
//
// Views hold texts of the facts, which must outlive them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/fields.h"
#include "core/facts/headline.h"
#include "core/facts/in_groups.h"
#include "core/view/scale.h"

namespace etlens {

// Nothing for "".
inline Nullable<std::string_view> text_or_null(std::string_view text) {
  if (text.empty()) return std::nullopt;
  return text;
}

// A method or block that was not chosen.
struct OtherBlockView {
  Nullable<std::string_view> method;
  std::string_view block;
  uint64_t executions = 0;
  double total = 0;
};
FIELDS(OtherBlockView, method, block, executions, total)

struct CallInitView {
  uint64_t partition = 0;
  double init = 0;
};
FIELDS(CallInitView, partition, init)

struct ColdStartView {
  double total = 0;
  double load = 0;
  double init = 0;
  double first_run = 0;
  uint32_t loads = 0;
  double init_in_delegates = 0;
  std::vector<CallInitView> init_of_calls;
};
FIELDS(ColdStartView, total, load, init, first_run, loads, init_in_delegates, init_of_calls)

// Null if the dump has no loading.
Nullable<ColdStartView> cold_start_view(const ColdStart& cold, double ticks_per_unit);

struct OddExecutionView {
  uint32_t execution = 0;  // 1-based
  int64_t total_ticks = 0;
};
FIELDS(OddExecutionView, execution, total_ticks)

// All parts and the disturbance; they add up to `total_ticks`.
struct ReconciliationView {
  int64_t lines_ticks = 0;
  int64_t opaque_partition_ticks = 0;
  int64_t delegate_overhead_ticks = 0;
  int64_t dispatch_overhead_ticks = 0;
  int64_t framework_ticks = 0;
  int64_t sizes_ticks = 0;
  int64_t unattributed_ticks = 0;
  int64_t disturbance_ticks = 0;
};
FIELDS(ReconciliationView, lines_ticks, opaque_partition_ticks, delegate_overhead_ticks,
       dispatch_overhead_ticks, framework_ticks, sizes_ticks, unattributed_ticks, disturbance_ticks)

// A group as earlier releases wrote it.
struct KindView {
  uint64_t executions = 0;
  double median = 0;
};
FIELDS(KindView, executions, median)

// Executions that did the same work, where others did another amount of it.
struct GroupView {
  std::string_view name;
  std::vector<uint64_t> executions;  // 1-based
  Nullable<int64_t> size;            // of the inputs' symbolic dimension, where the dump knows it
  double work = 1;                   // about: as a multiple of the group with the least
  // Of one execution; null where they are not known.
  Nullable<int64_t> tokens;
  Nullable<double> tokens_per_second;  // of the statistic
  double typical = 0;                  // of the statistic, of one execution
  int64_t total_ticks = 0;             // of all its executions, noise included
  ReconciliationView reconciliation;   // adds up to `total_ticks`
  bool shown = false;
};
FIELDS(GroupView, name, executions, size, work, tokens, tokens_per_second, typical, total_ticks,
       reconciliation, shown)

std::vector<GroupView> group_views(const Headline& headline, const Scale& scale);

// What every report begins with, but for its groups: one has another field of that name.
struct UngroupedHeadView {
  std::string_view measure;
  std::optional<std::string_view> time_unit;
  std::optional<std::string_view> unit;  // of what is not a time
  Nullable<std::string_view> method;
  std::string_view block;
  uint64_t executions = 0;
  uint64_t executions_used = 0;
  std::string executions_shown;
  std::string_view statistic;
  bool raw = false;
  double total = 0;
  int64_t total_ticks = 0;
  double mean = 0;
  std::vector<OtherBlockView> also;
  Nullable<ColdStartView> cold_start;
  std::vector<OddExecutionView> odd_executions;
  std::vector<std::string> findings;
  std::vector<KindView> kinds;
};
FIELDS(UngroupedHeadView, measure, time_unit, unit, method, block, executions, executions_used,
       executions_shown, statistic, raw, total, total_ticks, mean, also, cold_start, odd_executions,
       findings, kinds)

struct HeadView : UngroupedHeadView {
  std::vector<GroupView> groups;  // the largest total first; empty if all did the same work
};
FIELDS(HeadView, measure, time_unit, unit, method, block, executions, executions_used,
       executions_shown, statistic, raw, total, total_ticks, mean, also, cold_start, odd_executions,
       findings, kinds, groups)

// `findings`: the sentences about what limits all numbers.
HeadView head_view(const Facts& facts, const Headline& headline, const Scale& scale,
                   std::vector<std::string> findings);

ReconciliationView reconciliation_view(const Headline& headline);

// What a place costs in a group. Its share is that of the number that the place is ranked by: of a
// module the inclusive time, else the self time.
struct CostInGroupView {
  std::string_view name;
  double self = 0;
  int64_t self_ticks = 0;
  double inclusive = 0;
  int64_t inclusive_ticks = 0;
  int64_t disturbance_ticks = 0;
  double share = 0;
};
FIELDS(CostInGroupView, name, self, self_ticks, inclusive, inclusive_ticks, disturbance_ticks,
       share)
// Nothing if all executions did the same work.
using CostsInGroupsView = std::optional<std::vector<CostInGroupView>>;
CostsInGroupsView costs_in_groups_view(const Scale& scale, const CostsInGroups& costs,
                                       Cost CostInGroup::*ranked = &CostInGroup::self);

// What most reports begin with.
struct ReportView {
  Spread<HeadView> head;
  ReconciliationView reconciliation;
};
FIELDS(ReportView, head, reconciliation)

struct UngroupedReportView {
  Spread<UngroupedHeadView> head;
  ReconciliationView reconciliation;
};
FIELDS(UngroupedReportView, head, reconciliation)

}  // namespace etlens
