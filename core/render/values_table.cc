// SPDX-License-Identifier: Apache-2.0
// The tables of `etlens values`, and its report for people.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/path.h"
#include "core/base/text.h"
#include "core/render/cells.h"
#include "core/render/display_width.h"
#include "core/render/format.h"
#include "core/render/values_report.h"

namespace etlens {
namespace {

// What float32 can say of a value that took some sums to compute.
constexpr double kRoundingSnr = 100;

std::string number(double value, TableStyle style) {
  return style == TableStyle::Data ? python_float(value) : fmt::format("{:.4g}", value);
}

// A count of elements; for people nothing for none, and a share for many.
std::string count_text(uint64_t count, uint64_t elements, TableStyle style) {
  if (style == TableStyle::Data) return std::to_string(count);
  if (count == 0) return "";
  return format_share(static_cast<double>(count) / static_cast<double>(elements));
}

uint64_t saturated(const ValueStatistics& row) {
  return row.saturation ? row.saturation->low + row.saturation->high : 0;
}

class ValuesTable {
 public:
  ValuesTable(const ValuesFacts& facts, TableStyle style) : facts_(facts), style_(style) {
    for (size_t v = 0; v < facts.size(); ++v) {
      const ValueFacts& value = facts.value(v);
      if (style == TableStyle::Human && value.role == ValueRole::Input) continue;
      rows_.push_back(v);
      has_executions_ |= value.execution > 0;
      has_problems_ |= !value.problem.empty();
      if (!value.statistics) continue;
      has_zeros_ |= value.statistics->zeros > 0;
      has_special_ |= value.statistics->nan > 0 || value.statistics->inf() > 0;
      has_saturation_ |= value.statistics->saturation.has_value();
    }
  }

  Table run() {
    Table table;
    table.columns = columns();
    for (const size_t v : rows_) table.rows.push_back(row(facts_.value(v)));
    return table;
  }

 private:
  bool is_data() const { return style_ == TableStyle::Data; }

  std::vector<Column> columns() const {
    std::vector<Column> columns;
    if (has_executions_ || is_data()) columns.push_back({"execution", Align::Right});
    columns.push_back(kLineColumn);
    columns.push_back({is_data() ? "node" : "value"});
    if (is_data()) {
      columns.push_back({"event"});
      columns.push_back({"instruction", Align::Right});
      columns.push_back({"output", Align::Right});
      columns.push_back({"role"});
    }
    columns.push_back({"type"});
    for (const char* name : {"min", "max", "mean", "std"}) columns.push_back({name, Align::Right});
    columns.push_back(
        {.name = "zeros", .align = Align::Right, .is_extra = !has_zeros_ && !is_data()});
    if (has_special_ || is_data()) {
      columns.push_back({"NaN", Align::Right});
      columns.push_back({"Inf", Align::Right});
    }
    if (has_saturation_ || is_data()) columns.push_back({"saturated", Align::Right});
    if (facts_.has_reference()) {
      for (const char* name : {"SNR", "max error", "cosine", "made"})
        columns.push_back({name, Align::Right});
      if (is_data()) {
        for (const char* name : {"MSE", "L1", "L1 mean", "PSNR"})
          columns.push_back({name, Align::Right});
      }
    }
    if (has_problems_ || is_data()) columns.push_back({.name = "problem", .is_prose = true});
    return columns;
  }

  std::vector<std::string> row(const ValueFacts& value) const {
    std::vector<std::string> cells;
    if (has_executions_ || is_data()) cells.push_back(std::to_string(value.execution));
    cells.push_back(recorded_line_text(facts_.code(), value.line, style_));
    cells.push_back(is_data() ? std::string(value.node) : name(value));
    if (is_data()) {
      cells.push_back(value.event);
      cells.push_back(value.instruction ? std::to_string(value.instruction->value) : "");
      cells.push_back(std::to_string(value.output));
      cells.emplace_back(name_of(value.role));
    }
    cells.push_back(value.is_number ? std::string(value.dtype)
                                    : fmt::format("{} {}", value.dtype, shape_text(value.shape)));
    statistics(value, cells);
    if (facts_.has_reference()) gap(value, cells);
    if (has_problems_ || is_data()) cells.push_back(problem(value));
    return cells;
  }

  // For people: "aten_topk_default[1]", "output 0" for what the method returned.
  static std::string name(const ValueFacts& value) {
    if (value.role == ValueRole::Program) return fmt::format("output {}", value.output);
    if (value.node.empty()) return value.event;
    if (value.node_output == 0) return std::string(value.node);
    return fmt::format("{}[{}]", value.node, value.node_output);
  }

  void statistics(const ValueFacts& value, std::vector<std::string>& cells) const {
    const bool has_numbers = value.statistics && value.statistics->finite > 0;
    const ValueStatistics row = value.statistics.value_or(ValueStatistics());
    for (const double cell : {row.minimum, row.maximum, row.mean, row.deviation})
      cells.push_back(has_numbers ? number(cell, style_) : "");
    const auto count = [&](uint64_t n) {
      return value.statistics ? count_text(n, row.elements, style_) : std::string();
    };
    cells.push_back(count(row.zeros));
    if (has_special_ || is_data()) {
      cells.push_back(count(row.nan));
      cells.push_back(count(row.inf()));
    }
    if (has_saturation_ || is_data()) cells.push_back(row.saturation ? count(saturated(row)) : "");
  }

  void gap(const ValueFacts& value, std::vector<std::string>& cells) const {
    const std::optional<Gap>& gap = value.comparison->gap;
    if (!gap) {
      cells.insert(cells.end(), is_data() ? 8 : 4, "");
      return;
    }
    cells.push_back(is_data() ? python_float(gap->snr) : snr_text(gap->snr));
    cells.push_back(number(gap->max_abs, style_));
    cells.push_back(is_data() ? python_float(gap->cosine) : fmt::format("{:.6f}", gap->cosine));
    if (is_data()) cells.push_back(python_float(value.made));
    else cells.push_back(value.made > 0 ? format_share(value.made) : "");
    if (!is_data()) return;
    for (const double cell : {gap->mse, gap->l1, gap->l1_mean, gap->psnr})
      cells.push_back(python_float(cell));
  }

  static std::string problem(const ValueFacts& value) {
    if (!value.problem.empty()) return value.problem;
    return value.comparison == nullptr ? "" : value.comparison->problem;
  }

  const ValuesFacts& facts_;
  TableStyle style_;
  std::vector<size_t> rows_;
  bool has_executions_ = false;
  bool has_zeros_ = false;
  bool has_special_ = false;
  bool has_saturation_ = false;
  bool has_problems_ = false;
};

std::string where_text(const ValuesFacts& facts, const ValueFacts& value) {
  std::string where(value.node.empty() ? value.event : value.node);
  if (value.line.valid())
    where += " at " + recorded_line_text(facts.code(), value.line, TableStyle::Human);
  return where;
}

// "the first NaN is in aten_div_tensor at model.py:12 (3 of 64 elements)".
std::string first_text(const ValuesFacts& facts, std::optional<size_t> row, std::string_view what,
                       uint64_t (*count)(const ValueStatistics&)) {
  if (!row) return "";
  const ValueFacts& value = facts.value(*row);
  return fmt::format("the first {} is in {} ({} of {})\n", what, where_text(facts, value),
                     count(*value.statistics), counted(value.statistics->elements, "element"));
}

}  // namespace

std::string odd_value_sentence(const ValueFacts& value) {
  const ValueStatistics& row = *value.statistics;
  const bool is_nan = row.nan > 0;
  const std::string_view what = is_nan ? "NaN" : "infinity";
  return fmt::format("the first {} is made here: {} of {} of {}", what,
                     is_nan ? row.nan : row.inf(), counted(row.elements, "element"),
                     printable(value.node.empty() ? std::string_view(value.event) : value.node));
}

std::string snr_text(double snr) {
  if (std::isnan(snr)) return "no number";
  if (std::isinf(snr)) return snr > 0 ? "exact" : "-inf dB";
  return fmt::format("{:.0f} dB", snr);
}

Table values_table(const ValuesFacts& facts, TableStyle style) {
  return ValuesTable(facts, style).run();
}

Table origins_table(const ValuesFacts& facts, TableStyle style) {
  Table table;
  table.columns = {{"made", Align::Right},     kLineColumn, {"op"},    {"SNR before", Align::Right},
                   {"SNR here", Align::Right}, {"node"},    {"module"}};
  const bool is_data = style == TableStyle::Data;
  const auto snr = [&](double value) { return is_data ? python_float(value) : snr_text(value); };
  for (const OriginFacts& row : facts.origins()) {
    if (!is_data && table.rows.size() == kMaxOrigins) break;
    std::string line = recorded_line_text(facts.code(), row.line, style);
    if (!is_data && row.lines.size() > 1)
      line += fmt::format(" or {}", counted(row.lines.size() - 1, "other"));
    table.rows.push_back({is_data ? python_float(row.made) : format_share(row.made),
                          std::move(line), std::string(row.op),
                          row.snr_before ? snr(*row.snr_before)
                          : is_data      ? ""
                                         : "exact",
                          snr(row.snr_after), std::string(row.node),
                          std::string(row.module_path.value_or(""))});
  }
  return table;
}

std::string values_text(const ValuesFacts& facts, TablePrinter& printer) {
  std::string text;
  if (const std::optional<double> worst = facts.worst_snr()) {
    const Table origins = origins_table(facts, TableStyle::Human);
    if (*worst >= kRoundingSnr) {
      text += std::isinf(*worst) ? "every value equals its reference\n\n"
                                 : fmt::format(
                                       "every value is its reference but for rounding (SNR "
                                       "{} at worst)\n\n",
                                       snr_text(*worst));
    } else if (!origins.rows.empty()) {
      text += "where the error begins\n" + printer.beside(origins) + "\n";
    } else {
      text +=
          "where the error begins the values of every operator show (an .npz, or another dump)\n\n";
    }
  }
  text += printer.ranked(values_table(facts, TableStyle::Human)) + "\n";
  text += first_text(facts, facts.first_nan(), "NaN",
                     [](const ValueStatistics& row) { return row.nan; });
  text += first_text(facts, facts.first_inf(), "infinity",
                     [](const ValueStatistics& row) { return row.inf(); });
  return text;
}

Table gaps_table(std::span<const InspectorGapRow> rows, GapMetric metric) {
  Table table;
  table.columns = {{"debug handles"},
                   {"events"},
                   {std::string(name_of(metric)), Align::Right},
                   {.name = "note", .is_prose = true}};
  for (const InspectorGapRow& row : rows) {
    std::vector<std::string> handles;
    for (const DebugHandle handle : row.handles) handles.push_back(std::to_string(handle.value));
    std::vector<std::string> gaps;
    for (const double gap : row.gap) gaps.push_back(python_float(gap));
    table.rows.push_back({join(handles, ", "), join(row.ops, ", "), join(gaps, ", "), row.note});
  }
  return table;
}

}  // namespace etlens
