// SPDX-License-Identifier: Apache-2.0
// The tool profile_summary: what was measured, what it amounts to, where it went and how sure it
// is.
#include "core/render/findings.h"
#include "core/render/format.h"
#include "core/render/summary.h"
#include "mcp/tools/study_tool.h"

namespace etlens::mcp {
namespace {

struct SummaryPart {
  std::string part;
  double self = 0;
  double share = 0;
  std::optional<double> rounding;  // up to so much of it is what a coarse clock cut off
};
FIELDS(SummaryPart, part, self, share, rounding)

struct OddExecution {
  uint64_t execution = 0;  // 1-based
  double total = 0;
  std::optional<std::string> reason;
};
FIELDS(OddExecution, execution, total, reason)

struct HottestLine {
  Place place;
  double self = 0;
  double share = 0;
};
FIELDS(HottestLine, place, self, share)

// Executions that did the same work, where others did another amount of it.
struct SummaryGroup {
  std::string name;             // as the argument group takes it
  uint64_t executions = 0;      // that are in it
  double typical = 0;           // of one execution
  std::optional<int64_t> size;  // of the inputs' symbolic dimension, where the dump knows it
  std::optional<int64_t> tokens;
  std::optional<double> tokens_per_second;  // where the tokens are known
  bool shown = false;
};
FIELDS(SummaryGroup, name, executions, typical, size, tokens, tokens_per_second, shown)

struct SummaryAnswer {
  Measured measured;
  std::string headline;  // in words
  double mean = 0;
  double disturbance = 0;
  double disturbance_share = 0;
  double loading = 0;   // of the program, once, beside the total
  double on_lines = 0;  // shares of the total
  double in_modules = 0;
  double delegated = 0;
  std::vector<SummaryPart> parts;  // with the disturbance they are the mean
  std::vector<HottestLine> hottest;
  std::vector<OddExecution> odd_executions;
  std::optional<std::string> also;        // other methods in the same dump, in words
  std::optional<std::string> cold_start;  // loading and the first execution, in words
  std::optional<std::string> kinds;       // of executions, where there are several
  std::vector<SummaryGroup> groups;       // the same; the largest total first
  std::vector<std::string> measures;      // that can be asked for
  std::vector<std::string> warnings;      // check has all of them
  std::vector<std::string> notes;
  std::vector<LeftOut> left_out;
};
FIELDS(SummaryAnswer, measured, headline, mean, disturbance, disturbance_share, loading, on_lines,
       in_modules, delegated, parts, hottest, odd_executions, also, cold_start, kinds, groups,
       measures, warnings, notes, left_out)

constexpr size_t kHottest = 5;

void add_summary_lists(const Asked& asked, SummaryAnswer& answer) {
  const Headline& head = asked.head;
  for (const PartFacts& part : head.parts) {
    SummaryPart row{std::string(name_of(part.part)), asked.units.of(part.cost),
                    rounded(part.cost.share), std::nullopt};
    if (part.rounding > 0) row.rounding = asked.units.of(part.rounding);
    answer.parts.push_back(std::move(row));
  }
  const std::vector<LineId>& lines = asked.facts.hot_lines();
  for (size_t i = 0; i < std::min(kHottest, lines.size()); ++i) {
    const LineFacts line = asked.facts.line(lines[i]);
    answer.hottest.push_back(
        {asked.sources.place(line.id), asked.units.of(line.self), rounded(line.self.share)});
  }
  for (const OddSample& odd : head.odd) {
    answer.odd_executions.push_back({odd.sample + uint64_t{1}, asked.units.of(odd.total),
                                     given(odd_reason(odd, asked.facts, std::nullopt))});
  }
  for (const GroupFacts& group : head.groups) {
    SummaryGroup& row = answer.groups.emplace_back();
    row.name = group.name;
    row.executions = group.samples.size();
    row.typical = asked.units.of(group.typical);
    row.size = group.size;
    row.tokens = group.tokens;
    if (group.tokens_per_second) row.tokens_per_second = rounded(*group.tokens_per_second);
    row.shown = group.is_shown;
  }
  for (const Measure& measure : asked.opened->study->measures)
    answer.measures.emplace_back(measure.quantity.id);
  for (const ReportRow& row : asked.opened->study->report.rows()) {
    const OddityInfo& info = info_of(row.oddity);
    if (info.severity != Severity::Info)
      answer.warnings.push_back(std::string(info.id) + ": " + advice_of(row.oddity));
  }
}

Result<std::string> run_summary(const Arguments& arguments, Workspace& workspace,
                                const CancelToken& cancel) {
  const auto asked = ask(arguments, workspace, cancel);
  if (!asked) return asked.error();
  const Asked& of = **asked;
  SummaryAnswer answer;
  answer.measured = measured(of.facts, of.head);
  answer.headline = headline_text(of.head, of.facts, std::nullopt);
  answer.mean = of.units.of(of.head.mean);
  answer.disturbance = of.units.of(of.head.disturbance);
  answer.disturbance_share = rounded(of.head.disturbance_share);
  answer.loading = of.units.of(of.head.loading);
  answer.on_lines = rounded(of.head.on_lines);
  answer.in_modules = rounded(of.head.in_modules);
  answer.delegated = rounded(of.head.delegated);
  answer.also = given(also_text(of.facts.study(), std::nullopt, MethodControl::Argument));
  if (of.head.cold.loads > 0) {
    answer.cold_start =
        cold_start_text(of.head.cold, TimeStyle(of.facts.study().clock(), std::nullopt));
  }
  answer.kinds = given(groups_text(of.head, of.facts, std::nullopt));
  answer.notes = notes_of(of);
  for (std::string& finding : finding_texts(of.head, of.facts, std::nullopt))
    answer.notes.push_back(std::move(finding));
  add_summary_lists(of, answer);
  const Room room(arguments);
  room.cut(answer, &SummaryAnswer::odd_executions, "odd_executions");
  room.cut(answer, &SummaryAnswer::warnings, "warnings");
  room.cut(answer, &SummaryAnswer::hottest, "hottest");
  return room.text(answer);
}

}  // namespace

Tool profile_summary_tool() {
  return {"profile_summary",
          "Profile summary",
          "What one execution of the model costs and where the time went: total, parts, share on "
          "lines and in delegates, the hottest lines, odd executions, warnings. Times are in ms.",
          with_study_arguments({kMeasureArgument, kLimitArgument, kBytesArgument}),
          schema_text<SummaryAnswer>,
          run_summary};
}

}  // namespace etlens::mcp
