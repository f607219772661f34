// SPDX-License-Identifier: Apache-2.0
// The words of a recorded line: its hint, and what a baseline and a fleet say of it.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "core/compare/compare.h"
#include "core/facts/hints.h"
#include "core/fleet/fleet_view.h"
#include "core/render/hint_text.h"
#include "core/render/hover.h"
#include "server/config.h"

namespace etlens {

struct WordedHint {
  Hint hint;
  HintText words;
  ContributionId event;  // the line's most costly one; invalid if it has none of its own
};

// What lines are worded from.
struct LineWords {
  const Facts& facts;
  const ShowSettings& show;
  // Of the time: null where another measure is shown, and without any.
  const Comparison* comparison;
  const FleetView* fleet;

  // nullopt if it has none. `edited`: its text is no longer the recorded one.
  std::optional<WordedHint> hint(LineId line, bool edited,
                                 std::function<uint32_t(LineId)> current_line) const;
  // Null if nothing is compared there.
  const Change* change(LineId line, bool is_inclusive) const;
  // What stands above its own hover: whoever chose a fleet or a baseline wants to know that first.
  std::vector<HoverInfo> hovers_beside(LineId line, const HoverOptions& options) const;

 private:
  const LineChange* row(LineId line) const {
    return comparison == nullptr ? nullptr : comparison->of_line(line);
  }
  const FleetPlace* place(LineId line) const {
    return fleet == nullptr ? nullptr : fleet->of_line(line);
  }
};

}  // namespace etlens
