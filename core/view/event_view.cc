// SPDX-License-Identifier: Apache-2.0
#include "core/view/event_view.h"

namespace etlens {
namespace {

SpreadOfTimesView times_view(const Scale& scale, const PerfData& perf) {
  return {scale.of(perf.p10), scale.of(perf.p50), scale.of(perf.p90), scale.of(perf.min),
          scale.of(perf.max)};
}

LineOfEventView line_view(const Facts& facts, const AnchorOf& anchor_of, LineId id) {
  if (!id.valid()) return {};
  const CodeLine& line = facts.code().lines[id.value];
  LineOfEventView view{facts.code().recorded_path(line.file), line.number, std::nullopt};
  if (const Anchor& anchor = anchor_of(id); anchor.line != 0) view.current_line = anchor.line;
  return view;
}

// What every contribution has; `event` is what people call it.
EventView contribution_view(const Facts& facts, const AnchorOf& anchor_of, const Scale& scale,
                            const ContributionFacts& row, const std::optional<Interval>& interval) {
  EventView view;
  view.event = row.name;
  if (!row.remark.empty()) view.remark = row.remark;
  view.op = text_or_null(row.op);
  view.backend = text_or_null(row.backend);
  if (row.partition.valid()) view.partition = facts.code().partitions[row.partition.value].number;
  view.part = name_of(row.part);
  view.self = scale.of(row.self);
  view.self_ticks = row.self.amount.value;
  view.interval = interval_view(scale, interval);
  view.disturbance_ticks = row.self.disturbance.value;
  view.total = scale.of(row.inclusive);
  view.total_ticks = row.inclusive.amount.value;
  view.share = row.self.share;
  view.occurrences = row.occurrences;
  view.module = text_or_null(row.module_path.value_or(std::string_view()));
  view.place = line_view(facts, anchor_of, row.line);
  view.confidence = name_of(row.confidence);
  view.candidates = row.candidates;
  return view;
}

}  // namespace

EventView event_view(const Facts& facts, const AnchorOf& anchor_of, const Scale& scale,
                     ContributionId id, const PerfData& statistics,
                     const std::optional<Interval>& interval) {
  if (!facts.has_events())
    return contribution_view(facts, anchor_of, scale, facts.contribution(id), interval);
  EventFacts event = facts.event(id);
  EventView view = contribution_view(facts, anchor_of, scale, event, interval);
  view.event = std::move(event.logged_name);
  if (!event.name.empty() && event.name != view.event) view.title = std::move(event.name);
  view.instruction_id = instruction_view(event);
  view.chain_index = event.chain;
  if (event.has_duration) view.times = times_view(scale, statistics);
  view.rescaled = event.is_rescaled;
  if (event.unit != DelegateUnit::Ticks)
    view.reported = ReportedView{event.reported, name_of(event.unit)};
  view.metadata = facts.join().backends->read_metadata(event.backend, facts.metadata(id));
  view.debug_handles = handles_view(facts.join().handles_of(id));
  view.groups = costs_in_groups_view(scale, in_groups(facts, id));
  return view;
}

EventsView events_view(const Facts& facts, const std::vector<AnchoredSource>& sources, Scale scale,
                       ReportView report, const RowChoice& rows) {
  EventsView view;
  view.report = std::move(report);
  view.events = Rows<EventView>([&facts, &sources, scale, rows](const auto& take) {
    const AnchorOf anchor_of = [&](LineId line) -> const Anchor& {
      return sources[facts.code().lines[line.value].file.value].of(facts.code(), line);
    };
    for (const size_t row : chosen_rows(rows, facts.ranked().size())) {
      const ContributionId id = facts.ranked()[row];
      take(event_view(facts, anchor_of, scale, id, facts.statistics({&id, 1}),
                      facts.interval({&id, 1})));
    }
  });
  return view;
}

}  // namespace etlens
