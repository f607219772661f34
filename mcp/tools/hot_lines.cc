// SPDX-License-Identifier: Apache-2.0
// The tool hot_lines: source lines by their own cost, the most costly first.
#include "core/facts/output_shape.h"
#include "core/facts/ranking.h"
#include "core/facts/running_cost.h"
#include "mcp/tools/line_rows.h"

namespace etlens::mcp {
namespace {

struct HotLine {
  Place place;
  double self = 0;
  double share = 0;
  double running_share = 0;   // with all rows before it
  std::optional<double> low;  // 95 % interval of self
  std::optional<double> high;
  std::vector<uint64_t> rank;  // places that it may have: first, last
  double inclusive = 0;
  double occurrences = 0;
  uint64_t calls = 0;
  std::string confidence;
  double delegated = 0;            // share of self
  std::vector<std::string> where;  // backends, CPU last; empty: all on the CPU
  std::optional<std::string> shape;
  std::vector<OpRow> ops;
  uint64_t more_ops = 0;
};
FIELDS(HotLine, place, self, share, running_share, low, high, rank, inclusive, occurrences, calls,
       confidence, delegated, where, shape, ops, more_ops)

struct HotLinesAnswer {
  Measured measured;
  std::vector<HotLine> lines;
  std::vector<std::string> notes;
  std::vector<LeftOut> left_out;
};
FIELDS(HotLinesAnswer, measured, lines, notes, left_out)

constexpr size_t kMaxOps = 3;

// `index`: of the line in Facts::hot_lines.
HotLine hot_line(const Asked& asked, const LineFacts& line, size_t index) {
  HotLine row;
  row.place = asked.sources.place(line.id);
  row.self = asked.units.of(line.self);
  row.share = rounded(line.self.share);
  if (const std::optional<Interval> interval = asked.kept->ranking.interval(index)) {
    row.low = asked.units.of(interval->low);
    row.high = asked.units.of(interval->high);
  }
  const RankRange rank = asked.kept->ranking.places(index);
  row.rank = {rank.first, rank.last};
  row.inclusive = asked.units.of(line.inclusive);
  row.occurrences = rounded(line.occurrences);
  row.calls = line.runs;
  row.confidence = name_of(line.confidence);
  row.delegated = rounded(fraction_of(line.delegated, line.self.amount));
  row.where = line.where;
  row.shape = given(clipped(output_shape(asked.facts, line)));
  row.ops = op_rows(asked, line.own, kMaxOps);
  row.more_ops = line.own.size() - row.ops.size();
  return row;
}

Result<std::string> run_hot_lines(const Arguments& arguments, Workspace& workspace,
                                  const CancelToken& cancel) {
  const auto asked = ask(arguments, workspace, cancel);
  if (!asked) return asked.error();
  const Asked& of = **asked;
  FileId only;
  if (const std::string path = arguments.text("path"); !path.empty()) {
    const Result<FileId> file = find_file(of, workspace, path);
    if (!file) return file.error();
    only = *file;
  }
  HotLinesAnswer answer;
  answer.measured = measured(of.facts, of.head);
  answer.notes = notes_of(of);
  const std::vector<LineId>& lines = of.facts.hot_lines();
  const size_t offset = arguments.count("offset", 0);
  const Room room(arguments);
  RunningCost running(of.facts);
  size_t matching = 0;
  for (size_t i = 0; i < lines.size(); ++i) {
    const LineFacts line = of.facts.line(lines[i]);
    const double share = running.add(line.self).share;
    if (only.valid() && line.file != only) continue;
    if (matching++ < offset || answer.lines.size() >= room.rows()) continue;
    answer.lines.push_back(hot_line(of, line, i));
    answer.lines.back().running_share = rounded(share);
  }
  const size_t shown = std::min(matching, offset) + answer.lines.size();
  if (matching > shown) leave_out(answer.left_out, "lines", matching - shown);
  room.cut(answer, &HotLinesAnswer::lines, "lines");
  return room.text(answer);
}

}  // namespace

Tool hot_lines_tool() {
  return {"hot_lines",
          "Hot lines",
          "Source lines by their own cost, the most costly first: file, line, text, time, 95 % "
          "interval, operators and where they ran. rank is a range where neighbours cannot be "
          "distinguished. Times are in ms, of one execution.",
          with_study_arguments({{"path", ArgumentType::Text, "Only lines of this source file"},
                                {"offset", ArgumentType::Count, "Rows to skip, for the next page"},
                                kMeasureArgument,
                                kLimitArgument,
                                kBytesArgument}),
          schema_text<HotLinesAnswer>,
          run_hot_lines};
}

}  // namespace etlens::mcp
