// SPDX-License-Identifier: Apache-2.0
#include "core/view/diff_view.h"

#include <array>
#include <span>

#include "core/base/budget.h"

namespace etlens {
namespace {

bool has_time(const Change& change) {
  return change.before.ticks != Amount() || change.after.ticks != Amount();
}

JudgedView change_judged_view(const Change& change) {
  JudgedView view = judged_view(change.judged);
  if (change.inside) view.inside = {change.inside->low, change.inside->high};
  return view;
}

ChangeView change_view(const Change& change, double factor) {
  return {change.before.value / factor, change.after.value / factor, change.before.ticks.value,
          change.after.ticks.value, change_judged_view(change)};
}

ComparedLineView compared_line_view(const Code& code, LineId id) {
  const CodeLine& line = code.lines[id.value];
  return {code.recorded_path(line.file), line.number, code.text(line.function),
          code.text(line.text)};
}

Nullable<LineOfSideView> line_of_side_view(const Code& code, std::span<const LineId> lines,
                                           const SideCost& cost, double factor) {
  if (lines.empty()) return std::nullopt;
  LineOfSideView view{compared_line_view(code, lines.front()),
                      cost.value / factor,
                      cost.ticks.value,
                      cost.disturbance.value,
                      cost.share,
                      {}};
  for (const LineId line : lines.subspan(1)) view.with.push_back(compared_line_view(code, line));
  return view;
}

Nullable<std::string_view> module_path(const Code& code, ModuleId id) {
  if (!id.valid()) return std::nullopt;
  return std::string_view(code.modules[id.value].path);
}

Nullable<LineReferenceView> line_reference(const Code& code, LineId id) {
  if (!id.valid()) return std::nullopt;
  const CodeLine& line = code.lines[id.value];
  return LineReferenceView{code.recorded_path(line.file), line.number};
}

Nullable<uint32_t> call_number(const Code& code, PartitionId id) {
  if (!id.valid()) return std::nullopt;
  return code.partitions[id.value].number;
}

Nullable<ComparedGroupView> compared_group(const ChosenGroup& of) {
  const GroupEvidence* group = of.get();
  if (group == nullptr) return std::nullopt;
  return ComparedGroupView{group->name, group->size};
}

// `cost`: of a change, that of the side.
SumsOfSideView sums_of_side(const Comparison& comparison, const Side& side,
                            SideCost Change::*cost) {
  // In the order of Part.
  constexpr std::array<std::optional<int64_t> SumsOfSideView::*, kParts> kTicks{
      &SumsOfSideView::line_ticks,
      &SumsOfSideView::opaque_partition_ticks,
      &SumsOfSideView::delegate_overhead_ticks,
      &SumsOfSideView::dispatch_overhead_ticks,
      &SumsOfSideView::framework_ticks,
      &SumsOfSideView::sizes_ticks,
      &SumsOfSideView::unattributed_ticks};
  SumsOfSideView view;
  Amount lines;
  for (const LineChange& row : comparison.lines) lines += (row.change.*cost).ticks;
  view.lines_ticks = lines.value;
  for (const PartChange& row : comparison.parts)
    view.*kTicks[static_cast<size_t>(row.part)] = (row.change.*cost).ticks.value;
  view.disturbance_ticks = (comparison.total.*cost).disturbance.value;
  view.total_ticks = side.measured().value;
  view.executions = side.executions();
  return view;
}

// What the rows of one comparison are made of.
class Changes {
 public:
  Changes(const Comparison& comparison, double factor)
      : before_(*comparison.before->code), after_(*comparison.after->code), factor_(factor) {}

  LineChangeView view(const LineChange& row) const {
    return {line_of_side_view(before_, row.before, row.change.before, factor_),
            line_of_side_view(after_, row.after, row.change.after, factor_),
            change_judged_view(row.change), row.kernels_before, row.kernels_after};
  }
  ModuleChangeView view(const ModuleChange& row) const {
    return {module_path(before_, row.before), module_path(after_, row.after), change(row)};
  }
  OperatorChangeView view(const OperatorChange& row) const {
    return {row.op,
            row.number,
            line_reference(before_, row.line_before),
            line_reference(after_, row.line_after),
            module_path(before_, row.module_before),
            module_path(after_, row.module_after),
            change(row),
            row.kernels_before,
            row.kernels_after};
  }
  PartitionChangeView view(const PartitionChange& row) const {
    return {call_number(before_, row.before), call_number(after_, row.after), change(row)};
  }
  PartChangeView view(const PartChange& row) const { return {name_of(row.part), change(row)}; }

  // `is_listed`: of a change.
  template <typename View, typename Row>
  Rows<View> rows(const std::vector<Row>& rows, bool (*is_listed)(const Change&) = nullptr) const {
    return Rows<View>([changes = *this, &rows, is_listed](const auto& take) {
      for (const Row& row : rows)
        if (is_listed == nullptr || is_listed(row.change)) take(changes.view(row));
    });
  }

 private:
  ChangeView change(const auto& row) const { return change_view(row.change, factor_); }

  const Code& before_;
  const Code& after_;
  double factor_;
};

}  // namespace

JudgedView judged_view(const Judged& judged) {
  JudgedView view;
  if (judged.verdict != Verdict::Gone && judged.verdict != Verdict::New &&
      judged.reason != Reason::Nothing) {
    view.change = judged.change;
    view.low = judged.low;
    view.high = judged.high;
    view.p = judged.p;
  }
  view.verdict = name_of(judged.verdict);
  view.likely = judged.is_likely;
  view.reason = text_or_null(name_of(judged.reason));
  view.needs_dumps = judged.needs_dumps;
  return view;
}

DelegationMovesView delegation_moves_view(const Comparison& comparison) {
  const DelegationMoves& moves = comparison.delegation;
  DelegationMovesView view;
  view.not_known = text_or_null(moves.why_not);
  view.left = moves.count(true);
  view.entered = moves.count(false);
  const auto line = [](const Side& side, LineId id) {
    return id.valid() ? Nullable<ComparedLineView>(compared_line_view(*side.code, id))
                      : Nullable<ComparedLineView>();
  };
  for (const DelegationMove& row : moves.rows) {
    go_on();
    DelegationMoveView& move = view.moves.emplace_back();
    move.move = row.is_left ? "left" : "entered";
    move.backend = row.backend;
    move.before = line(*comparison.before, row.before);
    move.after = line(*comparison.after, row.after);
    for (const MovedOperator& moved : row.operators)
      move.operators.push_back({moved.op, moved.count});
  }
  return view;
}

DiffView diff_view(const Comparison& comparison, TimeScale target) {
  const Side& before = *comparison.before;
  const Side& after = *comparison.after;
  const double factor = scale_factor(comparison.scale, target);
  const Changes changes(comparison, factor);
  DiffView view;
  view.time_unit = name_of(target);
  view.dumps = {before.dumps.size(), after.dumps.size()};
  if (const Machine& machine = comparison.machine; machine.is_known)
    view.machine = MachineView{machine.factor, machine.low, machine.high, machine.places};
  view.total = change_view(comparison.total, factor);
  view.cold_start = {cold_start_view(before.cold_start(), factor),
                     cold_start_view(after.cold_start(), factor)};
  view.lines = changes.rows<LineChangeView>(comparison.lines, has_time);
  view.modules = changes.rows<ModuleChangeView>(comparison.modules);
  view.operators = changes.rows<OperatorChangeView>(comparison.operators, has_time);
  view.partitions = changes.rows<PartitionChangeView>(comparison.partitions);
  view.parts = changes.rows<PartChangeView>(comparison.parts);
  view.reconciliation = {sums_of_side(comparison, before, &Change::before),
                         sums_of_side(comparison, after, &Change::after)};
  view.score = comparison.score;
  view.group = {compared_group(before.group), compared_group(after.group)};
  view.unpaired_groups = {unpaired_groups(before.group, after.group),
                          unpaired_groups(after.group, before.group)};
  view.delegation = delegation_moves_view(comparison);
  return view;
}

}  // namespace etlens
