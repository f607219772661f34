// SPDX-License-Identifier: Apache-2.0
// The forms of the Inspector's table: its TSV (pandas) and its grid (tabulate's
// fancy_grid).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/text.h"
#include "core/inspector/inspector.h"
#include "core/render/format.h"
#include "core/render/table.h"

namespace etlens {
namespace {

constexpr size_t kMaxOpTypes = 5;  // from this many on the cell is cut

// Python's repr of a str: single quotes unless the text has some and no double ones.
std::string python_repr(std::string_view text) {
  const char quote =
      text.find('\'') != std::string_view::npos && text.find('"') == std::string_view::npos ? '"'
                                                                                            : '\'';
  std::string out(1, quote);
  for (const char c : valid_utf8(text)) {
    if (c == quote || c == '\\') out += '\\';
    if (c == '\n') out += "\\n";
    else if (c == '\t') out += "\\t";
    else if (c == '\r') out += "\\r";
    else out += c;
  }
  return out += quote;
}

std::string op_types_cell(const std::vector<std::string>& types) {
  if (types.size() >= kMaxOpTypes) {
    return fmt::format("[{}, {} ... {}] ({} total)", python_repr(types[0]), python_repr(types[1]),
                       python_repr(types.back()), types.size());
  }
  std::string cell = "[";
  for (size_t i = 0; i < types.size(); ++i) {
    if (i > 0) cell += ", ";
    cell += python_repr(types[i]);
  }
  return cell + "]";
}

std::string start_time_cell(const std::vector<uint64_t>& ticks) {
  return fmt::format("[{}]", fmt::join(ticks, ", "));
}

// The columns that a release prints.
struct Columns {
  bool p10 = true;
  bool backend = true;
  bool start_time = true;
};

Columns columns_of(InspectorRelease release) {
  return {release >= InspectorRelease{0, 2}, release >= InspectorRelease{0, 2},
          release >= InspectorRelease{0, 7}};
}

std::vector<std::string> header_of(const InspectorFormat& format) {
  const Columns columns = columns_of(format.release);
  const std::string unit =
      format.include_units ? fmt::format(" ({})", name_of(format.target)) : std::string();
  std::vector<std::string> header{"", "event_block_name", "event_name"};
  for (const std::string_view name : {"p10", "p50", "p90", "avg", "min", "max"}) {
    if (name != "p10" || columns.p10) header.push_back(std::string(name) + unit);
  }
  header.insert(header.end(), {"op_types", "is_delegated_op"});
  if (columns.backend) header.push_back("delegate_backend_name");
  if (columns.start_time) header.push_back("start_time");
  return header;
}

// Rows that the Inspector leaves out of its printed tables.
bool is_left_out(const InspectorEvent& event, InspectorRelease release) {
  constexpr std::string_view kOperatorCall = "OPERATOR_CALL";
  return release == InspectorRelease{0, 1} ? event.name == kOperatorCall
                                           : event.name.find(kOperatorCall) != std::string::npos;
}

std::array<double, 6> statistics(const PerfData& perf) {
  return {perf.p10, perf.p50, perf.p90, perf.avg, perf.min, perf.max};
}

// Calls `row(cells, has_time)` for each printed row; `number` turns statistics into text.
template <typename Number, typename RowSink>
void for_each_row(const std::vector<InspectorBlock>& blocks, const InspectorFormat& format,
                  Number number, RowSink sink) {
  const Columns columns = columns_of(format.release);
  size_t index = 0;
  for (const InspectorBlock& block : blocks) {
    for (const InspectorEvent& event : block.events) {
      if (is_left_out(event, format.release)) continue;
      std::vector<std::string> cells{std::to_string(index++), block.name, event.name};
      const std::array<double, 6> values = statistics(event.perf);
      for (size_t i = columns.p10 ? 0 : 1; i < values.size(); ++i) {
        cells.push_back(event.raw.empty() ? std::string() : number(values[i]));
      }
      cells.push_back(op_types_cell(event.op_types));
      cells.push_back(event.is_delegated_op ? "True" : "False");
      if (columns.backend) cells.push_back(event.backend);
      if (columns.start_time) cells.push_back(start_time_cell(event.start_time));
      sink(std::move(cells));
    }
  }
}

// Digits behind the decimal point (or the exponent), as tabulate counts them to align a column.
int digits_after_point(std::string_view number) {
  if (number.find_first_of(".eE") == std::string_view::npos) return -1;
  const size_t point = number.rfind('.');
  const size_t at = point != std::string_view::npos ? point : number.find_first_of("eE");
  return static_cast<int>(number.size() - at - 1);
}

}  // namespace

std::string inspector_tsv(const std::vector<InspectorBlock>& blocks, const InspectorFormat& format,
                          char separator) {
  Table table;
  for (std::string& name : header_of(format)) table.columns.push_back({std::move(name)});
  for_each_row(
      blocks, format, [](double v) { return python_float(v); },
      [&](std::vector<std::string> cells) { table.rows.push_back(std::move(cells)); });
  return separator == ',' ? to_csv(table) : to_tsv(table);
}

std::string inspector_grid(const std::vector<InspectorBlock>& blocks,
                           const InspectorFormat& format) {
  const std::vector<std::string> header = header_of(format);
  std::vector<std::vector<std::string>> rows;
  for_each_row(
      blocks, format,
      [](double v) { return std::isfinite(v) ? fmt::format("{:g}", v) : python_float(v); },
      [&](std::vector<std::string> cells) { rows.push_back(std::move(cells)); });
  const auto is_number = [&](size_t c) {
    return c == 0 || (c >= 3 && header[c].find('_') == std::string::npos);
  };
  std::vector<size_t> widths;
  for (size_t c = 0; c < header.size(); ++c) {
    int most = -1;
    for (const auto& row : rows) most = std::max(most, digits_after_point(row[c]));
    size_t width = utf8_count(header[c]) + 2;
    for (auto& row : rows) {
      if (is_number(c))
        row[c] += std::string(static_cast<size_t>(most - digits_after_point(row[c])), ' ');
      width = std::max(width, utf8_count(row[c]));
    }
    widths.push_back(width);
  }
  std::string out;
  const auto rule = [&](std::string_view left, std::string_view fill, std::string_view cross,
                        std::string_view right) {
    out += left;
    for (size_t c = 0; c < widths.size(); ++c) {
      if (c > 0) out += cross;
      for (size_t i = 0; i < widths[c] + 2; ++i) out += fill;
    }
    out += right;
    out += '\n';
  };
  const auto line = [&](const std::vector<std::string>& cells) {
    out += "│";
    for (size_t c = 0; c < cells.size(); ++c) {
      const std::string blanks(widths[c] - utf8_count(cells[c]), ' ');
      out += is_number(c) ? " " + blanks + cells[c] + " " : " " + cells[c] + blanks + " ";
      out += "│";
    }
    out += '\n';
  };
  rule("╒", "═", "╤", "╕");
  line(header);
  for (size_t r = 0; r < rows.size(); ++r) {
    if (r == 0) rule("╞", "═", "╪", "╡");
    else rule("├", "─", "┼", "┤");
    line(rows[r]);
  }
  rule("╘", "═", "╧", "╛");
  return out;
}

}  // namespace etlens
