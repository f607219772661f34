// SPDX-License-Identifier: Apache-2.0
#include "core/export/report_tables.h"
#include "core/base/controls.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "core/base/optional_part.h"
#include "core/base/text.h"
#include "core/render/advice_text.h"
#include "core/render/format.h"
#include "core/render/memory_report.h"
#include "core/render/reasons_table.h"
#include "core/render/values_report.h"

namespace etlens {
namespace {

// A page is no database: what is behind the first thousand rows is for `etlens export`.
constexpr size_t kMaxReportRows = 1000;

}  // namespace

Table split_rows(Table& table, size_t count) {
  Table rest;
  rest.columns = table.columns;
  if (table.rows.size() <= count) return rest;
  const auto from = table.rows.begin() + static_cast<ptrdiff_t>(count);
  rest.rows.assign(std::make_move_iterator(from), std::make_move_iterator(table.rows.end()));
  table.rows.erase(from, table.rows.end());
  return rest;
}

Table ReportTables::lines() const {
  Table table = lines_table(input_.facts, input_.sources,
                            {TableStyle::Human, TimeScale::Milliseconds, input_.unit});
  split_rows(table, kMaxReportRows);
  return table;
}

ReportTable ReportTables::advice() const {
  return {"advice", "What to do first",
          input_.facts.has_operators()
              ? "Why operators run on the CPU, those of the most operators first."
              : "By the time that each could win at most in one execution; they may overlap.",
          advice_table(input_.facts, {TableStyle::Human, TimeScale::Milliseconds, input_.unit})};
}

std::vector<ReportTable> ReportTables::more() const {
  const TableOptions style{TableStyle::Human, TimeScale::Milliseconds, input_.unit};
  std::vector<ReportTable> tables;
  const auto add = [&](std::string id, std::string title, std::string about, Table table) {
    split_rows(table, kMaxReportRows);
    if (!table.rows.empty())
      tables.push_back({std::move(id), std::move(title), std::move(about), std::move(table)});
  };
  const Facts& facts = input_.facts;
  add("partitions", "Delegate calls",
      "Explained: by an operator that the delegate reported. Overhead: inside the call, measured "
      "by no event.",
      partitions_table(facts, style));
  add("fallbacks", "Fallbacks", "What ran on the CPU between two calls of one delegate.",
      fallbacks_table(facts, style));
  if (!facts.has_operators())
    add("reasons", "Why operators ran on the CPU", "Those that take the most time first.",
        reasons_table(facts, style));
  LoadReport problems;
  add_optional(Oddity::MemoryUnreadable, &ReportTables::add_memory, tables, problems);
  if (facts.line_count() > 0)
    add("modules", "Modules", "Inclusive: with the modules inside.",
        modules_table(facts, "", style));
  if (facts.has_events()) {
    add("events", "Events", "What the runtime logged, the most costly first.",
        events_table(facts, input_.sources, style));
  }
  add_optional(Oddity::ValuesUnreadable, &ReportTables::add_values, tables, problems);
  add("oddities", "What was odd about the files", "", oddities(problems));
  return tables;
}

void ReportTables::add_optional(Oddity oddity, Add part, std::vector<ReportTable>& tables,
                                LoadReport& problems) const {
  std::optional<std::vector<ReportTable>> added = optional_part(&problems, oddity, {}, [&] {
    std::vector<ReportTable> of_part;
    (this->*part)(of_part);
    return of_part;
  });
  if (added) std::ranges::move(*added, std::back_inserter(tables));
}

void ReportTables::add_memory(std::vector<ReportTable>& tables) const {
  if (input_.memory == nullptr || input_.memory->tensor_count() == 0) return;
  const MemoryFacts& memory = *input_.memory;
  // Its rows are as many as the program justifies.
  grant_reading(memory.program().path, memory.program().table_bytes, memory.program().table_bytes);
  const auto add = [&](std::string id, std::string title, std::string about, Table table) {
    split_rows(table, kMaxReportRows);
    if (!table.rows.empty())
      tables.push_back({std::move(id), std::move(title), std::move(about), std::move(table)});
  };
  add("memory", "Planned memory: tensors at the peak",
      fmt::format("{} are in use at the peak, in instruction {}.",
                  format_reported(static_cast<double>(memory.peak()), DelegateUnit::Bytes),
                  memory.peak_instruction()),
      memory_tensors_table(memory, TableStyle::Human));
  add("memory-lines", "Planned memory: lines", "Lines whose tensors are in use at the peak.",
      memory_lines_table(memory, TableStyle::Human));
}

void ReportTables::add_values(std::vector<ReportTable>& tables) const {
  if (input_.values == nullptr || input_.values->size() == 0) return;
  const ValueStudy& study = input_.values->study();
  grant_reading(study.debug_buffer, study.bytes, study.bytes);
  Table origins = origins_table(*input_.values, TableStyle::Human);
  if (input_.values->has_reference() && !origins.rows.empty())
    tables.push_back({"origins", "Where errors begin", "", std::move(origins)});
  Table values = values_table(*input_.values, TableStyle::Human);
  split_rows(values, kMaxReportRows);
  if (!values.rows.empty()) tables.push_back({"values", "Logged values", "", std::move(values)});
}

// Files that exist and were left out are named as such, not as missing.
Table ReportTables::oddities(const LoadReport& problems) const {
  LoadReport all = input_.facts.study().report;
  const ReportRow* missing = all.find(Oddity::SourceNotFound);
  if (missing != nullptr && missing->count <= input_.left_out.size())
    all.remove(Oddity::SourceNotFound);
  if (input_.problems != nullptr) all.append(*input_.problems);
  all.append(problems);
  for (const std::string& path : input_.left_out) all.add(Oddity::SourceNotShown, path);
  Table table;
  table.columns = {{"what"}, {"times", Align::Right}, {"first"}};
  for (const ReportRow& row : all.rows())
    table.rows.push_back({advice_of(row.oddity), std::to_string(row.count), row.first});
  return table;
}

std::string left_out_sentence(std::span<const std::string> paths) {
  constexpr size_t kMaxNamed = 5;
  if (paths.empty()) return "";
  std::vector<std::string> names(
      paths.begin(), paths.begin() + static_cast<ptrdiff_t>(std::min(paths.size(), kMaxNamed)));
  if (paths.size() > kMaxNamed) names.push_back(counted(paths.size() - kMaxNamed, "more file"));
  return fmt::format(
      "Of {} only the lines that the record itself holds are shown, because a page that is sent "
      "has "
      "no text from outside of the working folder and the artifacts' folder.{}",
      join(names, ", "), words_of(Control::ShowFile));
}

}  // namespace etlens
