// SPDX-License-Identifier: Apache-2.0
// The tool explain_line: what one source line costs and why, with what the editor's hover says.
#include <fmt/format.h>

#include <cstdlib>

#include "core/base/text.h"
#include "core/render/hover.h"
#include "mcp/tools/line_rows.h"

namespace etlens::mcp {
namespace {

struct ModuleCost {
  std::string module;
  double self = 0;
  double share = 0;
};
FIELDS(ModuleCost, module, self, share)

struct DelegateCall {
  uint64_t id = 0;
  std::optional<std::string> backend;
  double total = 0;
  uint64_t lines = 0;          // whose work it does
  std::optional<double> init;  // once, to set its delegate up
};
FIELDS(DelegateCall, id, backend, total, lines, init)

struct LineAnswer {
  Measured measured;
  Place place;
  std::string anchor;  // exact, moved, stale, lost
  bool edited = false;
  std::string explanation;
  double self = 0;
  double share = 0;
  std::optional<double> low;
  std::optional<double> high;
  double inclusive = 0;
  double inclusive_share = 0;
  double p50 = 0;
  double p90 = 0;
  double occurrences = 0;
  uint64_t calls = 0;
  std::string confidence;
  double delegated = 0;
  std::vector<OpRow> ops;
  std::vector<OpRow> through;  // the most costly that it calls
  std::vector<ModuleCost> by_module;
  std::vector<Place> fused_into;
  std::vector<Place> fused_from;
  std::vector<DelegateCall> partitions;
  std::vector<std::string> notes;
  std::vector<LeftOut> left_out;
};
FIELDS(LineAnswer, measured, place, anchor, edited, explanation, self, share, low, high, inclusive,
       inclusive_share, p50, p90, occurrences, calls, confidence, delegated, ops, through,
       by_module, fused_into, fused_from, partitions, notes, left_out)

constexpr size_t kMaxExplanation = 1500;
constexpr size_t kMaxPlaces = 10;

bool has_content(const LineFacts& line) {
  return line.has_cost() || !line.fused_into.empty() || !line.partitions.empty();
}

// The recorded line that stands at `number` now.
Result<LineId> find_line(const Asked& asked, FileId file, size_t number) {
  const CodeFile& row = asked.facts.code().files[file.value];
  std::vector<std::string> near;
  constexpr size_t kMaxNear = 6;
  constexpr int64_t kNear = 10;
  for (uint32_t i = 0; i < row.line_count; ++i) {
    const LineId id(row.first_line + i);
    const uint32_t at = asked.sources.anchor(id).line;
    if (at == 0 || !has_content(asked.facts.line(id))) continue;
    if (at == number) return id;
    if (std::abs(static_cast<int64_t>(at) - static_cast<int64_t>(number)) <= kNear &&
        near.size() < kMaxNear)
      near.push_back(std::to_string(at));
  }
  return Error{ErrorCode::NotFound,
               fmt::format("nothing of the profile is on line {}; {}", number,
                           near.empty() ? "hot_lines lists the lines that have something"
                                        : "lines near it that have: " + join(near, ", "))};
}

void add_places(const Asked& asked, const LineFacts& line, LineAnswer& answer) {
  for (const ModuleShare& share : asked.facts.by_module(line)) {
    answer.by_module.push_back({clipped(asked.facts.module(share.module).path),
                                asked.units.of(share.cost), rounded(share.cost.share)});
  }
  answer.fused_into = asked.sources.references(line.fused_into, kMaxPlaces);
  answer.fused_from = asked.sources.references(line.fused_from, kMaxPlaces);
  for (const PartitionId id : line.partitions) {
    const PartitionFacts call = asked.facts.partition(id);
    answer.partitions.push_back(
        {call.number, given(call.backend), asked.units.of(call.total), call.lines.size(), {}});
    if (call.init) answer.partitions.back().init = asked.units.of(*call.init);
  }
}

LineAnswer explain(const Asked& asked, LineId id) {
  const LineFacts line = asked.facts.line(id);
  const Anchor& anchor = asked.sources.anchor(id);
  LineAnswer answer;
  answer.measured = measured(asked.facts, asked.head);
  answer.place = asked.sources.place(id);
  answer.anchor = name_of(anchor.verdict);
  answer.edited = anchor.edited;
  HoverOptions options;
  options.current_line = [&](LineId other) { return asked.sources.anchor(other).line; };
  HoverInfo hover = line_hover(asked.facts, id, options);
  hover.operators.rows.clear();  // `ops` has them
  hover.more_operators = 0;
  answer.explanation = clipped(to_plain_text(hover), kMaxExplanation);
  answer.self = asked.units.of(line.self);
  answer.share = rounded(line.self.share);
  if (const std::optional<Interval> interval = asked.facts.interval(line.own)) {
    answer.low = asked.units.of(interval->low);
    answer.high = asked.units.of(interval->high);
  }
  answer.inclusive = asked.units.of(line.inclusive);
  answer.inclusive_share = rounded(line.inclusive.share);
  const PerfData statistics = asked.facts.statistics(line.own);
  answer.p50 = asked.units.of(statistics.p50);
  answer.p90 = asked.units.of(statistics.p90);
  answer.occurrences = rounded(line.occurrences);
  answer.calls = line.runs;
  answer.confidence = name_of(line.confidence);
  answer.delegated = rounded(fraction_of(line.delegated, line.self.amount));
  answer.ops = op_rows(asked, line.own, line.own.size());
  if (line.own.empty()) answer.through = op_rows(asked, line.through, line.through.size());
  add_places(asked, line, answer);
  answer.notes = notes_of(asked);
  return answer;
}

Result<std::string> run_explain(const Arguments& arguments, Workspace& workspace,
                                const CancelToken& cancel) {
  const auto asked = ask(arguments, workspace, cancel);
  if (!asked) return asked.error();
  const Result<FileId> file = find_file(**asked, workspace, arguments.text("path"));
  if (!file) return file.error();
  const Result<LineId> line = find_line(**asked, *file, arguments.count("line", 0));
  if (!line) return line.error();
  LineAnswer answer = explain(**asked, *line);
  const Room room(arguments);
  room.cut(answer, &LineAnswer::through, "through");
  room.cut(answer, &LineAnswer::by_module, "by_module");
  room.cut(answer, &LineAnswer::partitions, "partitions");
  room.cut(answer, &LineAnswer::ops, "ops");
  return room.text(answer);
}

}  // namespace

Tool explain_line_tool() {
  return {"explain_line",
          "Explain a line",
          "What one source line costs and why: its operators, where they ran, how it varies, by "
          "module, what it was fused into, why it was not delegated. Times are in ms.",
          with_study_arguments(
              {{"path", ArgumentType::Text, "Source file", true},
               {"line", ArgumentType::Count, "Line of the file as it is now, from 1", true},
               kMeasureArgument,
               kLimitArgument,
               kBytesArgument}),
          schema_text<LineAnswer>,
          run_explain};
}

}  // namespace etlens::mcp
