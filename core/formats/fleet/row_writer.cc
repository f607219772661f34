// SPDX-License-Identifier: Apache-2.0
// The columns of a row are written in one place, for both forms.
#include <algorithm>

#include "core/base/json_writer.h"
#include "core/base/shown_text.h"
#include "core/base/text.h"
#include "core/formats/fleet/dump_rows.h"

namespace etlens {
namespace {

// Of a fact `date` that begins like one; the zeroth day of engines for any other.
std::string day_of(std::string_view date) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (date.size() >= 10) {
    bool fits = date[4] == '-' && date[7] == '-';
    for (const size_t i : {0u, 1u, 2u, 3u, 5u, 6u, 8u, 9u}) fits = fits && is_digit(date[i]);
    if (fits) return std::string(date.substr(0, 10));
  }
  return "1970-01-01";
}

// Gives `out` every field of a row, in the order of the columns.
template <typename Out>
void write_row(const DumpHead& head, const DumpRow& row, Out& out) {
  out.text("schema", kDumpRowsSchema);
  out.text("dump", head.id);
  out.text("name", head.name);
  out.text("day", day_of(fact_of(head.facts, "date")));
  std::vector<std::string_view> names;
  std::vector<std::string_view> values;
  for (const std::string_view name : kCommonFacts) out.text(name, fact_of(head.facts, name));
  for (const auto& [name, value] : head.facts) {
    if (std::find(kCommonFacts.begin(), kCommonFacts.end(), name) != kCommonFacts.end()) continue;
    names.push_back(name);
    values.push_back(value);
  }
  out.list("fact_names", names);
  out.list("fact_values", values);
  out.text("program", head.program);
  out.text("block", head.block);
  out.text("statistic", head.statistic);
  out.integer("executions", head.executions);
  out.text("tick", head.tick);
  out.integer("execution", row.execution);
  out.text("kind", name_of(row.place.kind));
  out.text("place", row.place.key);
  out.text("file", row.place.file);
  out.integer("line", row.place.line);
  out.text("function", row.place.function);
  out.text("text", row.place.text);
  out.integer("self_ticks", row.self_ticks);
  out.integer("inclusive_ticks", row.inclusive_ticks);
  out.integer("hottest", row.is_hottest ? 1 : 0);
}

class NdjsonRow {
 public:
  NdjsonRow() { json_.begin_object(); }
  void text(std::string_view name, std::string_view value) { json_.field(name, value); }
  void integer(std::string_view name, int64_t value) { json_.field(name, value); }
  void list(std::string_view name, const std::vector<std::string_view>& values) {
    json_.key(name).begin_array();
    for (const std::string_view value : values) json_.value(value);
    json_.end_array();
  }
  std::string take() { return json_.end_object().take() + "\n"; }

 private:
  JsonWriter json_{JsonStyle::Compact};
};

// TSV as ClickHouse and PostgreSQL read it: backslashes before what would end a cell.
class TsvRow {
 public:
  void text(std::string_view, std::string_view value) { add(escaped(value, false)); }
  void integer(std::string_view, int64_t value) { add(std::to_string(value)); }
  void list(std::string_view, const std::vector<std::string_view>& values) {
    std::string cell = "[";
    for (const std::string_view value : values) {
      if (cell.size() > 1) cell += ',';
      cell += "'" + escaped(value, true) + "'";
    }
    add(cell + "]");
  }
  std::string take() { return std::move(row_) + "\n"; }

 private:
  static std::string escaped(std::string_view value, bool is_in_list) {
    std::string out;
    for (const char c : shown_text(value)) {
      if (c == '\t') out += "\\t";
      else if (c == '\n') out += "\\n";
      else if (c == '\\' || (c == '\'' && is_in_list)) (out += '\\') += c;
      else out += c;
    }
    return out;
  }
  void add(const std::string& cell) {
    if (!row_.empty()) row_ += '\t';
    row_ += cell;
  }

  std::string row_;
};

class TsvHeader {
 public:
  void text(std::string_view name, std::string_view) { add(name); }
  void integer(std::string_view name, int64_t) { add(name); }
  void list(std::string_view name, const std::vector<std::string_view>&) { add(name); }
  std::string take() { return std::move(row_) + "\n"; }

 private:
  void add(std::string_view name) { (row_ += row_.empty() ? "" : "\t") += name; }

  std::string row_;
};

template <typename Out>
std::string all_rows(const DumpRows& rows) {
  std::string text;
  for (const DumpRow& row : rows.rows) {
    Out out;
    write_row(rows.head, row, out);
    text += out.take();
  }
  return text;
}

}  // namespace

std::string dump_rows_text(const DumpRows& rows, RowForm form) {
  return form == RowForm::Tsv ? all_rows<TsvRow>(rows) : all_rows<NdjsonRow>(rows);
}

std::string dump_rows_header(RowForm form) {
  if (form == RowForm::Ndjson) return "";
  TsvHeader header;
  write_row({}, {}, header);
  return header.take();
}

}  // namespace etlens
