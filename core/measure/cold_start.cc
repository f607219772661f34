// SPDX-License-Identifier: Apache-2.0
#include "core/measure/cold_start.h"

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/budget.h"
#include "core/join/event_names.h"

namespace etlens {
namespace {

enum class Step : uint8_t { Load, InitInLoad, Init };

// An event of a sequence that tells of loading.
struct LoadingEvent {
  uint32_t position = 0;
  Step step = Step::Load;
};

std::vector<LoadingEvent> loading_events(const Join& join, SequenceId sequence) {
  const EventLog& log = *join.log;
  const std::vector<EventKey>& events = log.sequence(sequence).events;
  const EventTree& tree = join.trees[sequence.value];
  const auto is_load = [&](uint32_t i) { return is_named(log.text(events[i].name), kLoadEvent); };
  std::vector<LoadingEvent> found;
  for (uint32_t i = 0; i < events.size(); ++i) {
    go_on();
    if (tree.roles[i] != EventRole::Framework) continue;
    const uint32_t around = tree.parents[i];
    if (is_load(i)) {
      if (around == kNone) found.push_back({i, Step::Load});
    } else if (is_named(log.text(events[i].name), kInitEvent)) {
      if (around == kNone) found.push_back({i, Step::Init});
      else if (is_load(around)) found.push_back({i, Step::InitInLoad});
    }
  }
  return found;
}

ColdStart loading_of(const Join& join) {
  const EventLog& log = *join.log;
  std::unordered_map<SequenceId, std::vector<LoadingEvent>> of_sequence;
  for (size_t s = 0; s < log.sequences.size(); ++s) {
    std::vector<LoadingEvent> found = loading_events(join, SequenceId(s));
    if (!found.empty()) of_sequence.emplace(SequenceId(s), std::move(found));
  }
  ColdStart cold;
  for (const Run& run : log.runs) {
    go_on();
    const auto found = of_sequence.find(run.sequence);
    if (found == of_sequence.end()) continue;
    for (const LoadingEvent& event : found->second) {
      const uint64_t at = run.first_row + event.position;
      const Amount took(elapsed_ticks(log.start[at], log.end[at]));
      if (event.step == Step::Load) cold.load += took;
      else cold.init += took;
      if (event.step == Step::InitInLoad) cold.load -= took;
      else ++cold.loads;
    }
  }
  return cold;
}

}  // namespace

ColdStart cold_start(const Join& join, const Measure& time) {
  ColdStart cold = loading_of(join);
  const std::vector<Amount>& totals = time.samples.totals;
  if (cold.loads == 0 || totals.size() < 2) return cold;
  const double usual = time.shown(time.total.typical());
  cold.first = std::max(0.0, static_cast<double>(totals.front().value) - usual);
  return cold;
}

}  // namespace etlens
