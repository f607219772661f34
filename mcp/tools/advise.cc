// SPDX-License-Identifier: Apache-2.0
// The tool advise: what to look at first, by the time that it could win.
#include "core/facts/advice.h"
#include "core/render/advice_text.h"
#include "mcp/tools/study_tool.h"

namespace etlens::mcp {
namespace {

struct AdviceRow {
  std::string kind;
  std::optional<std::string> subject;
  std::string title;
  std::optional<std::string> won;         // in words: "up to 30 µs 4.4%"
  std::optional<std::string> arithmetic;  // how it was worked out
  std::string action;
  std::string page;  // of the documentation
  double at_most = 0;
  double share = 0;
  double work = 0;
  double overhead = 0;
  uint64_t count = 0;
  std::vector<Place> lines;
  uint64_t more_lines = 0;
};
FIELDS(AdviceRow, kind, subject, title, won, arithmetic, action, page, at_most, share, work,
       overhead, count, lines, more_lines)

struct AdviceAnswer {
  Measured measured;
  std::vector<AdviceRow> advice;  // what could be won first
  std::vector<std::string> notes;
  std::vector<LeftOut> left_out;
};
FIELDS(AdviceAnswer, measured, advice, notes, left_out)

constexpr size_t kMaxLines = 5;

AdviceRow advice_row(const Asked& asked, const Advice& advice) {
  const AdviceWords words = words_of(asked.facts, asked.head, advice, std::nullopt);
  AdviceRow row;
  row.kind = name_of(advice.kind);
  row.subject = given(advice.subject);
  row.title = clipped(words.title);
  row.won = given(words.won);
  row.arithmetic = given(words.arithmetic);
  row.action = words.action;
  row.page = words.page;
  row.at_most = asked.units.of(advice.at_most);
  row.share = rounded(advice.at_most.share);
  row.work = asked.units.of(advice.work);
  row.overhead = asked.units.of(advice.overhead);
  row.count = advice.count;
  for (size_t i = 0; i < std::min(kMaxLines, advice.lines.size()); ++i)
    row.lines.push_back(asked.sources.place(advice.lines[i]));
  row.more_lines = advice.lines.size() - row.lines.size();
  return row;
}

Result<std::string> run_advise(const Arguments& arguments, Workspace& workspace,
                               const CancelToken& cancel) {
  const auto asked = ask(arguments, workspace, cancel);
  if (!asked) return asked.error();
  AdviceAnswer answer;
  answer.measured = measured((*asked)->facts, (*asked)->head);
  for (const Advice& advice : advise((*asked)->facts, (*asked)->head))
    answer.advice.push_back(advice_row(**asked, advice));
  answer.notes = notes_of(**asked);
  const Room room(arguments);
  room.cut(answer, &AdviceAnswer::advice, "advice");
  return room.text(answer);
}

}  // namespace

Tool advise_tool() {
  return {"advise",
          "What to do first",
          "What to look at first, by the time that it could win: operators that fell back to the "
          "CPU, small delegate calls, copies, work on constants, and what limits the numbers. Each "
          "finding follows from measured time alone and shows how it was worked out. Times are in "
          "ms.",
          with_study_arguments({kLimitArgument, kBytesArgument}),
          schema_text<AdviceAnswer>,
          run_advise};
}

}  // namespace etlens::mcp
