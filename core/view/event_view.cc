// SPDX-License-Identifier: Apache-2.0
#include "core/view/event_view.h"

namespace etlens {
namespace {

SpreadOfTimesView times_view(const Facts& facts, const Scale& scale, const EventFacts& event) {
  if (!event.has_duration) return {};
  const PerfData perf = facts.statistics(std::span(&event.id, 1));
  return {scale.of(perf.p10), scale.of(perf.p50), scale.of(perf.p90), scale.of(perf.min),
          scale.of(perf.max)};
}

LineOfEventView line_view(const Facts& facts, const std::vector<AnchoredSource>& sources,
                          LineId id) {
  if (!id.valid()) return {};
  const CodeLine& line = facts.code().lines[id.value];
  const Anchor& anchor = sources[line.file.value].of(facts.code(), id);
  LineOfEventView view{facts.code().recorded_path(line.file), line.number, std::nullopt};
  if (anchor.line != 0) view.current_line = anchor.line;
  return view;
}

}  // namespace

EventView event_view(const Facts& facts, const std::vector<AnchoredSource>& sources,
                     const Scale& scale, ContributionId id) {
  EventFacts event = facts.event(id);
  EventView view;
  if (!event.name.empty() && event.name != event.logged_name) view.title = std::move(event.name);
  view.event = std::move(event.logged_name);
  view.op = text_or_null(event.op);
  view.instruction_id = instruction_view(event);
  view.chain_index = event.chain;
  view.backend = text_or_null(event.backend);
  if (event.partition.valid())
    view.partition = facts.code().partitions[event.partition.value].number;
  view.part = name_of(event.part);
  view.self = scale.of(event.self);
  view.self_ticks = event.self.amount.value;
  view.interval = interval_view(facts, scale, std::span(&event.id, 1));
  view.disturbance_ticks = event.self.disturbance.value;
  view.total = scale.of(event.inclusive);
  view.total_ticks = event.inclusive.amount.value;
  view.share = event.self.share;
  view.occurrences = event.occurrences;
  view.times = times_view(facts, scale, event);
  view.module = text_or_null(event.module_path.value_or(std::string_view()));
  view.place = line_view(facts, sources, event.line);
  view.confidence = name_of(event.confidence);
  view.candidates = event.candidates;
  view.rescaled = event.is_rescaled;
  if (event.unit != DelegateUnit::Ticks)
    view.reported = ReportedView{event.reported, name_of(event.unit)};
  view.metadata = facts.join().backends->read_metadata(event.backend, facts.metadata(event.id));
  view.debug_handles = handles_view(facts.join().handles_of(event.id));
  return view;
}

EventsView events_view(const Facts& facts, const std::vector<AnchoredSource>& sources, Scale scale,
                       ReportView report, const RowChoice& rows) {
  EventsView view;
  view.report = std::move(report);
  view.events = Rows<EventView>([&facts, &sources, scale, rows](const auto& take) {
    for (const size_t row : chosen_rows(rows, facts.ranked().size()))
      take(event_view(facts, sources, scale, facts.ranked()[row]));
  });
  return view;
}

}  // namespace etlens
