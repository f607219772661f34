// SPDX-License-Identifier: Apache-2.0
// etlens/changes: what changed since the baseline, line by line; and the commands that step through
// the lines.
#include <algorithm>
#include <tuple>

#include "core/render/diff_rows.h"
#include "core/render/diff_text.h"
#include "core/render/format.h"
#include "server/features/features.h"

namespace etlens {
namespace {

bool is_marked(const Judged& judged) { return !short_change_text(judged).empty(); }

// As its hint and its heat show the line: where the hint is of what the line calls, too, the mark
// is.
bool is_marked(Session& session, const LineChange& row, LineId id) {
  if (session.shown_comparison() == nullptr) return is_marked(row.change.judged);
  const Code& code = session.time_facts()->code();
  const SourceView* view = session.sources.view(code.lines[id.value].file);
  const bool edited = view != nullptr && view->anchor_of(code, id).edited;
  const std::optional<WordedHint>& hint = session.hint_of(id, edited);
  const Change* change = session.change_of(id, hint && hint->hint.is_inclusive);
  return change != nullptr && is_marked(change->judged);
}

// A line that is marked as slower, faster or new, where it is now.
struct Stop {
  uint32_t file = 0;
  uint32_t line = 0;  // 1-based
  LineId id;

  auto key() const { return std::tuple(file, line); }
};

std::vector<Stop> stops_of(Session& session) {
  std::vector<Stop> stops;
  for (const LineChange& row : session.comparison()->lines) {
    for (const LineId id : row.after) {
      const uint32_t line = session.sources.current_line(id);
      if (line == 0 || !is_marked(session, row, id)) continue;
      stops.push_back({session.time_facts()->code().lines[id.value].file.value, line, id});
    }
  }
  std::ranges::stable_sort(stops, {}, &Stop::key);
  const auto is_same = [](const Stop& a, const Stop& b) { return a.key() == b.key(); };
  stops.erase(std::unique(stops.begin(), stops.end(), is_same), stops.end());
  return stops;
}

// The first stop behind the position, or before it; from anywhere else the first, or the last.
size_t stop_from(Session& session, const std::vector<Stop>& stops,
                 const extensions::ChangedLineArguments& arguments, int step) {
  const size_t first = step > 0 ? 0 : stops.size() - 1;
  if (!arguments.uri || !arguments.position) return first;
  const SourceView* view = session.sources.view(*arguments.uri);
  if (view == nullptr) return first;
  const std::tuple here(view->file.value, arguments.position->line + 1);
  if (step > 0) {
    const auto at = std::find_if(stops.begin(), stops.end(),
                                 [&](const Stop& stop) { return stop.key() > here; });
    return at == stops.end() ? first : static_cast<size_t>(at - stops.begin());
  }
  const auto at = std::find_if(stops.rbegin(), stops.rend(),
                               [&](const Stop& stop) { return stop.key() < here; });
  return at == stops.rend() ? first : static_cast<size_t>(stops.rend() - at) - 1;
}

}  // namespace

extensions::ChangeItem change_item(const Session& session, const Change& change) {
  const Judged& judged = change.judged;
  extensions::ChangeItem item;
  item.verdict = name_of(judged.verdict);
  item.verdict_text = verdict_text(judged);
  item.likely = judged.is_likely;
  item.mark = change_mark(judged);
  item.text = short_change_text(judged);
  const TimeScale scale = session.comparison()->scale;
  item.before = time_value(session, scale, change.before.value);
  item.after = time_value(session, scale, change.after.value);
  item.interval = interval_text(judged);
  if (!item.interval.empty()) {
    item.change = judged.change;
    item.low = judged.low;
    item.high = judged.high;
  }
  item.reason = text_if_any(reason_text(judged));
  return item;
}

const Change* scope_change(const Session& session, const SourceView& view, uint32_t line) {
  const Comparison* comparison = session.shown_comparison();
  if (comparison == nullptr || view.syntax == nullptr) return nullptr;
  if (const AttributeFacts* attribute = view.attribute_at(line)) {
    // Of several instances only their class is compared.
    if (attribute->row->instances.size() != 1) return nullptr;
    const ModuleChange* row = comparison->of_module(attribute->row->instances.front());
    return row == nullptr ? nullptr : &row->change;
  }
  const std::span<const PythonScope> scopes = view.syntax->scopes();
  // Headers ascend.
  const auto first = std::ranges::lower_bound(scopes, line, {}, &PythonScope::header_line);
  for (auto s = static_cast<uint32_t>(first - scopes.begin());
       s < scopes.size() && scopes[s].header_line == line; ++s) {
    const uint32_t scope = scopes[s].is_class ? s : scopes[s].parent;
    const bool is_forward = !scopes[s].is_class && scopes[s].name == "forward";
    if (scope == kNone || !(scopes[s].is_class || is_forward)) return nullptr;
    const ClassRow* row = view.classes[scope];
    const ClassChange* change = row == nullptr ? nullptr : comparison->of_class(row->type);
    return change == nullptr ? nullptr : &change->change;
  }
  return nullptr;
}

std::optional<extensions::ComparisonItem> comparison_item(const Session& session) {
  if (session.study() == nullptr || !session.study()->used.baseline.is_wanted())
    return std::nullopt;
  extensions::ComparisonItem item;
  item.baseline = session.study()->used.settings.baseline.paths;
  const Comparison* comparison = session.comparison();
  if (comparison == nullptr) {
    item.problem = session.study()->baseline_problem;
    return item;
  }
  item.dumps_before = static_cast<uint32_t>(comparison->before->dumps.size());
  item.dumps_after = static_cast<uint32_t>(comparison->after->dumps.size());
  item.total = change_item(session, comparison->total);
  item.headline = total_text(*comparison, session.config.show.unit);
  item.counts = counts_text(*comparison);
  item.machine = text_if_any(machine_text(*comparison));
  item.caveats = caveats(*comparison);
  return item;
}

namespace {

void add_moves(Session& session, const Comparison& comparison, extensions::ChangesResult& result) {
  const DelegationMovesView view = delegation_moves_view(comparison);
  if (view.not_known.value) result.delegation_not_known = delegation_sentences(comparison).front();
  for (size_t i = 0; i < view.moves.size(); ++i) {
    const DelegationMove& move = comparison.delegation.rows[i];
    extensions::MovedOperators& row = result.delegation.emplace_back();
    row.facts = {view.moves[i]};
    row.place = move_place_text(comparison, move);
    row.text = moved_operators_text(move);
    if (move.after.valid()) row.source = source_line(session, *session.time_facts(), move.after);
  }
}

}  // namespace

extensions::ChangesResult list_changes(Session& session) {
  extensions::ChangesResult result;
  result.generation = session.generation();
  result.comparison = comparison_item(session);
  const Comparison* comparison = session.comparison();
  if (comparison == nullptr) return result;
  for (const LineChange& row : comparison->lines) {
    const bool is_gone = row.change.judged.verdict == Verdict::Gone;
    const bool has_time = row.change.before.ticks != Amount() || row.change.after.ticks != Amount();
    if (!has_time || (!is_gone && !is_marked(row.change.judged))) continue;
    const Code& code = row.after.empty() ? *comparison->before->code : *comparison->after->code;
    const LineId id = row.after.empty() ? row.before.front() : row.after.front();
    extensions::ChangedLine line;
    line.place = place_text(*comparison, row);
    line.text = code.text(code.lines[id.value].text);
    line.kernels = kernel_text(row.kernels_before, row.kernels_after);
    if (!row.after.empty()) line.source = source_line(session, *session.time_facts(), id);
    line.change = change_item(session, row.change);
    result.lines.push_back(std::move(line));
  }
  add_moves(session, *comparison, result);
  return result;
}

Result<HotLineTarget> changed_line(Session& session,
                                   const extensions::ChangedLineArguments& arguments, int step) {
  if (session.study() == nullptr) return Error{ErrorCode::NotFound, session.message};
  if (session.comparison() == nullptr) {
    const std::string& problem = session.study()->baseline_problem;
    return Error{
        ErrorCode::NotFound,
        problem.empty() ? "there is no baseline; choose one with etlens.selectBaseline" : problem};
  }
  const std::vector<Stop> stops = stops_of(session);
  if (stops.empty()) {
    return Error{ErrorCode::NotFound,
                 "no line is slower, faster or new: " +
                     total_text(*session.comparison(), session.config.show.unit)};
  }
  const size_t next = stop_from(session, stops, arguments, step);
  std::optional<lsp::Location> location =
      location_of(session, *session.time_facts(), stops[next].id);
  if (!location) return Error{ErrorCode::NotFound, "the line is not here any more"};
  return HotLineTarget{std::move(*location), next, stops.size()};
}

}  // namespace etlens
