// SPDX-License-Identifier: Apache-2.0
// The trend of a fleet's builds: a curve for each place that changed, and for the total.
#pragma once

#include "core/export/sink.h"
#include "core/fleet/trend.h"

namespace etlens {

// SVG, a file of its own. `by`: the kind of the places.
void write_trend_picture(const Fleet& fleet, const Trend& trend, PlaceKind by, Sink& sink);

}  // namespace etlens
