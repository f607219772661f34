// SPDX-License-Identifier: Apache-2.0
// Rows of events, as CSV (RFC 4180) and as NDJSON: one row for each event of the method with all
// that is known of it, for databases and spreadsheets. The column `ticks` is exact: over all rows
// it adds up to the total. Columns are only ever added, at the end.
#include <cmath>

#include "core/base/path.h"
#include "core/base/shown_text.h"
#include "core/base/text.h"
#include "core/export/labels.h"
#include "core/facts/headline.h"
#include "core/render/format.h"

namespace etlens {
namespace {

constexpr std::string_view kSchema = "etlens/event-rows@1";

// Writes the fields of a row to `out`, which has text(name, view), integer(name, n), number(name,
// x) and nothing(name).
template <typename Out>
class RowWriter {
 public:
  RowWriter(const ExportInput& input, Out& out)
      : facts_(input.facts), input_(input), out_(out), head_(headline(facts_)) {}

  void run() {
    for (const ContributionId id : facts_.ranked()) {
      out_.begin();
      write(facts_.event(id));
      out_.end();
    }
  }

 private:
  void optional_text(std::string_view name, std::string_view value) {
    if (value.empty()) out_.nothing(name);
    else out_.text(name, value);
  }

  void write(const EventFacts& event) {
    write_run();
    write_event(event);
    write_place(event);
    write_time(event);
  }

  void write_run() {
    out_.text("schema", kSchema);
    out_.text("dump", base_name(facts_.study().etdump_path));
    optional_text("method", head_.method);
    out_.text("block", head_.block);
    out_.text("statistic", name_of(head_.statistic));
    out_.integer("executions", static_cast<int64_t>(head_.used.size()));
  }

  void write_event(const EventFacts& event) {
    out_.integer("event", event.id.value);
    out_.text("name", event.name);
    out_.text("logged_name", event.logged_name);
    optional_text("op", event.op);
    optional_text("backend", event.backend);
    if (event.instruction) {
      out_.integer("chain", event.chain);
      out_.integer("instruction", event.instruction->value);
    } else {
      out_.nothing("chain");
      out_.nothing("instruction");
    }
    if (event.partition.valid())
      out_.integer("delegate_call", facts_.code().partitions[event.partition.value].number);
    else out_.nothing("delegate_call");
  }

  void write_place(const EventFacts& event) {
    out_.text("part", name_of(event.part));
    optional_text("confidence", event.has_place() ? name_of(event.confidence) : "");
    const bool has_line = event.line.valid();
    const CodeLine* line = has_line ? &facts_.code().lines[event.line.value] : nullptr;
    optional_text("file", has_line ? facts_.code().recorded_path(line->file) : "");
    if (has_line) out_.integer("line", line->number);
    else out_.nothing("line");
    if (has_line) out_.integer("line_now", source_place(input_, event.line).line);
    else out_.nothing("line_now");
    optional_text("function", has_line ? facts_.code().text(line->function) : "");
    optional_text("text", has_line ? facts_.code().text(line->text) : "");
    if (event.module.valid()) {
      out_.text("module", *event.module_path);
      optional_text("module_type", facts_.module(event.module).type);
    } else {
      out_.nothing("module");
      out_.nothing("module_type");
    }
  }

  void write_time(const EventFacts& event) {
    out_.number("occurrences", event.occurrences);
    out_.text("tick", name_of(facts_.quantity().ticks));
    out_.integer("ticks", event.self.amount.value);
    out_.integer("disturbance_ticks", event.self.disturbance.value);
    out_.number("self", event.self.value);
    out_.number("share", event.self.share);
    const std::optional<Interval> interval = facts_.interval(std::span(&event.id, 1));
    if (interval) out_.number("low", interval->low);
    else out_.nothing("low");
    if (interval) out_.number("high", interval->high);
    else out_.nothing("high");
  }

  const Facts& facts_;
  const ExportInput& input_;
  Out& out_;
  Headline head_;
};

class CsvRows {
 public:
  explicit CsvRows(Sink& sink) : sink_(sink) {}

  void begin() { row_.clear(); }
  void end() {
    if (!has_header_) sink_ << header_ << "\r\n";
    has_header_ = true;
    sink_ << row_ << "\r\n";
  }
  void text(std::string_view name, std::string_view value) { add(name, quoted(value)); }
  void integer(std::string_view name, int64_t value) { add(name, std::to_string(value)); }
  void number(std::string_view name, double value) { add(name, python_float(value)); }
  void nothing(std::string_view name) { add(name, ""); }

 private:
  void add(std::string_view name, const std::string& cell) {
    if (!has_header_) (header_ += header_.empty() ? "" : ",") += name;
    if (!row_.empty()) row_ += ',';
    row_ += cell;
  }
  static std::string quoted(std::string_view value) {
    std::string out = "\"";
    for (const char c : spreadsheet_text(shown_text(value))) {
      if (c == '"') out += '"';
      out += c;
    }
    return out += '"';
  }

  Sink& sink_;
  std::string header_, row_;
  bool has_header_ = false;
};

class NdjsonRows {
 public:
  explicit NdjsonRows(Sink& sink) : sink_(sink) {}

  void begin() { json_.begin_object(); }
  void end() {
    json_.end_object();
    sink_ << json_ << '\n';
    json_ = JsonWriter(JsonStyle::Compact);
  }
  void text(std::string_view name, std::string_view value) { json_.field(name, value); }
  void integer(std::string_view name, int64_t value) { json_.field(name, value); }
  void number(std::string_view name, double value) { json_.field(name, value); }
  void nothing(std::string_view name) { json_.key(name).null(); }

 private:
  Sink& sink_;
  JsonWriter json_{JsonStyle::Compact};
};

}  // namespace

void write_csv(const ExportInput& input, Sink& sink) {
  CsvRows rows(sink);
  RowWriter(input, rows).run();
}

void write_ndjson(const ExportInput& input, Sink& sink) {
  NdjsonRows rows(sink);
  RowWriter(input, rows).run();
}

}  // namespace etlens
