// SPDX-License-Identifier: Apache-2.0
// The JSON of `etlens events`.
#include "core/render/report_json.h"
#include "core/render/report_writer.h"

namespace etlens {
namespace {

class EventsWriter {
 public:
  EventsWriter(const Facts& facts, const std::vector<AnchoredSource>& sources, TimeScale target)
      : facts_(facts), sources_(sources), out_(facts, target), json_(out_.json()) {}

  std::string run(const RowChoice& rows) {
    out_.head("etlens/events@2");
    out_.reconciliation();
    json_.key("events").begin_array();
    for (const size_t row : chosen_rows(rows, facts_.ranked().size()))
      event(facts_.event(facts_.ranked()[row]));
    json_.end_array().end_object();
    return json_.take();
  }

 private:
  void event(const EventFacts& event) {
    json_.begin_object().field("event", std::string_view(event.logged_name));
    const bool has_title = event.name != event.logged_name;
    out_.nullable("title", has_title ? std::string_view(event.name) : std::string_view());
    out_.nullable("op", event.op);
    out_.instruction(event);
    json_.field("chain_index", event.chain);
    out_.nullable("backend", event.backend);
    json_.key("partition");
    if (event.partition.valid())
      json_.value(facts_.code().partitions[event.partition.value].number);
    else json_.null();
    json_.field("part", name_of(event.part));
    out_.cost("self", event.self);
    out_.interval(std::span(&event.id, 1));
    json_.field("disturbance_ticks", event.self.disturbance.value);
    out_.cost("total", event.inclusive);
    json_.field("share", event.self.share).field("occurrences", event.occurrences);
    statistics(event);
    out_.nullable("module", event.module_path.value_or(std::string_view()));
    line(event.line);
    json_.field("confidence", name_of(event.confidence)).field("candidates", event.candidates);
    json_.field("rescaled", event.is_rescaled);
    reported(event);
    out_.handles(event);
    json_.end_object();
  }

  // Of the self time. null where a value has no length in time of its own.
  void statistics(const EventFacts& event) {
    if (!event.has_duration) {
      for (const char* name : {"p10", "p50", "p90", "min", "max"}) json_.key(name).null();
      return;
    }
    const PerfData perf = facts_.statistics(std::span(&event.id, 1));
    out_.time("p10", perf.p10);
    out_.time("p50", perf.p50);
    out_.time("p90", perf.p90);
    out_.time("min", perf.min);
    out_.time("max", perf.max);
  }

  void line(LineId id) {
    json_.key("recorded_path");
    if (!id.valid()) {
      json_.null().key("line").null().key("current_line").null();
      return;
    }
    const CodeLine& line = facts_.code().lines[id.value];
    const Anchor& anchor = sources_[line.file.value].of(facts_.code(), id);
    json_.value(facts_.code().recorded_path(line.file)).field("line", line.number);
    json_.key("current_line");
    if (anchor.line == 0) json_.null();
    else json_.value(anchor.line);
  }

  // What the backend itself logged: its value per execution in its own unit, and its metadata.
  void reported(const EventFacts& event) {
    json_.key("reported");
    if (event.unit == DelegateUnit::Ticks) {
      json_.null();
    } else {
      json_.begin_object().field("value", event.reported).field("unit", name_of(event.unit));
      json_.end_object();
    }
    json_.key("metadata").begin_object();
    const MetadataFields fields =
        facts_.join().backends->read_metadata(event.backend, facts_.metadata(event.id));
    for (const auto& [name, value] : fields) json_.field(name, std::string_view(value));
    json_.end_object();
  }

  const Facts& facts_;
  const std::vector<AnchoredSource>& sources_;
  ReportWriter out_;
  JsonWriter& json_;
};

}  // namespace

std::string events_json(const Facts& facts, const std::vector<AnchoredSource>& sources,
                        TimeScale target, const RowChoice& rows) {
  return EventsWriter(facts, sources, target).run(rows);
}

}  // namespace etlens
