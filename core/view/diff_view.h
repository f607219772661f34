// SPDX-License-Identifier: Apache-2.0
// What changed from one side to the other: the document of `etlens diff`. Times are of one
// execution, typical, in the unit asked for; ticks are summed over all executions of all dumps of a
// side. `change`, `low` and `high` are fractions of before, beyond the machine's factor.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/compare/compare.h"
#include "core/view/base_and_new.h"
#include "core/view/line_view.h"
#include "core/view/report_view.h"

namespace etlens {

struct MachineView {
  double factor = 1;  // the new side's level over the base's
  double low = 1;
  double high = 1;
  uint64_t places = 0;  // that tell
};
FIELDS(MachineView, factor, low, high, places)

struct InsideView {
  double low = 0;
  double high = 0;
};
FIELDS(InsideView, low, high)

// The verdict of a change, and its numbers; null where there are none.
struct JudgedView {
  Nullable<double> change;
  Nullable<double> low;
  Nullable<double> high;
  Nullable<double> p;
  std::string_view verdict;
  bool likely = false;
  Nullable<std::string_view> reason;
  Nullable<uint32_t> needs_dumps;
  std::optional<InsideView> inside;
};
FIELDS(JudgedView, change, low, high, p, verdict, likely, reason, needs_dumps, inside)

// Without what is known of the inside of two processes.
JudgedView judged_view(const Judged& judged);

struct ChangeView {
  double before = 0;
  double after = 0;
  int64_t before_ticks = 0;
  int64_t after_ticks = 0;
  Spread<JudgedView> judged;
};
FIELDS(ChangeView, before, after, before_ticks, after_ticks, judged)

struct ComparedLineView {
  std::string_view recorded_path;
  uint32_t line = 0;
  std::string_view function;
  std::string_view text;
};
FIELDS(ComparedLineView, recorded_path, line, function, text)

// The first of the lines, with the cost of all of them; the others beside it.
struct LineOfSideView {
  Spread<ComparedLineView> place;
  double self = 0;
  int64_t self_ticks = 0;
  int64_t disturbance_ticks = 0;
  double share = 0;
  std::vector<ComparedLineView> with;
};
FIELDS(LineOfSideView, place, self, self_ticks, disturbance_ticks, share, with)

struct LineChangeView {
  Nullable<LineOfSideView> before;
  Nullable<LineOfSideView> after;
  Spread<JudgedView> judged;
  std::vector<std::string> kernels_before;
  std::vector<std::string> kernels_after;
};
FIELDS(LineChangeView, before, after, judged, kernels_before, kernels_after)

struct ModuleChangeView {
  Nullable<std::string_view> before_path;
  Nullable<std::string_view> after_path;
  Spread<ChangeView> change;
};
FIELDS(ModuleChangeView, before_path, after_path, change)

struct OperatorChangeView {
  std::string_view op;
  uint32_t number = 0;
  Nullable<LineReferenceView> before_line;
  Nullable<LineReferenceView> after_line;
  Nullable<std::string_view> before_module;
  Nullable<std::string_view> after_module;
  Spread<ChangeView> change;
  std::vector<std::string> kernels_before;
  std::vector<std::string> kernels_after;
};
FIELDS(OperatorChangeView, op, number, before_line, after_line, before_module, after_module, change,
       kernels_before, kernels_after)

struct PartitionChangeView {
  Nullable<uint32_t> before_id;
  Nullable<uint32_t> after_id;
  Spread<ChangeView> change;
};
FIELDS(PartitionChangeView, before_id, after_id, change)

struct PartChangeView {
  std::string_view part;
  Spread<ChangeView> change;
};
FIELDS(PartChangeView, part, change)

// Lines, parts that are not zero on both sides, and disturbance add up to the total.
struct SumsOfSideView {
  int64_t lines_ticks = 0;
  std::optional<int64_t> line_ticks;  // where lines cannot be compared
  std::optional<int64_t> opaque_partition_ticks;
  std::optional<int64_t> delegate_overhead_ticks;
  std::optional<int64_t> dispatch_overhead_ticks;
  std::optional<int64_t> framework_ticks;
  std::optional<int64_t> sizes_ticks;
  std::optional<int64_t> unattributed_ticks;
  int64_t disturbance_ticks = 0;
  int64_t total_ticks = 0;
  uint64_t executions = 0;
};
FIELDS(SumsOfSideView, lines_ticks, line_ticks, opaque_partition_ticks, delegate_overhead_ticks,
       dispatch_overhead_ticks, framework_ticks, sizes_ticks, unattributed_ticks, disturbance_ticks,
       total_ticks, executions)

// A group of executions whose numbers are compared.
struct ComparedGroupView {
  std::string_view name;
  Nullable<int64_t> size;  // where the dump knows it
};
FIELDS(ComparedGroupView, name, size)

struct MovedOperatorView {
  std::string_view op;
  uint32_t count = 0;
};
FIELDS(MovedOperatorView, op, count)

// Operators of one line that left the delegate, or entered it.
struct DelegationMoveView {
  std::string_view move;     // "left": delegated in the base and not now; "entered": the reverse
  std::string_view backend;  // its label; "" if nothing names it
  Nullable<ComparedLineView> before;
  Nullable<ComparedLineView> after;
  std::vector<MovedOperatorView> operators;  // as the side that delegates them has them
};
FIELDS(DelegationMoveView, move, backend, before, after, operators)

struct DelegationMovesView {
  Nullable<std::string_view> not_known;  // a clause: why nothing is known; null if it is
  uint64_t left = 0;                     // number of operators that left
  uint64_t entered = 0;                  // number of operators that entered
  std::vector<DelegationMoveView> moves;
};
FIELDS(DelegationMovesView, not_known, left, entered, moves)

// The comparison must outlive the view.
DelegationMovesView delegation_moves_view(const Comparison& comparison);

struct DiffView {
  Literal<"etlens/diff@1"> schema;
  std::string_view time_unit;
  BaseAndNew<uint64_t> dumps;
  Nullable<MachineView> machine;
  ChangeView total;
  BaseAndNew<Nullable<ColdStartView>> cold_start;  // of one dump each
  Rows<LineChangeView> lines;
  Rows<ModuleChangeView> modules;
  Rows<OperatorChangeView> operators;
  Rows<PartitionChangeView> partitions;
  Rows<PartChangeView> parts;
  BaseAndNew<SumsOfSideView> reconciliation;
  double score = 0;
  BaseAndNew<Nullable<ComparedGroupView>> group;         // null: all executions did the same work
  BaseAndNew<std::vector<std::string>> unpaired_groups;  // of which the other side has none
  DelegationMovesView delegation;
};
FIELDS(DiffView, schema, time_unit, dumps, machine, total, cold_start, lines, modules, operators,
       partitions, parts, reconciliation, score, group, unpaired_groups, delegation)

// The comparison must outlive the view.
DiffView diff_view(const Comparison& comparison, TimeScale target);

}  // namespace etlens
