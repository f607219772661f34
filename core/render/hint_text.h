// SPDX-License-Identifier: Apache-2.0
// The hint at the end of a source line: what it costs and where it ran.
//
//   Σ 12.4 ms 61% ×24                inclusive time, where the line's own time is small beside it
//   3.10 ms 15% XNNPACK              own time, and the backend that ran it
//   fused → L42                      done by the event of another line
//   in XNNPACK #2 (5.00 ms, 14 lines)  known only for the whole delegate call
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/workspace/snapshot.h"

namespace etlens {

enum class HintStyle { Full, Time, Share };  // what a hint says of a line's cost

struct HintOptions {
  double threshold = 0.005;  // share of the method's time below which a line stays quiet
  HintStyle style = HintStyle::Full;
  std::optional<TimeScale> unit;  // nullopt: chosen for each value
  // Where a recorded line is now (1-based), for references to it; 0 if it is nowhere.
  std::function<uint32_t(LineId)> current_line;
  // Lines that speak below the threshold too.
  std::function<bool(LineId)> always;
};

// A piece of a hint; with a target it refers to another line.
struct HintPart {
  std::string text;
  LineId target;
};

struct LineHint {
  std::string text;  // at most kMaxHintWidth characters; the parts in a row
  std::vector<HintPart> parts;
  double share = 0;  // of the method's time, for heat: what the hint shows
  bool is_inclusive = false;
};

inline constexpr size_t kMaxHintWidth = 43;  // VS Code cuts longer ones

// nullopt: the line has nothing to say. `edited` marks a line whose text changed since the export.
std::optional<LineHint> line_hint(const ProfileSnapshot& snapshot, LineId line, bool edited,
                                  const HintOptions& options);

// "XNNPACK", "CPU", "XNNPACK+CPU"; "" where nothing is delegated at all.
std::string where_line_ran(const Profile& profile, const LineRow& line);

}  // namespace etlens
