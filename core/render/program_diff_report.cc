// SPDX-License-Identifier: Apache-2.0
#include "core/render/program_diff_report.h"

#include <fmt/format.h>

#include <cstdlib>

#include "core/base/path.h"
#include "core/base/text.h"
#include "core/render/cells.h"

namespace etlens {
namespace {

constexpr size_t kMaxOwners = 30;    // for people
constexpr size_t kMaxRepeated = 10;  // likewise

std::string signed_bytes(int64_t bytes, TableStyle style) {
  if (style == TableStyle::Data) return std::to_string(bytes);
  const std::string text = bytes_text(static_cast<uint64_t>(std::abs(bytes)), style);
  return (bytes < 0 ? "−" : "+") + text;
}

std::string line_of(const OwnerChange& row, TableStyle style) {
  if (row.line == 0) return "";
  const std::string_view path = row.recorded_path;
  return fmt::format("{}:{}", style == TableStyle::Human ? base_name(path) : path, row.line);
}

}  // namespace

Table program_diff_table(const ProgramDiff& diff, TableStyle style) {
  Table table;
  table.columns = {{"change", Align::Right},
                   {"base", Align::Right},
                   {"new", Align::Right},
                   {"kind"},
                   {"name"},
                   {"module"},
                   kLineColumn,
                   {.name = "text", .is_prose = true}};
  for (const OwnerChange& row : diff.owners) {
    table.rows.push_back({signed_bytes(row.change(), style), bytes_text(row.before, style),
                          bytes_text(row.after, style), row.owner.kind, row.owner.name,
                          row.owner.module, line_of(row, style), row.owner.text});
  }
  return table;
}

std::string program_diff_text(const ProgramDiff& diff, const ProgramDiffNames& names,
                              TablePrinter& printer) {
  const auto change = static_cast<int64_t>(diff.after - diff.before);
  std::string text = fmt::format(
      "{} {} → {}: {} ({} bytes)\n", names.measure, bytes_text(diff.before, TableStyle::Human),
      bytes_text(diff.after, TableStyle::Human), signed_bytes(change, TableStyle::Human), change);
  text += fmt::format("base {}\nnew  {}\n\n", printable(names.base), printable(names.fresh));
  if (diff.owners.empty()) text += "Every owner has as many bytes as before.\n";
  else text += printer.ranked(program_diff_table(diff, TableStyle::Human), kMaxOwners);
  for (size_t r = 0; r < std::min(kMaxRepeated, diff.repeated.size()); ++r) {
    const RepeatedData& row = diff.repeated[r];
    text += fmt::format("{} is in the new file {} times, {} each{}\n", printable(row.name),
                        row.times, bytes_text(row.bytes, TableStyle::Human),
                        row.is_new ? ", and was not in the base" : "");
  }
  return text;
}

}  // namespace etlens
