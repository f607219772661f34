// SPDX-License-Identifier: Apache-2.0
#include "server/session/line_words.h"

#include <utility>

#include "core/render/diff_hover.h"
#include "core/render/diff_text.h"
#include "core/render/fleet_hover.h"

namespace etlens {

// The hint shows the time with what the line calls, where that is the greater part.
const Change* LineWords::change(LineId line, bool is_inclusive) const {
  const LineChange* change = row(line);
  if (change == nullptr) return nullptr;
  return is_inclusive ? &change->inclusive : &change->change;
}

std::vector<HoverInfo> LineWords::hovers_beside(LineId line, const HoverOptions& options) const {
  std::vector<HoverInfo> hovers;
  if (const FleetPlace* there = place(line))
    hovers.push_back(fleet_hover(fleet->fleet(), *there, options));
  if (const LineChange* change = row(line)) {
    const std::optional<Hint> hint = hint_of(facts, line, false, {0});
    HoverInfo changed =
        line_change_hover(*comparison, *change, hint && hint->is_inclusive, options);
    if (!changed.time.empty()) hovers.push_back(std::move(changed));
  }
  return hovers;
}

std::optional<WordedHint> LineWords::hint(LineId line, bool edited,
                                          std::function<uint32_t(LineId)> current_line) const {
  std::optional<Hint> hint = hint_of(facts, line, edited, {show.threshold});
  if (!hint) return std::nullopt;
  HintTextOptions options{show.style, show.unit, "", "", std::move(current_line)};
  if (const LineChange* change = row(line))
    options.change = short_change_text(*change, hint->is_inclusive);
  // A fleet says nothing of what a line calls.
  if (const FleetPlace* there = hint->is_inclusive ? nullptr : place(line))
    options.fleet = fleet_hint(fleet->fleet(), *there, show.style, show.unit);
  HintText words = hint_text(facts, *hint, options);
  const std::vector<ContributionId> own = facts.line(line).own;
  return WordedHint{std::move(*hint), std::move(words),
                    own.empty() ? ContributionId() : own.front()};
}

}  // namespace etlens
