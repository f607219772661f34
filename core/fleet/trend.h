// SPDX-License-Identifier: Apache-2.0
// Builds in order: which places changed, and with which build first?
//
// For every point between two builds, the dumps before are held against those after it by ranks,
// device against the same device (van Elteren's test: Wilcoxon's rank sum within strata), so that
// another mix of devices is no change. The likeliest point counts, its p times the number of points
// (Bonferroni); over all places the p are adjusted by Benjamini and Hochberg, and a place is
// accused at kTrendLevel and only if its median moved by the threshold or more. So where nothing
// changed at all, at most kTrendLevel of the fleets accuse anything (docs/fleet.md).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/fleet/fleet.h"

namespace etlens {

inline constexpr double kTrendLevel = 0.05;
inline constexpr uint64_t kTrendDumps = 10;   // on either side, for a point to be looked at
inline constexpr double kTrendShare = 0.005;  // of the total, for a place to be looked at

struct TrendOptions {
  double threshold = 0.02;          // of a median, before which a change does not matter
  std::vector<std::string> builds;  // in order; empty: by name, numbers as numbers
};

struct TrendPlace {
  const FleetPlace* place = nullptr;
  std::vector<double> medians;  // one per build: of all its dumps; below 0 without any
  double p = 1;                 // adjusted for all points and places
  double change = 0;            // of the median, at `first`; within devices
  std::optional<size_t> first;  // the build that it changed with; nullopt: it did not
};

struct Trend {
  std::vector<std::string> builds;
  std::vector<uint64_t> dumps;     // one per build
  std::vector<TrendPlace> places;  // the changed first, then as the fleet has them
  size_t tested = 0;               // places
};

// The fleet is grouped by facts of which the last is the build and the others make the strata; it
// must outlive the result. Errors: InvalidParams for an unknown build, fewer than two, or a fleet
// that an engine answered, which has no distributions.
Result<Trend> find_trend(const Fleet& fleet, const TrendOptions& options);

}  // namespace etlens
