// SPDX-License-Identifier: Apache-2.0
// What a fleet says of one line, beside what one dump says of it: in hints and hovers.
#pragma once

#include <optional>
#include <string>

#include "core/fleet/fleet.h"
#include "core/render/hint_text.h"
#include "core/render/hover.h"

namespace etlens {

// "p50 3.10 ms · p99 7.40 ms 15%"; the style says which of it.
std::string fleet_hint(const Fleet& fleet, const FleetPlace& place, HintStyle style,
                       std::optional<TimeScale> unit);
// The quantiles of all dumps, of each group, and the dumps that are far off.
HoverInfo fleet_hover(const Fleet& fleet, const FleetPlace& place, const HoverOptions& options);
// "fleet of 10000 dumps, p50 513 µs · p99 868 µs; 12 files left out".
std::string fleet_summary(const Fleet& fleet, std::optional<TimeScale> unit);

}  // namespace etlens
