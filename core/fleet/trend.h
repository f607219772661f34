// SPDX-License-Identifier: Apache-2.0
// Builds in order: which places changed, and with which build first?
//
// For every point between two builds, the dumps before are held against those after it
// (change_point.h), device against the same device, so that another mix of devices is no change.
// What all lines of a dump do together is the machine, not a change of one of them: it is taken out
// (core/compare/machine.h) where enough lines tell it, and is tested apart from the places. The
// likeliest point counts, its p times the number of points (Bonferroni); over all places the p are
// adjusted by Benjamini and Hochberg, and a place is accused at kTrendLevel and only if its median
// moved by the threshold or more. So where nothing changed at all, at most kTrendLevel of the
// fleets accuse anything (docs/fleet.md).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/fleet/change_point.h"
#include "core/fleet/fleet.h"

namespace etlens {

inline constexpr double kTrendLevel = 0.05;
inline constexpr double kTrendShare = 0.005;  // of the total, for a place to be looked at

struct TrendOptions {
  double threshold = 0.02;          // of a median, before which a change does not matter
  std::vector<std::string> builds;  // in order; empty: by name, numbers as numbers
};

// Where a place changed first, beyond the machine.
struct TrendChange {
  double p = 1;                 // adjusted for all points and places
  double change = 0;            // of the median, at `first`; within devices
  std::optional<size_t> first;  // the build that it changed with; nullopt: it did not
};

struct TrendPlace : TrendChange {
  const FleetPlace* place = nullptr;
  std::vector<double> medians;  // one per build: of all its dumps; below 0 without any
};

// What all lines did together.
struct TrendMachine : TrendChange {
  size_t lines = 0;  // that tell; 0: too few, and nothing was taken out
  // One per build: how slow, 1 is usual for the device; 0 without dumps.
  std::vector<double> medians;
};

struct Trend {
  std::vector<std::string> builds;
  std::vector<uint64_t> dumps;  // one per build
  TrendMachine machine;
  std::vector<TrendPlace> places;  // the changed first, then as the fleet has them
  size_t tested = 0;               // places
};

// The fleet is grouped by facts of which the last is the build and the others make the strata, and
// keeps its dumps; it must outlive the result. Errors: InvalidParams for an unknown build, fewer
// than two, or a fleet that an engine answered, which has no dumps.
Result<Trend> find_trend(const Fleet& fleet, const TrendOptions& options);

}  // namespace etlens
