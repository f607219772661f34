// SPDX-License-Identifier: Apache-2.0
// The tool numeric_errors: where the values that a dump logged go wrong, on the lines that made
// them.
#include <algorithm>
#include <cmath>

#include "core/facts/value_facts.h"
#include "core/render/values_report.h"
#include "mcp/tools/study_tool.h"

namespace etlens::mcp {
namespace {

struct OriginRow {
  std::optional<Place> place;
  std::string node;
  std::string op;
  std::optional<std::string> module;
  double made = 0;                   // share of the final error that begins here
  std::optional<double> snr_before;  // dB; none: nothing before is in error
  std::optional<double> snr_after;   // none: equal
};
FIELDS(OriginRow, place, node, op, module, made, snr_before, snr_after)

struct WorstValue {
  std::optional<Place> place;
  std::string node;
  std::string op;
  std::optional<std::string> module;
  uint64_t execution = 0;
  std::optional<double> snr;  // dB
  double max_abs = 0;
  double cosine = 0;
  double made = 0;
};
FIELDS(WorstValue, place, node, op, module, execution, snr, max_abs, cosine, made)

struct OddValue {
  std::string words;
  std::optional<Place> place;
};
FIELDS(OddValue, words, place)

struct ErrorsAnswer {
  std::string etdump;
  std::optional<std::string> debug_buffer;
  std::optional<std::string> reference;
  uint64_t values = 0;
  std::optional<double> worst_snr;  // dB; none: equal, or without a reference
  std::optional<OddValue> first_nan;
  std::optional<OddValue> first_inf;
  std::vector<OriginRow> origin;  // where error begins, what made most of it first
  std::vector<WorstValue> worst;  // values far from their reference, the worst first
  std::vector<std::string> notes;
  std::vector<LeftOut> left_out;
};
FIELDS(ErrorsAnswer, etdump, debug_buffer, reference, values, worst_snr, first_nan, first_inf,
       origin, worst, notes, left_out)

std::optional<double> finite(std::optional<double> value) {
  if (!value || !std::isfinite(*value)) return std::nullopt;
  return rounded(*value);
}

std::optional<Place> place_of(const Sources& sources, LineId line) {
  return line.valid() ? std::optional(sources.place(line)) : std::nullopt;
}

std::optional<OddValue> odd_value(const ValuesFacts& facts, const Sources& sources,
                                  std::optional<size_t> row) {
  if (!row) return std::nullopt;
  const ValueFacts& value = facts.value(*row);
  return OddValue{clipped(odd_value_sentence(value)), place_of(sources, value.line)};
}

std::vector<WorstValue> worst_values(const ValuesFacts& facts, const Sources& sources) {
  std::vector<std::pair<double, size_t>> rows;
  for (const size_t row : facts.made_rows()) {
    const ValueComparison* comparison = facts.value(row).comparison;
    if (comparison != nullptr && comparison->gap && comparison->gap->noise > 0)
      rows.emplace_back(comparison->gap->noise, row);
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<WorstValue> worst;
  for (const auto& [noise, row] : rows) {
    const ValueFacts& value = facts.value(row);
    const Gap& gap = *value.comparison->gap;
    WorstValue out;
    out.place = place_of(sources, value.line);
    out.node = clipped(value.node);
    out.op = clipped(value.op);
    if (value.module_path) out.module = clipped(*value.module_path);
    out.execution = value.execution + uint64_t{1};
    out.snr = finite(gap.snr);
    out.max_abs = finite(gap.max_abs).value_or(0);
    out.cosine = finite(gap.cosine).value_or(0);
    out.made = rounded(value.made);
    worst.push_back(std::move(out));
  }
  return worst;
}

void add_reference(const ValuesFacts& facts, const Sources& sources, ErrorsAnswer& answer) {
  const ValueStudy& study = facts.study();
  if (!facts.has_reference()) {
    answer.notes.emplace_back(
        "there is nothing to compare the values with; reference names a dump, a bundled program, "
        "an ETRecord with reference outputs or an .npz");
    return;
  }
  answer.reference = given(study.reference);
  answer.worst_snr = finite(facts.worst_snr());
  for (const OriginFacts& row : facts.origins()) {
    OriginRow out;
    out.place = place_of(sources, row.line);
    out.node = clipped(row.node);
    out.op = clipped(row.op);
    if (row.module_path) out.module = clipped(*row.module_path);
    out.made = rounded(row.made);
    out.snr_before = finite(row.snr_before);
    out.snr_after = finite(row.snr_after);
    answer.origin.push_back(std::move(out));
  }
  answer.worst = worst_values(facts, sources);
}

Result<std::string> run_numeric_errors(const Arguments& arguments, Workspace& workspace,
                                       const CancelToken& cancel) {
  Result<StudyWish> wish = study_wish(arguments);
  if (!wish) return std::move(wish).error();
  wish->values.emplace().reference = arguments.text("reference");
  const auto opened = workspace.study(*wish, cancel);
  if (!opened) return opened.error();
  const Study& study = *(*opened)->study;
  if (study.values == nullptr) {
    return Error{ErrorCode::NotFound,
                 study.shown_path() +
                     " holds no values that can be read; run with the debug level "
                     "kIntermediateOutputs or kProgramOutputs and a debug buffer"};
  }
  const ValuesFacts facts(study.values);
  const Sources sources(workspace.files(), facts.code(), study.sources, cancel);
  ErrorsAnswer answer;
  answer.etdump = study.etdump_path;
  answer.debug_buffer = given(study.values->debug_buffer);
  answer.values = facts.size();
  answer.first_nan = odd_value(facts, sources, facts.first_nan());
  answer.first_inf = odd_value(facts, sources, facts.first_inf());
  add_reference(facts, sources, answer);
  for (const std::string& note : study.values->notes) answer.notes.push_back(clipped(note));
  if (!study.values->buffer_problem.empty())
    answer.notes.push_back(clipped(study.values->buffer_problem));
  const Room room(arguments);
  room.cut(answer, &ErrorsAnswer::notes, "notes");
  room.cut(answer, &ErrorsAnswer::worst, "worst");
  room.cut(answer, &ErrorsAnswer::origin, "origin");
  return room.text(answer);
}

}  // namespace

Tool numeric_errors_tool() {
  return {"numeric_errors",
          "Numeric errors",
          "Where the values that a run logged go wrong: the first NaN and infinity, the source "
          "lines where error begins, and the values that are farthest from their reference (SNR in "
          "dB).",
          with_study_arguments(
              {{"reference", ArgumentType::Text,
                "Another dump, a bundled program (.bpte), an ETRecord or an .npz to compare with "
                "(default: the one next to the dump)"},
               kLimitArgument,
               kBytesArgument}),
          schema_text<ErrorsAnswer>,
          run_numeric_errors};
}

}  // namespace etlens::mcp
