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

std::vector<ArgumentRow> with_study_arguments(std::vector<ArgumentRow> own) {
  constexpr ArgumentRow kStudy[]{
      {"etdump", ArgumentType::Text, "ETDump of the run (default: the newest one found)"},
      {"etrecord", ArgumentType::Text, "ETRecord of the export (default: the one that fits)"},
      {"pte", ArgumentType::Text, "Program that was run (default: the one that fits)"},
      {"method", ArgumentType::Text, "Method (default: forward, if it ran)"},
      {"block", ArgumentType::Text, "Block of executions, e.g. Execute #2"},
      {"executions", ArgumentType::Text, "Executions: 1-25,30, or slow, fast, all"},
      {"group", ArgumentType::Text, "Group of executions that did the same work, e.g. decode"},
      {"warmup", ArgumentType::Count, "Executions at the beginning that no number is of"},
      {"statistic", ArgumentType::Text, "typical (default), mean, median, min or max"},
      kPathMapArgument,
      kLibraryArgument,
      kRecoverArgument,
      kScaleArgument,
  };
  own.insert(own.end(), std::begin(kStudy), std::end(kStudy));
  return own;
}

Result<StudyWish> study_wish(const Arguments& arguments) {
  StudyWish wish;
  wish.etdump = arguments.text("etdump");
  wish.etrecord = arguments.text("etrecord");
  wish.pte = arguments.text("pte");
  wish.selection = {arguments.text("method"), arguments.text("block")};
  wish.time.executions = arguments.text("executions");
  wish.time.group = arguments.text("group");
  wish.time.warmup = arguments.count("warmup", 0);
  if (const std::string name = arguments.text("statistic"); !name.empty()) {
    const Result<Statistic> statistic = read_statistic(name);
    if (!statistic) return statistic.error();
    wish.time.statistic = *statistic;
  }
  if (arguments.text("measure") == kErrorMeasure) wish.values.emplace();
  if (wish.values) wish.values->reference = arguments.text("reference");
  for (const std::string& text : arguments.texts(kPathMapArgument.name)) {
    std::optional<PathMapping> mapping = parse_path_mapping(text);
    if (!mapping)
      return Error{ErrorCode::InvalidParams,
                   fmt::format("path_map {} is not FROM=TO; give a recorded prefix and a folder",
                               clipped(text))};
    wish.path_mappings.push_back(std::move(*mapping));
  }
  wish.library_frames = arguments.texts(kLibraryArgument.name);
  wish.recovers = arguments.flag(kRecoverArgument.name, true);
  if (const std::string name = arguments.text(kScaleArgument.name); !name.empty()) {
    const std::optional<TimeScale> scale = parse_time_scale(name);
    if (!scale)
      return Error{ErrorCode::InvalidParams,
                   "source_time_scale is ns, us, ms, s or cycles; there is no " + clipped(name)};
    wish.time_scale = *scale;
  }
  return wish;
}

Result<std::unique_ptr<const Asked>> ask(const Arguments& arguments, Workspace& workspace,
                                         const CancelToken& cancel) {
  const Result<StudyWish> wish = study_wish(arguments);
  if (!wish) return wish.error();
  auto opened = workspace.study(*wish, cancel);
  if (!opened) return std::move(opened).error();
  const Result<size_t> measure = find_measure(*(*opened)->study, arguments.text("measure"));
  if (!measure) return measure.error();
  std::shared_ptr<KeptFacts>& kept = (*opened)->facts[*measure];
  if (kept == nullptr)
    kept = std::make_shared<KeptFacts>(Facts((*opened)->study, *measure, FactsFor::Reports));
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
