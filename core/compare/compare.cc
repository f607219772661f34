// SPDX-License-Identifier: Apache-2.0
#include "core/compare/compare.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include <fmt/format.h>

#include "core/base/controls.h"
#include "core/compare/comparer.h"
#include "core/compare/operators.h"

namespace etlens {
namespace {

// A factor that no machine explains, but a clock that counts in other units does.
constexpr double kOtherClock = 100;

Result<TimeScale> common_scale(const Side& before, const Side& after) {
  const bool cycles_before = before.clock == TimeScale::Cycles;
  const bool cycles_after = after.clock == TimeScale::Cycles;
  if (cycles_before != cycles_after) {
    return Error{ErrorCode::Unsupported,
                 "one side counts in cycles and the other in time; compare dumps of one clock"};
  }
  return cycles_before ? TimeScale::Cycles : TimeScale::Nanoseconds;
}

// Lines with a cost on either side, as places; `groups` gets what each is.
struct LinePlaces {
  std::vector<LineGroup> groups;
  std::vector<PlaceOfBoth> own;
  std::vector<PlaceOfBoth> inclusive;
};

class LineCollector {
 public:
  LineCollector(const Comparer& comparer, const CodeMatch& match)
      : comparer_(comparer),
        is_matched_before_(comparer.index_before().of_line.size()),
        is_matched_after_(comparer.index_after().of_line.size()) {
    for (const LineGroup& group : match.lines) add(group);
    for (size_t l = 0; l < is_matched_before_.size(); ++l) {
      if (!is_matched_before_[l]) add({{LineId(l)}, {}});
    }
    for (size_t l = 0; l < is_matched_after_.size(); ++l) {
      if (!is_matched_after_[l]) add({{}, {LineId(l)}});
    }
  }
  LinePlaces take() && { return std::move(places_); }

 private:
  static Operations of_lines(const std::vector<Operations>& of_line,
                             const std::vector<LineId>& lines) {
    std::vector<const Operations*> parts;
    for (const LineId line : lines) parts.push_back(&of_line[line.value]);
    return merged(parts);
  }

  void add(const LineGroup& group) {
    for (const LineId line : group.before) is_matched_before_[line.value] = true;
    for (const LineId line : group.after) is_matched_after_[line.value] = true;
    PlaceOfBoth inclusive{of_lines(comparer_.index_before().through_line, group.before),
                          of_lines(comparer_.index_after().through_line, group.after)};
    if (inclusive.before.empty() && inclusive.after.empty()) return;
    places_.groups.push_back(group);
    places_.own.push_back({of_lines(comparer_.index_before().of_line, group.before),
                           of_lines(comparer_.index_after().of_line, group.after)});
    places_.inclusive.push_back(std::move(inclusive));
  }

  const Comparer& comparer_;
  LinePlaces places_;
  std::vector<bool> is_matched_before_;
  std::vector<bool> is_matched_after_;
};

void add_lines(const Comparer& comparer, const LinePlaces& places, Comparison& comparison) {
  std::vector<Change> own = comparer.changes(places.own);
  std::vector<Change> inclusive = comparer.changes(places.inclusive);
  for (size_t i = 0; i < places.groups.size(); ++i) {
    LineChange row;
    row.before = places.groups[i].before;
    row.after = places.groups[i].after;
    row.change = own[i];
    row.inclusive = inclusive[i];
    row.kernels_before = comparer.read_before().kernels(places.own[i].before);
    row.kernels_after = comparer.read_after().kernels(places.own[i].after);
    comparison.lines.push_back(std::move(row));
  }
}

// The module that costs more stands first among those that are gone.
void add_modules(const Comparer& comparer, const CodeMatch& match, Comparison& comparison) {
  std::vector<ModuleId> before_of(comparer.index_after().of_module.size());
  std::vector<bool> is_matched(comparer.index_before().of_module.size());
  for (const ModulePair& pair : match.modules) {
    before_of[pair.after.value] = pair.before;
    is_matched[pair.before.value] = true;
  }
  std::vector<PlaceOfBoth> places;
  const auto add = [&](ModuleId before, ModuleId after) {
    PlaceOfBoth place;
    if (before.valid()) place.before = comparer.index_before().of_module[before.value];
    if (after.valid()) place.after = comparer.index_after().of_module[after.value];
    if (place.before.empty() && place.after.empty()) return;
    places.push_back(std::move(place));
    comparison.modules.push_back({before, after, {}});
  };
  for (size_t m = 0; m < before_of.size(); ++m) add(before_of[m], ModuleId(m));
  for (size_t m = 0; m < is_matched.size(); ++m) {
    if (!is_matched[m]) add(ModuleId(m), ModuleId());
  }
  std::vector<Change> changes = comparer.changes(places);
  for (size_t i = 0; i < changes.size(); ++i) comparison.modules[i].change = changes[i];
}

// Of modules that both sides have.
void add_classes(const Comparer& comparer, Comparison& comparison) {
  const Code& code = *comparison.after->code;
  std::map<uint32_t, PlaceOfBoth> places;
  for (const ModulePair& pair : comparison.match.modules) {
    PlaceOfBoth& place = places[code.modules[pair.after.value].type.value];
    const Operations& before = comparer.index_before().of_module[pair.before.value];
    const Operations& after = comparer.index_after().of_module[pair.after.value];
    place.before.insert(place.before.end(), before.begin(), before.end());
    place.after.insert(place.after.end(), after.begin(), after.end());
  }
  std::vector<PlaceOfBoth> rows;
  for (auto& [type, place] : places) {
    rows.push_back({merged({&place.before}), merged({&place.after})});
    comparison.classes.push_back({StringId(type), {}});
  }
  std::vector<Change> changes = comparer.changes(rows);
  for (size_t i = 0; i < changes.size(); ++i) comparison.classes[i].change = changes[i];
}

void add_parts(const Comparer& comparer, Comparison& comparison) {
  std::vector<PlaceOfBoth> places;
  for (size_t p = 0; p < kParts; ++p) {
    const Part part = static_cast<Part>(p);
    PlaceOfBoth place{comparer.index_before().of_part[p], comparer.index_after().of_part[p]};
    const bool is_listed = part == Part::Line && !comparison.lines.empty();
    if (is_listed || (place.before.empty() && place.after.empty())) continue;
    comparison.parts.push_back({part, {}});
    places.push_back(std::move(place));
  }
  std::vector<Change> changes = comparer.changes(places);
  for (size_t i = 0; i < changes.size(); ++i) comparison.parts[i].change = changes[i];
}

// Of the time of operators, how much belongs to lines or modules that both sides have. Without
// lines nothing tells.
double score_of(const Comparison& comparison) {
  if (comparison.before->code->lines.empty() || comparison.after->code->lines.empty()) return 1;
  std::vector<bool> lines_before(comparison.before->code->lines.size());
  std::vector<bool> lines_after(comparison.after->code->lines.size());
  for (const LineGroup& group : comparison.match.lines) {
    for (const LineId line : group.before) lines_before[line.value] = true;
    for (const LineId line : group.after) lines_after[line.value] = true;
  }
  std::vector<bool> modules_before(comparison.before->code->modules.size());
  std::vector<bool> modules_after(comparison.after->code->modules.size());
  for (const ModulePair& pair : comparison.match.modules) {
    // Every model has a root.
    if (pair.before == ModuleId(0)) continue;
    modules_before[pair.before.value] = modules_after[pair.after.value] = true;
  }
  double matched = 0;
  double all = 0;
  const auto add = [&](const Side& side, const std::vector<bool>& lines,
                       const std::vector<bool>& modules) {
    const auto measured = static_cast<double>(std::max<int64_t>(side.measured().value, 1));
    for (size_t i = 0; i < side.operations.size(); ++i) {
      const Landing& landing = side.landings.rows[i];
      if (!landing.is_leaf()) continue;
      double share = 0;
      for (const DumpAmounts& dump : side.dumps)
        share += static_cast<double>(dump.self[i].amount.value) / measured;
      all += share;
      const bool is_known = (landing.line.valid() && lines[landing.line.value]) ||
                            (landing.module.valid() && modules[landing.module.value]);
      if (is_known) matched += share;
    }
  };
  add(*comparison.before, lines_before, modules_before);
  add(*comparison.after, lines_after, modules_after);
  return all > 0 ? matched / all : 1;
}

template <typename Row>
void sort_by_difference(std::vector<Row>& rows) {
  std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
    return std::abs(a.change.after.value - a.change.before.value) >
           std::abs(b.change.after.value - b.change.before.value);
  });
}

void index_rows(Comparison& comparison) {
  comparison.row_of_line.assign(comparison.after->code->lines.size(), kNone);
  for (uint32_t i = 0; i < comparison.lines.size(); ++i) {
    for (const LineId line : comparison.lines[i].after) comparison.row_of_line[line.value] = i;
  }
  comparison.row_of_module.assign(comparison.after->code->modules.size(), kNone);
  for (uint32_t i = 0; i < comparison.modules.size(); ++i) {
    const ModuleId module = comparison.modules[i].after;
    if (module.valid()) comparison.row_of_module[module.value] = i;
  }
}

std::string side_name(const Side& side) {
  return side.etrecord_path.empty() ? side.dumps.front().path : side.etrecord_path;
}

template <typename Row, typename Id>
const Row* row_at(const std::vector<Row>& rows, const std::vector<uint32_t>& row_of, Id id) {
  if (!id.valid() || id.value >= row_of.size() || row_of[id.value] == kNone) return nullptr;
  return &rows[row_of[id.value]];
}

}  // namespace

const ClassChange* Comparison::of_class(StringId type) const {
  const auto at = std::find_if(classes.begin(), classes.end(),
                               [&](const ClassChange& row) { return row.type == type; });
  return at == classes.end() ? nullptr : &*at;
}
const LineChange* Comparison::of_line(LineId line) const {
  return row_at(lines, row_of_line, line);
}
const ModuleChange* Comparison::of_module(ModuleId module) const {
  return row_at(modules, row_of_module, module);
}

Result<Comparison> compare(std::shared_ptr<const Side> before, std::shared_ptr<const Side> after,
                           const CompareOptions& options) {
  const Result<TimeScale> scale = common_scale(*before, *after);
  if (!scale) return scale.error();
  const Result<void> groups = check_groups(before->group, after->group, "the base", "the new side");
  if (!groups) return groups.error();
  Comparison comparison;
  comparison.before = before;
  comparison.after = after;
  comparison.scale = *scale;
  comparison.match = match_code(*before->code, before->texts, *after->code, after->texts);
  Comparer comparer(*before, *after, *scale, options.judge);
  comparison.machine = comparer.find_machine(comparison.match.nodes, comparison.match.is_identical);
  const double factor = comparison.machine.factor;
  if (factor > kOtherClock || factor * kOtherClock < 1) {
    return Error{ErrorCode::Unsupported,
                 fmt::format("everything takes {:.3g} times as long on the new side: the clocks of "
                             "the two sides count in different units; name the unit of each{}",
                             factor, words_of(Control::SourceTimeScale))};
  }
  const bool has_lines = !before->code->lines.empty() && !after->code->lines.empty();
  if (has_lines) {
    add_lines(comparer, LineCollector(comparer, comparison.match).take(), comparison);
    add_modules(comparer, comparison.match, comparison);
    add_classes(comparer, comparison);
  }
  comparison.score = score_of(comparison);
  if (comparison.score < kSameModelScore) {
    return Error{ErrorCode::Unsupported,
                 fmt::format("{} and {} are of different models: {:.0f}% of the time is in lines "
                             "and modules that both have; compare exports of one model",
                             side_name(*before), side_name(*after), 100 * comparison.score)};
  }
  add_parts(comparer, comparison);
  comparison.operators = operator_changes(comparer, comparison);
  comparison.partitions = partition_changes(comparer, comparison);
  comparison.delegation = delegation_moves(*before, *after, comparison.match);
  comparison.total = comparer.total();
  sort_by_difference(comparison.lines);
  sort_by_difference(comparison.operators);
  index_rows(comparison);
  comparison.index_before = comparer.index_before();
  comparison.index_after = comparer.index_after();
  return comparison;
}

}  // namespace etlens
