// SPDX-License-Identifier: Apache-2.0
// The tool compare: what changed from one side to the other, on which line, and is it real.
#include <unordered_map>

#include "core/base/text.h"
#include "core/render/diff_rows.h"
#include "core/render/diff_text.h"
#include "core/view/diff_view.h"
#include "mcp/tools/study_tool.h"

namespace etlens::mcp {
namespace {

struct ChangeRow {
  std::string place;                 // in words
  std::optional<Place> before_line;  // as recorded
  std::optional<Place> after_line;
  std::optional<std::string> text;
  std::optional<std::string> kernels;  // if they are others than before
  double before = 0;
  double after = 0;
  std::optional<double> change;  // fraction of before, beyond the machine's factor
  std::optional<double> low;     // its interval
  std::optional<double> high;
  std::string verdict;  // slower, faster, same, cannot_tell, gone, new
  bool likely = false;
  std::optional<std::string> reason;
  std::optional<uint64_t> needs_dumps;  // more of each side that would settle it
};
FIELDS(ChangeRow, place, before_line, after_line, text, kernels, before, after, change, low, high,
       verdict, likely, reason, needs_dumps)

struct MachineRow {
  double factor = 0;
  double low = 0;
  double high = 0;
};
FIELDS(MachineRow, factor, low, high)

struct CompareAnswer {
  std::string unit;
  uint64_t base_dumps = 0;
  uint64_t new_dumps = 0;
  std::optional<MachineRow> machine;  // how much faster or slower it was as a whole
  ChangeRow total;
  std::vector<ChangeRow> changes;  // slower and faster first, then gone and new
  DelegationMovesView delegation;  // what left the delegate, and what entered it
  std::vector<std::string> notes;
  std::vector<LeftOut> left_out;
};
FIELDS(CompareAnswer, unit, base_dumps, new_dumps, machine, total, changes, delegation, notes,
       left_out)

// Where a line was when it was recorded: either side's sources may be gone.
std::optional<Place> recorded_place(const Side& side, const std::vector<LineId>& lines) {
  if (lines.empty()) return std::nullopt;
  const CodeLine& line = side.code->lines[lines.front().value];
  Place place;
  place.recorded_path = clipped(side.code->recorded_path(line.file));
  place.recorded_line = line.number;
  place.path = given(side.sources[line.file.value].path);
  place.function = given(side.code->text(line.function));
  place.text = given(side.code->text(line.text));
  return place;
}

ChangeRow change_row(const Change& change, double factor) {
  const Judged& judged = change.judged;
  ChangeRow row;
  row.before = rounded(change.before.value / factor);
  row.after = rounded(change.after.value / factor);
  const bool has_numbers = judged.verdict != Verdict::Gone && judged.verdict != Verdict::New &&
                           judged.reason != Reason::Nothing;
  if (has_numbers) {
    row.change = rounded(judged.change);
    row.low = rounded(judged.low);
    row.high = rounded(judged.high);
  }
  row.verdict = name_of(judged.verdict);
  row.likely = judged.is_likely;
  if (judged.reason != Reason::None) row.reason = name_of(judged.reason);
  row.needs_dumps = judged.needs_dumps;
  return row;
}

void add_changes(const Comparison& comparison, DiffGrouping grouping, double factor,
                 CompareAnswer& answer) {
  std::unordered_map<const Change*, const LineChange*> lines;
  for (const LineChange& line : comparison.lines) lines[&line.change] = &line;
  for (const DiffRow& row : diff_rows(comparison, grouping)) {
    ChangeRow out = change_row(*row.change, factor);
    out.place = clipped(row.place);
    out.kernels = given(row.kernels);
    const auto line = lines.find(row.change);
    if (line != lines.end()) {
      out.before_line = recorded_place(*comparison.before, line->second->before);
      out.after_line = recorded_place(*comparison.after, line->second->after);
    } else {
      out.text = given(row.text);
    }
    answer.changes.push_back(std::move(out));
  }
}

// Texts of artifacts may be long: what is left of this one ends with a whole character.
std::string_view short_text(std::string_view text) {
  if (text.size() <= kMaxText) return text;
  size_t end = kMaxText;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end);
}

void shorten(Nullable<ComparedLineView>& line) {
  if (!line.value) return;
  for (std::string_view* text :
       {&line.value->recorded_path, &line.value->function, &line.value->text})
    *text = short_text(*text);
}

// A few lines, each with a few operators: `diff` has all of them.
void add_moves(const Comparison& comparison, CompareAnswer& answer) {
  constexpr size_t kMostMoves = 20;
  constexpr size_t kMostOperators = 10;
  answer.delegation = delegation_moves_view(comparison);
  std::vector<DelegationMoveView>& moves = answer.delegation.moves;
  if (moves.size() > kMostMoves) {
    leave_out(answer.left_out, "delegation.moves", moves.size() - kMostMoves);
    moves.resize(kMostMoves);
  }
  for (DelegationMoveView& move : moves) {
    shorten(move.before);
    shorten(move.after);
    if (move.operators.size() > kMostOperators) move.operators.resize(kMostOperators);
    for (MovedOperatorView& moved : move.operators) moved.op = short_text(moved.op);
  }
}

void add_notes(const ComparedSides& sides, CompareAnswer& answer) {
  const Comparison& comparison = sides.comparison;
  const size_t left_out = comparison.before->left_out.size() + comparison.after->left_out.size();
  for (const std::shared_ptr<const Side>& side : {comparison.before, comparison.after}) {
    if (!side->record_problem.empty())
      answer.notes.push_back(clipped(side->record_problem) + "; the record is left out");
  }
  if (left_out > 0)
    answer.notes.push_back(counted(left_out, "dump is", "dumps are") + " of other programs");
  if (sides.is_without_recovery) {
    answer.notes.emplace_back(
        "lines inside helpers were found again of one side alone: both are compared on lines of "
        "forward");
  }
  for (std::string& sentence : group_sentences(comparison))
    answer.notes.push_back(std::move(sentence));
  if (answer.base_dumps < 5 || answer.new_dumps < 5) {
    answer.notes.emplace_back(
        "each dump is one process: with fewer than five of each side a verdict is likely at best");
  }
}

Result<std::string> run_compare(const Arguments& arguments, Workspace& workspace,
                                const CancelToken& cancel) {
  const std::string by = arguments.text("by");
  const std::optional<DiffGrouping> grouping = parse_diff_grouping(by.empty() ? "line" : by);
  if (!grouping) {
    return Error{ErrorCode::InvalidParams,
                 "by is line, module, operator or partition; there is no " + clipped(by)};
  }
  const Result<StudyWish> wish = study_wish(arguments);
  if (!wish) return wish.error();
  const Result<ComparedSides> sides =
      workspace.comparison(arguments.texts("base"), arguments.texts("new"), *wish, cancel);
  if (!sides) return sides.error();
  const Comparison& comparison = sides->comparison;
  const TimeScale target =
      comparison.scale == TimeScale::Cycles ? TimeScale::Cycles : TimeScale::Milliseconds;
  const double factor = scale_factor(comparison.scale, target);
  CompareAnswer answer;
  answer.unit = name_of(target);
  answer.base_dumps = comparison.before->dumps.size();
  answer.new_dumps = comparison.after->dumps.size();
  const Machine& machine = comparison.machine;
  if (machine.is_known)
    answer.machine = {rounded(machine.factor), rounded(machine.low), rounded(machine.high)};
  answer.total = change_row(comparison.total, factor);
  answer.total.place = "total";
  add_changes(comparison, *grouping, factor, answer);
  add_moves(comparison, answer);
  add_notes(*sides, answer);
  const Room room(arguments);
  room.cut(answer, &CompareAnswer::changes, "changes");
  return room.text(answer);
}

}  // namespace

Tool compare_tool() {
  return {
      "compare",
      "Compare two sides",
      "What changed from base to new, and is it real: total and lines with verdicts slower, "
      "faster, same or cannot_tell, beyond what the machine itself changed by. Times are in "
      "ms. Never claim a speed-up whose verdict is not faster.",
      {{"base", ArgumentType::Texts, "Dumps of the base: files, folders or globs", true},
       {"new", ArgumentType::Texts,
        "Dumps of the new side, in the same form (default: the newest dump found)"},
       {"by", ArgumentType::Text, "line (default), module, operator or partition"},
       {"method", ArgumentType::Text, "Method of both sides"},
       {"block", ArgumentType::Text, "Block of executions of both sides"},
       {"executions", ArgumentType::Text, "Executions of each dump: 1-25,30, or slow, fast, all"},
       {"statistic", ArgumentType::Text, "typical (default), mean, median, min or max"},
       kPathMapArgument,
       kLibraryArgument,
       kRecoverArgument,
       kScaleArgument,
       kLimitArgument,
       kBytesArgument},
      schema_text<CompareAnswer>,
      run_compare};
}

}  // namespace etlens::mcp
