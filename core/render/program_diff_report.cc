// SPDX-License-Identifier: Apache-2.0
#include "core/render/program_diff_report.h"

#include <fmt/format.h>

#include <cstdlib>

#include "core/base/path.h"
#include "core/base/text.h"
#include "core/render/cells.h"
#include "core/render/json_parts.h"

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

std::string program_diff_json(const ProgramDiff& diff, const ProgramDiffNames& names,
                              const RowChoice& rows) {
  JsonWriter json;
  json.begin_object().field("schema", "etlens/program-diff@1").field("measure", names.measure);
  json.key("base").begin_object().field("path", names.base).field("bytes", diff.before);
  json.end_object().key("new").begin_object().field("path", names.fresh);
  json.field("bytes", diff.after).end_object();
  json.field("change", static_cast<int64_t>(diff.after - diff.before));
  json.field("unchanged_bytes", diff.same).key("owners").begin_array();
  for (const size_t at : chosen_rows(rows, diff.owners.size())) {
    const OwnerChange& row = diff.owners[at];
    json.begin_object().field("kind", std::string_view(row.owner.kind));
    write_nullable(json, "name", row.owner.name);
    write_nullable(json, "module", row.owner.module);
    json.key("line");
    if (row.line > 0)
      json.begin_array().value(std::string_view(row.recorded_path)).value(row.line).end_array();
    else json.null();
    write_nullable(json, "text", row.owner.text);
    json.field("base", row.before).field("new", row.after).field("change", row.change());
    json.end_object();
  }
  json.end_array().key("repeated").begin_array();
  for (const RepeatedData& row : diff.repeated) {
    json.begin_object().field("name", std::string_view(row.name)).field("bytes", row.bytes);
    json.field("times", row.times).field("is_new", row.is_new).end_object();
  }
  json.end_array().end_object();
  return json.take();
}

}  // namespace etlens
