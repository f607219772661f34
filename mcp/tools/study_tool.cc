// SPDX-License-Identifier: Apache-2.0
#include "mcp/tools/study_tool.h"

#include <fmt/format.h>

#include "core/base/text.h"

namespace etlens::mcp {
namespace {

constexpr std::string_view kErrorMeasure = "error";

// A study without values does for every other measure.
Result<size_t> find_measure(const Study& study, const std::string& measure) {
  if (measure.empty() || measure == kTimeId) return study.first_measure();
  std::vector<std::string> there;
  for (size_t m = 0; m < study.measures.size(); ++m) {
    there.emplace_back(study.measures[m].quantity.id);
    if (there.back() == measure) return m;
  }
  return Error{ErrorCode::NotFound, fmt::format("there is no measure {} here; there is: {}",
                                                clipped(measure), join(there, ", "))};
}

}  // namespace

const std::vector<RankRange>& KeptFacts::ranks() {
  if (!ranges) ranges = rank_ranges(facts);
  return *ranges;
}

std::vector<ArgumentRow> with_study_arguments(std::vector<ArgumentRow> own) {
  constexpr ArgumentRow kStudy[]{
      {"etdump", ArgumentType::Text, "ETDump of the run (default: the newest one found)"},
      {"etrecord", ArgumentType::Text, "ETRecord of the export (default: the one that fits)"},
      {"pte", ArgumentType::Text, "Program that was run (default: the one that fits)"},
      {"method", ArgumentType::Text, "Method (default: forward, if it ran)"},
      {"block", ArgumentType::Text, "Block of executions, e.g. Execute #2"},
      {"executions", ArgumentType::Text, "Executions: 1-25,30, or slow, fast, all"},
      {"statistic", ArgumentType::Text, "typical (default), mean, median, min or max"},
  };
  own.insert(own.end(), std::begin(kStudy), std::end(kStudy));
  return own;
}

StudyChoice study_choice(const Arguments& arguments) {
  StudyChoice choice;
  choice.etdump = arguments.text("etdump");
  choice.etrecord = arguments.text("etrecord");
  choice.pte = arguments.text("pte");
  choice.method = arguments.text("method");
  choice.block = arguments.text("block");
  choice.executions = arguments.text("executions");
  choice.statistic = arguments.text("statistic");
  choice.reference = arguments.text("reference");
  choice.wants_values = arguments.text("measure") == kErrorMeasure;
  return choice;
}

Result<std::unique_ptr<const Asked>> ask(const Arguments& arguments, Workspace& workspace,
                                         const CancelToken& cancel) {
  auto opened = workspace.study(study_choice(arguments), cancel);
  if (!opened) return std::move(opened).error();
  const Result<size_t> measure = find_measure(*(*opened)->study, arguments.text("measure"));
  if (!measure) return measure.error();
  std::shared_ptr<KeptFacts>& kept = (*opened)->facts[*measure];
  if (kept == nullptr) kept = std::make_shared<KeptFacts>(Facts((*opened)->study, *measure));
  return std::make_unique<const Asked>(*opened, kept, workspace.files(), cancel);
}

std::vector<std::string> notes_of(const OpenedStudy& opened) {
  std::vector<std::string> notes;
  if (opened.dumps > 1) {
    notes.push_back(fmt::format("there are {} dumps; etdump chooses another", opened.dumps));
  }
  constexpr size_t kMaxNamed = 5;
  for (size_t m = 0; m < std::min(kMaxNamed, opened.other_models.size()); ++m)
    notes.push_back(clipped(opened.other_models[m]) + " is of another model");
  return notes;
}

std::vector<std::string> notes_of(const Asked& asked) {
  std::vector<std::string> notes = notes_of(*asked.opened);
  for (const std::string& sentence : sentences_before_numbers(asked.opened->study->report))
    notes.push_back(clipped(sentence));
  for (const ReportRow& row : asked.sources.problems().rows())
    notes.push_back(fmt::format("{} First: {}", advice_of(row.oddity), clipped(row.first)));
  return notes;
}

}  // namespace etlens::mcp
