// SPDX-License-Identifier: Apache-2.0
#include "core/measure/compile_time.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/code/profile_code.h"

namespace etlens {
namespace {

constexpr double kNanoseconds = 1e9;  // in a second

// Times of a profile are below 2^62 ns (kMaxProfileSeconds).
Amount amount_of(double seconds) {
  return Amount(static_cast<int64_t>(std::llround(std::max(seconds, 0.0) * kNanoseconds)));
}

std::string calls_text(const CallCost& cost) {
  const auto words = [](int64_t n) { return counted(static_cast<size_t>(n), "call"); };
  if (cost.calls == cost.primitive) return words(cost.calls);
  return fmt::format("{}, {} of them not from itself", words(cost.calls), cost.primitive);
}

// Cumulative times are no sums of what is here: they are as the profiler has them.
void set_inclusive(Measure& measure, const PythonProfile& profile) {
  const Landings& landings = *measure.landings;
  for (size_t f = 0; f < profile.functions.size(); ++f) {
    const Amount cumulative = amount_of(profile.functions[f].cost.cumulative);
    measure.inclusive[f] = std::max(cumulative, measure.self[f].amount);
  }
  for (size_t l = 0; l < landings.lines.size(); ++l) {
    LineTotal& line = measure.lines[l];
    line.occurrences = 0;
    for (const ContributionId id : landings.lines[l].own) {
      // Of functions on one line, one may call the other: no sum.
      line.inclusive.amount = std::max(line.inclusive.amount, measure.inclusive[id.value]);
      line.occurrences += measure.occurrences[id.value];
    }
  }
}

std::vector<Call> calls_of(const PythonProfile& profile) {
  std::vector<Call> calls;
  for (size_t f = 0; f < profile.functions.size(); ++f) {
    for (const PythonCaller& caller : profile.callers_of(PythonFunctionId(f))) {
      Call call{ContributionId(caller.function.value), ContributionId(f)};
      call.times = static_cast<uint64_t>(caller.cost.calls);
      if (caller.has_times) call.inclusive = amount_of(caller.cost.cumulative);
      calls.push_back(call);
    }
  }
  return calls;
}

}  // namespace

CompileTime measure_compile_time(std::shared_ptr<const PythonProfile> profile) {
  Quantity quantity;
  quantity.id = kCompileTimeId;
  quantity.label = "compile time";
  quantity.over_samples = OverSamples::Last;
  quantity.whole = "all functions";
  quantity.framework = "in built-in functions";
  CompileTime result;
  std::vector<int64_t> own;
  for (const PythonFunction& function : profile->functions) {
    own.push_back(amount_of(function.cost.own).value);
    if (function.cost.own < 0) ++result.negative;
  }
  result.measure = measure_once(quantity, land_profile(profile), own);
  Measure& measure = result.measure;
  for (size_t f = 0; f < profile->functions.size(); ++f) {
    const PythonFunction& function = profile->functions[f];
    measure.occurrences[f] = static_cast<uint64_t>(function.cost.calls);
    measure.labels.push_back(
        {plain_bytes(profile->name(PythonFunctionId(f))), calls_text(function.cost)});
  }
  set_inclusive(measure, *profile);
  measure.calls = calls_of(*profile);
  return result;
}

}  // namespace etlens
