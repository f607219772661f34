// SPDX-License-Identifier: Apache-2.0
#include "core/compare/dump_amounts.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/base/budget.h"
#include "core/measure/influence.h"

namespace etlens {
namespace {

constexpr std::string_view kNativeCall = "native_call_";

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The values of the samples used that are no interruptions; ascending.
std::vector<int64_t> usual_values(const Measure& measure, ContributionId id) {
  std::vector<int64_t> values;
  for (const uint32_t s : measure.samples.used) {
    const int64_t value = measure.series.at(id.value, s);
    if (value != Series::kAbsent) values.push_back(value);
  }
  std::sort(values.begin(), values.end());
  const size_t half = (values.size() + 1) / 2;
  double centre = 0;
  for (size_t i = 0; i < half; ++i)
    centre += static_cast<double>(values[i]) / static_cast<double>(half);
  const double limit =
      std::max(centre * kTypicalSpread, centre + static_cast<double>(measure.slack[id.value]));
  while (!values.empty() && static_cast<double>(values.back()) > limit) values.pop_back();
  return values;
}

}  // namespace

std::string kernel_name(std::string_view name) {
  if (name.starts_with(kNativeCall)) name.remove_prefix(kNativeCall.size());
  size_t end = name.size();
  while (end > 0 && is_digit(name[end - 1])) --end;
  const bool is_numbered = end < name.size() && end > 2 && name.substr(0, end).ends_with(" #");
  return std::string(is_numbered ? name.substr(0, end - 2) : name);
}

double clock_error(const Measure& measure, const LoggedValues& logged, ContributionId id) {
  const auto half = static_cast<double>(logged.half_step[id.value].value);
  if (half == 0 || measure.sample_count() == 0) return 0;
  const std::vector<int64_t> values = usual_values(measure, id);
  if (values.empty()) return 0;
  const auto low = std::count(values.begin(), values.end(), values.front());
  const auto high = std::count(values.begin(), values.end(), values.back());
  const bool varies = low + high < static_cast<std::ptrdiff_t>(values.size());
  if (values.front() != values.back() && varies) return 0;
  const double times = static_cast<double>(measure.occurrences[id.value]) /
                       static_cast<double>(measure.sample_count());
  // Of two neighbouring values the step between them is known to be near, the nearer the more
  // evenly they occur.
  const double balance =
      values.front() == values.back()
          ? 1
          : std::abs(static_cast<double>(low - high)) / static_cast<double>(values.size());
  return half * balance * std::sqrt(std::max(times, 1.0));
}

std::vector<std::string> operation_keys(const Join& join) {
  std::vector<std::string> keys;
  for (size_t e = 0; e < join.events.size(); ++e) {
    const EventKey& key = join.events[e].key;
    const Landing& landing = (*join.landings)[ContributionId(e)];
    keys.push_back(fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}", key.chain, key.instruction.value,
                               key.delegate_id_int, join.log->text(key.name),
                               join.log->text(key.delegate_id_str), static_cast<int>(landing.part),
                               landing.node.value, landing.place.value));
  }
  return keys;
}

std::vector<std::vector<float>> influences_of(const Measure& measure) {
  const size_t samples = measure.sample_count();
  if (samples < 2) return {};
  const size_t blocks = std::min(samples, kMaxInfluences);
  const size_t count = measure.series.contributions();
  std::vector<std::vector<float>> rows(blocks, std::vector<float>(count));
  const auto blocks_per_sample = static_cast<double>(blocks) / static_cast<double>(samples);
  std::vector<int64_t> values;
  std::vector<uint32_t> present;
  Influences found;
  for (size_t c = 0; c < count; ++c) {
    go_on(1 + samples / 16);
    values.clear();
    present.clear();
    for (uint32_t i = 0; i < samples; ++i) {
      const int64_t value = measure.series.at(c, measure.samples.used[i]);
      if (value == Series::kAbsent) continue;
      values.push_back(value);
      present.push_back(i);
    }
    if (values.empty()) continue;
    find_influences(values, measure.statistic, measure.slack[c], found);
    for (size_t i = 0; i < present.size(); ++i)
      rows[present[i] * blocks / samples][c] +=
          static_cast<float>(found.of_value[i] * blocks_per_sample);
  }
  return rows;
}

}  // namespace etlens
