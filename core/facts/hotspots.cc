// SPDX-License-Identifier: Apache-2.0
#include "core/facts/hotspots.h"

#include <algorithm>
#include <unordered_map>

namespace etlens {
namespace {

double ticks_per_value(const EventConversion& conversion) {
  if (conversion.kind == Conversion::Ticks) return 1;
  if (conversion.kind != Conversion::Constant) return 0;
  return static_cast<double>(conversion.numerator) / static_cast<double>(conversion.denominator);
}

}  // namespace

std::vector<EventId> ranked_events(const Profile& profile) {
  std::vector<EventId> ranked;
  for (size_t e = 0; e < profile.events.size(); ++e) {
    if (profile.events[e].occurrences > 0) ranked.emplace_back(e);
  }
  std::stable_sort(ranked.begin(), ranked.end(), [&](EventId a, EventId b) {
    return profile.events[a.value].self_ticks > profile.events[b.value].self_ticks;
  });
  return ranked;
}

std::vector<LineId> ranked_lines(const Profile& profile) {
  std::vector<LineId> ranked;
  for (size_t l = 0; l < profile.lines.size(); ++l) {
    if (profile.lines[l].self_ticks > 0) ranked.emplace_back(l);
  }
  std::stable_sort(ranked.begin(), ranked.end(), [&](LineId a, LineId b) {
    return profile.lines[a.value].self_ticks > profile.lines[b.value].self_ticks;
  });
  return ranked;
}

bool has_statistics(const EventRow& event) {
  return event.conversion == Conversion::Ticks || event.conversion == Conversion::Constant;
}

std::vector<std::string_view> event_metadata(const Profile& profile) {
  const EventLog& log = *profile.log;
  const Block& block = profile.selected();
  if (log.metadata.empty()) return {};
  std::vector<std::string_view> metadata(profile.events.size());
  for (size_t s = 0; s < block.sequences.size(); ++s) {
    const auto run = std::find_if(block.runs.begin(), block.runs.end(), [&](uint32_t r) {
      return log.runs[r].sequence == block.sequences[s];
    });
    if (run == block.runs.end()) continue;
    const std::vector<EventId>& events = profile.event_of_position[s];
    for (size_t i = 0; i < events.size(); ++i) {
      if (!events[i].valid() || !metadata[events[i].value].empty()) continue;
      metadata[events[i].value] = log.text(log.metadata[log.runs[*run].first_row + i]);
    }
  }
  return metadata;
}

std::vector<PerfData> event_statistics(const Profile& profile) {
  const EventLog& log = *profile.log;
  const Block& block = profile.selected();
  const size_t executions = block.runs.size();
  std::unordered_map<uint32_t, size_t> index_of_sequence;
  for (size_t s = 0; s < block.sequences.size(); ++s)
    index_of_sequence.emplace(block.sequences[s], s);
  // Event after event, so that each event's values lie together.
  std::vector<double> sums(profile.events.size() * executions, 0);
  for (size_t r = 0; r < executions; ++r) {
    const Run& run = log.runs[block.runs[r]];
    const size_t s = index_of_sequence[run.sequence];
    const std::vector<EventId>& events = profile.event_of_position[s];
    const SequenceConversions& conversions = profile.conversions[s];
    for (size_t i = 0; i < events.size(); ++i) {
      if (!events[i].valid()) continue;
      const uint64_t at = run.first_row + i;
      sums[events[i].value * executions + r] +=
          static_cast<double>(elapsed_ticks(log.start[at], log.end[at])) *
          (conversions.empty() ? 1.0 : ticks_per_value(conversions[i]));
    }
  }
  std::vector<PerfData> statistics;
  statistics.reserve(profile.events.size());
  for (size_t e = 0; e < profile.events.size(); ++e) {
    statistics.push_back(perf_data(std::span(sums).subspan(e * executions, executions)));
  }
  return statistics;
}

}  // namespace etlens
