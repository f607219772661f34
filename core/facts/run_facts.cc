// SPDX-License-Identifier: Apache-2.0
#include "core/facts/run_facts.h"

#include <algorithm>
#include <vector>

#include "core/measure/samples.h"
#include "core/workspace/run_check.h"

namespace etlens {
namespace {

constexpr double kMuchOfTheTime = 0.1;
constexpr size_t kLeastPaces = 5;  // fewer do not show whether the machine speed changed
constexpr double kLowPercentile = 10;
constexpr double kHighPercentile = 90;

void add_pace(const RunPace& pace, RunFacts& run) {
  std::vector<double> seconds = pace.seconds;
  if (seconds.size() < kLeastPaces) return;
  std::sort(seconds.begin(), seconds.end());
  const double low = percentile(seconds, kLowPercentile);
  if (low <= 0) return;
  run.pace_low = low;
  run.pace_high = percentile(seconds, kHighPercentile);
  run.speed_change = *run.pace_high / low - 1;
}

}  // namespace

std::optional<RunFacts> run_facts(const Facts& facts) {
  const RunCheck* check = facts.study().run.get();
  if (check == nullptr) return std::nullopt;
  const RunFile& file = check->run;
  RunFacts run;
  if (file.traced.value) run.traced = file.traced.value->typical;
  if (file.untraced.value) run.untraced = file.untraced.value->typical;
  if (run.traced && run.untraced.value_or(0) > 0) run.tracer_cost = *run.traced / *run.untraced - 1;
  if (file.pace.value) add_pace(*file.pace.value, run);
  const std::optional<std::vector<double>>& load = file.load_before.value;
  if (load && !load->empty()) run.load = load->front();
  const std::optional<std::vector<uint64_t>>& processors = file.processors.value;
  if (processors && !processors->empty()) run.processors = processors->size();
  run.is_slowed = run.tracer_cost.value_or(0) > kMuchOfTheTime;
  run.is_uneven = run.speed_change.value_or(0) > kMuchOfTheTime;
  run.is_loaded = run.load && run.processors && *run.load > static_cast<double>(*run.processors);
  return run;
}

}  // namespace etlens
