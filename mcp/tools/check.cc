// SPDX-License-Identifier: Apache-2.0
// The tool check: do the artifacts belong together, what was read, what is odd, how much is placed.
#include "core/render/check_pair.h"
#include "core/view/check_view.h"
#include "mcp/tools/study_tool.h"

namespace etlens::mcp {
namespace {

struct CheckAnswer {
  std::string etdump;
  std::optional<std::string> etrecord;
  std::optional<std::string> pte;
  std::optional<std::string> error;
  std::optional<PairView> pair;
  std::optional<CoverageView> coverage;
  std::optional<Measured> measured;
  std::vector<OddityView> report;
  std::vector<std::string> notes;
  std::vector<LeftOut> left_out;
};
FIELDS(CheckAnswer, etdump, etrecord, pte, error, pair, coverage, measured, report, notes, left_out)

void add_pair(const MethodFit& fit, const RunCheck* run, CheckAnswer& answer) {
  PairView pair{rounded(fit.score), name_of(fit.verdict()), {}, pair_confidence(run)};
  constexpr size_t kMaxReasons = 10;
  for (size_t r = 0; r < std::min(kMaxReasons, fit.reasons.size()); ++r)
    pair.reasons.push_back(clipped(fit.reasons[r]));
  answer.pair = std::move(pair);
}

Result<std::string> run_check(const Arguments& arguments, Workspace& workspace,
                              const CancelToken& cancel) {
  Result<StudyWish> wish = study_wish(arguments);
  if (!wish) return std::move(wish).error();
  wish->values.emplace().most_bytes = kQuicklyCompared;
  Result<OpenedStudy> chosen = workspace.choose(*wish, cancel);
  if (!chosen) return std::move(chosen).error();
  const Result<CheckedPair> checked =
      check_pair(workspace.files(), chosen->request, std::nullopt, cancel);
  if (!checked) return checked.error();
  const CheckResult& result = checked->result;
  CheckAnswer answer;
  answer.etdump = chosen->request.etdump;
  answer.etrecord = given(result.etrecord);
  answer.pte = given(chosen->request.pte);
  answer.error = given(result.error);
  if (result.fit) add_pair(*result.fit, result.run.get(), answer);
  if (result.facts != nullptr) {
    const Headline& head = result.headline;
    answer.coverage = {rounded(head.on_lines), rounded(head.in_modules), rounded(head.delegated)};
    answer.measured = measured(*result.facts, head);
  }
  for (const ReportRow& row : result.report.rows()) {
    const OddityInfo& info = info_of(row.oddity);
    answer.report.push_back(
        {info.id, name_of(info.severity), row.count, clipped(row.first), advice_of(row.oddity)});
  }
  answer.notes = notes_of(*chosen);
  const Room room(arguments);
  room.cut(answer, &CheckAnswer::report, "report");
  return room.text(answer);
}

}  // namespace

Tool check_tool() {
  return {"check",
          "Check the artifacts",
          "Whether dump, record and program belong together, what is odd about them and what to do "
          "about it, and how much of the time is placed on source lines. Ask this first.",
          with_study_arguments({kLimitArgument, kBytesArgument}),
          schema_text<CheckAnswer>,
          run_check};
}

}  // namespace etlens::mcp
