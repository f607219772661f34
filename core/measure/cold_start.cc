// SPDX-License-Identifier: Apache-2.0
#include "core/measure/cold_start.h"

#include <algorithm>

#include "core/base/budget.h"

namespace etlens {
namespace {

// Adds up the events of one name.
class LoadingEvents {
 public:
  explicit LoadingEvents(const Join& join)
      : join_(join),
        load_(join.log->strings.find("Program::load_method")),
        init_(join.log->strings.find("Method::init")) {}

  ColdStart run() {
    if (!load_.valid() && !init_.valid()) return {};
    for (const Run& run : join_.log->runs) add(run);
    cold_.load = whole_ - inside_;
    return cold_;
  }

 private:
  void add(const Run& run) {
    const EventLog& log = *join_.log;
    const std::vector<EventKey>& events = log.sequence(run.sequence).events;
    const EventTree& tree = join_.trees[run.sequence.value];
    for (size_t i = 0; i < events.size(); ++i) {
      go_on();
      if (tree.roles[i] != EventRole::Framework) continue;
      const uint64_t at = run.first_row + i;
      const bool is_load = load_.valid() && events[i].name == load_;
      const bool is_init = init_.valid() && events[i].name == init_;
      if (is_load && tree.parents[i] == kNone) {
        whole_ += Amount(elapsed_ticks(log.start[at], log.end[at]));
        ++cold_.loads;
      } else if (is_init) {
        const uint32_t around = tree.parents[i];
        const bool is_inside = around != kNone && load_.valid() && events[around].name == load_;
        if (!is_inside && around != kNone) continue;
        const Amount took(elapsed_ticks(log.start[at], log.end[at]));
        cold_.init += took;
        if (is_inside) inside_ += took;
        else ++cold_.loads;
      }
    }
  }

  const Join& join_;
  StringId load_;
  StringId init_;
  ColdStart cold_;
  Amount whole_;   // of the loads
  Amount inside_;  // of these, Method::init
};

}  // namespace

ColdStart cold_start(const Join& join, const Measure& time) {
  ColdStart cold = LoadingEvents(join).run();
  const std::vector<Amount>& totals = time.samples.totals;
  if (cold.loads == 0 || totals.size() < 2) return cold;
  const double usual = time.shown(time.total.typical());
  cold.first = std::max(0.0, static_cast<double>(totals.front().value) - usual);
  return cold;
}

}  // namespace etlens
