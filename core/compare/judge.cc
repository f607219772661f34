// SPDX-License-Identifier: Apache-2.0
#include "core/compare/judge.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/compare/false_discovery.h"

namespace etlens {
namespace {

constexpr std::array<std::string_view, 6> kVerdicts{"cannot_tell", "same", "slower",
                                                    "faster",      "gone", "new"};
constexpr std::array<std::string_view, 7> kReasons{"",       "machine", "one_process", "few_dumps",
                                                   "spread", "small",   "nothing"};
// Without more processes nothing is certain, so it must be clear.
constexpr double kLikelyLevel = 0.01;

double fraction(double logarithm) { return std::expm1(logarithm); }

// The verdict of an interval that lies beyond the threshold; CannotTell for any other. What took no
// less time is not called faster, whatever the machine did: it is not certain enough what it did.
Verdict beyond(const ShiftRange& range, double raw, double threshold) {
  if (std::min(fraction(range.low), fraction(raw)) > threshold) return Verdict::Slower;
  // As far below as the threshold is above: twice as fast is as much as twice as slow.
  if (std::min(fraction(-range.high), fraction(-raw)) > threshold) return Verdict::Faster;
  return Verdict::CannotTell;
}

bool is_inside(const ShiftRange& range, double clock, double threshold) {
  return fraction(range.high + clock) < threshold && fraction(-range.low + clock) < threshold;
}

// What is the same for all places that are tested together.
struct Family {
  size_t before = 0;
  size_t after = 0;
  double level = 0;
  double threshold = 0;
  bool can_be_certain = false;  // the exact test could accuse one of them

  bool has_one() const { return std::min(before, after) < 2; }
};

// More dumps of each side, so that the interval clears the threshold.
std::optional<uint32_t> needs(const Shift& shift, const Family& family) {
  const double threshold = std::log1p(family.threshold);
  const std::optional<size_t> dumps =
      dumps_for(shift, std::abs(std::abs(shift.estimate) - threshold));
  if (!dumps) return std::nullopt;
  // The exact test speaks from five a side on, whatever the spread.
  constexpr size_t kLeastDumps = 5;
  const size_t have = std::min(family.before, family.after);
  return static_cast<uint32_t>(std::max({*dumps, kLeastDumps, have + 1}) - have);
}

Judged judge(const Tested& place, double p, double few_p, const Family& family) {
  const Shift& shift = place.shift;
  const ShiftRange range = shift.range.value_or(shift.few_range);
  Judged judged;
  judged.change = fraction(shift.estimate);
  judged.low = fraction(range.low);
  judged.high = fraction(range.high);
  judged.p = family.can_be_certain ? p : few_p;
  if (place.is_small) {
    judged.reason = Reason::Small;
    return judged;
  }
  if (shift.bounds && p <= family.level)
    judged.verdict = beyond(*shift.bounds, shift.raw, family.threshold);
  if (judged.verdict != Verdict::CannotTell) return judged;
  if (shift.range && is_inside(*shift.range, place.clock, family.threshold)) {
    judged.verdict = Verdict::Same;
    return judged;
  }
  if (!family.can_be_certain) {
    if (few_p <= kLikelyLevel)
      judged.verdict = beyond(shift.few_range, shift.raw, family.threshold);
    judged.is_likely = judged.verdict != Verdict::CannotTell;
    judged.reason = family.has_one() ? Reason::OneProcess : Reason::FewDumps;
  } else {
    judged.reason = Reason::Spread;
  }
  if (!judged.is_likely && shift.allowance > std::log1p(family.threshold))
    judged.reason = Reason::Machine;
  judged.needs_dumps = needs(shift, family);
  return judged;
}

}  // namespace

std::string_view name_of(Verdict verdict) { return kVerdicts[static_cast<size_t>(verdict)]; }
std::string_view name_of(Reason reason) { return kReasons[static_cast<size_t>(reason)]; }

bool is_slower_than_allowed(const Judged& judged, double allowed) {
  return judged.verdict == Verdict::Slower && judged.change > allowed;
}

std::vector<Judged> judge_places(const std::vector<Tested>& places, size_t dumps_before,
                                 size_t dumps_after, const JudgeOptions& options) {
  std::vector<double> ps;
  std::vector<double> few_ps;
  for (const Tested& place : places) {
    if (place.is_small) continue;
    ps.push_back(place.shift.p);
    few_ps.push_back(place.shift.few_p);
  }
  const double least = least_rank_sum_p(dumps_before, dumps_after);
  const Family family{dumps_before, dumps_after, options.false_discoveries, options.threshold,
                      least * static_cast<double>(ps.size()) <= options.false_discoveries};
  ps = adjust_for_many(ps);
  few_ps = adjust_for_many(few_ps);
  std::vector<Judged> judged;
  size_t tested = 0;
  for (const Tested& place : places) {
    if (place.is_small) {
      judged.push_back(judge(place, place.shift.p, place.shift.few_p, family));
    } else {
      judged.push_back(judge(place, ps[tested], few_ps[tested], family));
      ++tested;
    }
  }
  return judged;
}

Judged judge_total(const Tested& total, size_t dumps_before, size_t dumps_after,
                   const JudgeOptions& options) {
  const double least = least_rank_sum_p(dumps_before, dumps_after);
  const Family family{dumps_before, dumps_after, options.false_totals, options.threshold,
                      least <= options.false_totals};
  return judge(total, total.shift.p, total.shift.few_p, family);
}

}  // namespace etlens
