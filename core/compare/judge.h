// SPDX-License-Identifier: Apache-2.0
// From shifts to verdicts: is it slower, faster, the same, or can nobody tell?
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/compare/shift.h"

namespace etlens {

enum class Verdict : uint8_t {
  CannotTell,
  Same,    // the interval lies inside the threshold: a result, not the lack of one
  Slower,  // the interval lies beyond it
  Faster,
  Gone,  // nothing on the new side does its work
  New,
};
// "cannot_tell", "same", "slower", "faster", "gone", "new".
std::string_view name_of(Verdict verdict);

// Why it is that verdict, where there is something to say.
enum class Reason : uint8_t {
  None,
  Machine,     // it changed no more than the machine did
  OneProcess,  // a side has one dump: what processes differ by is only known from others
  FewDumps,    // too few for the exact test
  Spread,      // the dumps of a side differ too much
  Small,       // less than kLeastShare of the time: not tested
  Nothing,     // it took no time that a clock could tell
};
// "machine", "one_process", "few_dumps", "spread", "small", "nothing"; "" for none.
std::string_view name_of(Reason reason);

struct JudgeOptions {
  double threshold = 0.02;          // changes smaller than this do not matter
  double false_discoveries = 0.05;  // of the places that are accused, over all that are tested
  double false_totals = 0.02;       // of comparisons without a change
};
inline constexpr double kLeastShare = 0.005;

struct Judged {
  Verdict verdict = Verdict::CannotTell;
  bool is_likely = false;  // slower or faster, but the dumps are too few for certainty
  Reason reason = Reason::None;
  double change = 0;  // a fraction of before, beyond the machine's factor
  double low = 0;     // of its interval
  double high = 0;
  double p = 1;                         // adjusted for how many places were tested
  std::optional<uint32_t> needs_dumps;  // more of each side that would settle it; nullopt: it is
                                        // settled, or dumps like these cannot settle it
};

// Whether a script that allows so much has to be told: slower, or likely slower, by more than
// `allowed`, a fraction of before.
bool is_slower_than_allowed(const Judged& judged, double allowed);

struct Tested {
  Shift shift;
  double clock = 0;       // part by which a coarse clock may be wrong about it
  bool is_small = false;  // below kLeastShare on both sides
};

// Of places that are tested together: those that are small are given no verdict.
std::vector<Judged> judge_places(const std::vector<Tested>& places, size_t dumps_before,
                                 size_t dumps_after, const JudgeOptions& options);

// The total is tested alone, and more strictly.
Judged judge_total(const Tested& total, size_t dumps_before, size_t dumps_after,
                   const JudgeOptions& options);

}  // namespace etlens
