// SPDX-License-Identifier: Apache-2.0
#include "core/runs/earlier_runs.h"

#include "core/runs/choose_run.h"

namespace etlens {
namespace {

constexpr size_t kDayLetters = 10;  // YYYY-MM-DD

std::string day_of(const StoredRun& run) {
  return day_and_time(run.time_ms).substr(0, kDayLetters);
}

// Of runs in the order in which they were stored.
struct Found {
  const StoredRun* best = nullptr;
  const StoredRun* day = nullptr;
  const StoredRun* main = nullptr;
  const StoredRun* master = nullptr;

  void look_at(const StoredRun& run, const std::string& today) {
    if (best == nullptr || run.total->value <= best->total->value) best = &run;
    if (const std::string its = day_of(run); its < today && (day == nullptr || its >= day_of(*day)))
      day = &run;
    if (run.branch == "main") main = &run;
    if (run.branch == "master") master = &run;
  }
};

}  // namespace

std::vector<EarlierRun> earlier_runs(const StoredRuns& stored, const StoredRun& shown) {
  Found found;
  const std::string today = day_of(shown);
  for (const StoredRun& run : stored.runs)
    if (run.number < shown.number && change_since(run, shown)) found.look_at(run, today);
  std::vector<EarlierRun> runs;
  const auto add = [&](std::string name, const StoredRun* run) {
    if (run != nullptr) runs.push_back({std::move(name), *change_since(*run, shown), *run});
  };
  add("the best run", found.best);
  if (found.day != nullptr) add(day_of(*found.day), found.day);
  if (found.main != nullptr) add("main", found.main);
  else add("master", found.master);
  return runs;
}

}  // namespace etlens
