// SPDX-License-Identifier: Apache-2.0
// The words of a hint at the end of a source line: what it costs and where it ran. Which lines have
// one, core/facts/hints.h says.
//
//   Σ 12.4 ms 61% ×24                inclusive time, where the line's own time is small beside it
//   3.10 ms 15% XNNPACK              own time, and the backend that ran it
//   3.15 MB 37%                      of memory: in use at the peak, and its share of the peak
//   SNR 11 dB ▼ 83%                  of error: what came of it, and the share that is made here
//   3.10 ms −12% ▼ XNNPACK           beside a baseline: what changed, where that is known
//   p50 3.10 ms · p99 7.40 ms 15% XNNPACK  beside a fleet: half of its dumps, 99 in 100 of them
//   fused → L42                      done by the event of another line
//   XNNPACK · 36.9 kB          before the first run: where its operators run, and its constants
//   CPU                        likewise: no delegate takes them
//   Σ 2 of 14 operators on the CPU  likewise, with what the line calls
//   in XNNPACK #2 (5.00 ms, 14 lines)  known only for the whole delegate call
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/time_scale.h"
#include "core/facts/hints.h"

namespace etlens {

enum class HintStyle { Full, Time, Share };  // what a hint says of a line's cost

struct HintTextOptions {
  HintStyle style = HintStyle::Full;
  std::optional<TimeScale> unit;  // nullopt: chosen for each value
  // What changed since the baseline, "−12% ▼": it takes the place of the share. "" for nothing.
  std::string change;
  // What a fleet says of the line: it takes the place of the time, and of the change. "" for
  // nothing.
  std::string fleet;
  // Where a recorded line is now (1-based), for references to it; 0 if it is nowhere. Without it,
  // and for lines that are nowhere, the recorded number is shown.
  std::function<uint32_t(LineId)> current_line;
};

// A piece of a hint; with a target it refers to another line.
struct HintPart {
  std::string text;
  LineId target;
};

struct HintText {
  std::string text;  // at most kMaxHintWidth characters; the parts in a row
  std::vector<HintPart> parts;
};

// In front of a number: it is one of several possible lines; the line was found again.
inline constexpr std::string_view kInferredSign = "≈";
inline constexpr std::string_view kRecoveredSign = "↳";

inline constexpr size_t kMaxHintWidth = 43;  // VS Code cuts longer ones

HintText hint_text(const Facts& facts, const Hint& hint, const HintTextOptions& options);

}  // namespace etlens
