// SPDX-License-Identifier: Apache-2.0
#include "core/render/runs_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "core/base/text.h"
#include "core/render/cells.h"
#include "core/render/format.h"
#include "core/runs/choose_run.h"

namespace etlens {
namespace {

constexpr size_t kCommitDigits = 7;
constexpr size_t kMaxRunRows = 30;

TimeScale scale_of(const RunTotal& total) {
  return total.unit == "cycles" ? TimeScale::Cycles : TimeScale::Nanoseconds;
}

// People need no column in which nothing stands.
void drop_empty_columns(Table& table) {
  for (size_t c = table.columns.size(); c-- > 0;) {
    const auto is_empty = [c](const std::vector<std::string>& row) { return row[c].empty(); };
    if (!std::ranges::all_of(table.rows, is_empty)) continue;
    table.columns.erase(table.columns.begin() + static_cast<ptrdiff_t>(c));
    for (std::vector<std::string>& row : table.rows)
      row.erase(row.begin() + static_cast<ptrdiff_t>(c));
  }
}

std::vector<std::string> run_row(const StoredRuns& stored, const StoredRun& run,
                                 const TableOptions& options) {
  const bool is_human = options.style == TableStyle::Human;
  const StoredRun* before = run_before(stored, run);
  std::optional<double> change;
  if (before != nullptr) change = change_since(*before, run);
  std::string total;
  if (is_human) total = run_total_text(run, options.unit);
  else if (run.total) total = python_float(run.total->value);
  std::string shown_change;
  if (change) shown_change = is_human ? run_change_text(*change) : python_float(*change);
  return {std::to_string(run.number),
          is_human ? day_and_time(run.time_ms) : std::to_string(run.time_ms),
          std::move(total),
          is_human    ? ""
          : run.total ? run.total->unit
                      : "",
          std::move(shown_change),
          run.method,
          run.dump_path,
          run.branch,
          is_human ? run.commit.substr(0, kCommitDigits) : run.commit,
          run.is_pinned ? "pinned" : ""};
}

}  // namespace

std::string run_change_text(double change) {
  return fmt::format("{}{}", change < 0 ? "−" : "+", format_share(std::fabs(change)));
}

std::string run_total_text(const StoredRun& run, std::optional<TimeScale> unit) {
  return run.total ? format_time(run.total->value, {scale_of(*run.total), unit}) : "–";
}

std::string since_text(const StoredRuns& stored, const StoredRun& run) {
  const StoredRun* before = run_before(stored, run);
  std::optional<double> change;
  if (before != nullptr) change = change_since(*before, run);
  return change ? fmt::format("{} since run {}", run_change_text(*change), before->number) : "";
}

std::string sparkline(const StoredRuns& stored, const StoredRun& run, size_t most) {
  constexpr std::array<std::string_view, 8> kBlocks{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  std::vector<double> totals;
  for (auto other = stored.runs.rbegin(); other != stored.runs.rend() && totals.size() < most;
       ++other)
    if (other->number <= run.number && is_same_model(*other, run))
      totals.push_back(other->total->value);
  const double largest = totals.empty() ? 0 : *std::ranges::max_element(totals);
  if (totals.size() < 2 || largest <= 0) return "";
  std::string text;
  for (auto total = totals.rbegin(); total != totals.rend(); ++total) {
    const double part = *total / largest * static_cast<double>(kBlocks.size());
    text += kBlocks[std::min(static_cast<size_t>(part), kBlocks.size() - 1)];
  }
  return text;
}

Table runs_table(const StoredRuns& stored, const TableOptions& options) {
  Table table;
  table.columns = {{"run", Align::Right},
                   {"time"},
                   {"total", Align::Right},
                   {"unit"},
                   {"change", Align::Right},
                   {"method"},
                   {.name = "dump", .is_place = true},
                   {"branch"},
                   {"commit"},
                   {"pinned"}};
  for (auto run = stored.runs.rbegin(); run != stored.runs.rend(); ++run)
    table.rows.push_back(run_row(stored, *run, options));
  if (options.style == TableStyle::Human) drop_empty_columns(table);  // the total has its unit
  return table;
}

std::string runs_text(const StoredRuns& stored, const TableOptions& options,
                      TablePrinter& printer) {
  std::string text = printer.ranked(runs_table(stored, options), kMaxRunRows);
  if (stored.runs.empty()) text = "";
  else if (const std::string line = sparkline(stored, stored.runs.back()); !line.empty())
    text += fmt::format("\n{}  totals of the same model, the newest on the right\n", line);
  text += fmt::format("\n{}, {}, in {}\n", counted(stored.runs.size(), "run"),
                      format_bytes(static_cast<double>(stored.bytes)), runs_folder(stored.folder));
  if (stored.damaged > 0)
    text += fmt::format("{} cannot be read and {} left out\n", counted(stored.damaged, "run"),
                        stored.damaged == 1 ? "is" : "are");
  return text;
}

}  // namespace etlens
