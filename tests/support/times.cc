// SPDX-License-Identifier: Apache-2.0
#include "tests/support/times.h"

#include <utility>

namespace etlens::test {

TimeOptions mean_raw() { return {Statistic::Mean, "all", true}; }

int64_t Timed::self_on(uint32_t line) const {
  const LineId id = find_line(join, line);
  return id.valid() ? measure().lines[id.value].self.amount.value : 0;
}

int64_t Timed::inclusive_on(uint32_t line) const {
  const LineId id = find_line(join, line);
  return id.valid() ? measure().lines[id.value].inclusive.amount.value : 0;
}

uint64_t Timed::occurrences_on(uint32_t line) const {
  const LineId id = find_line(join, line);
  return id.valid() ? measure().lines[id.value].occurrences : 0;
}

const ModuleTotal& Timed::module(std::string_view path) const {
  const ModuleId id = join.code().find_module(path);
  if (!id.valid()) FAIL("no module " << path);
  return measure().modules[id.value];
}

ContributionId Timed::event(std::string_view readable_name) const {
  for (size_t e = 0; e < join.events.size(); ++e) {
    if (join.readable_name(ContributionId(e)) == readable_name) return ContributionId(e);
  }
  FAIL("no event " << readable_name);
  return {};
}

int64_t Timed::self_of(std::string_view readable_name) const {
  return measure().self[event(readable_name).value].amount.value;
}

const Landing& Timed::landing_of(std::string_view readable_name) const {
  return (*join.landings)[event(readable_name)];
}

Timed time_of(Join join, const TimeOptions& options) {
  Result<TimeMeasure> time = measure_time(join, options);
  if (!time) FAIL(time.error().message);
  return {std::move(join), std::move(*time)};
}

}  // namespace etlens::test
