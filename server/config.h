// SPDX-License-Identifier: Apache-2.0
// Config: the user's settings (section "etlens"), with defaults that need none. Unknown settings
// and wrong types are said once and otherwise passed over.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/time_scale.h"
#include "core/render/hint_text.h"
#include "core/workspace/wish.h"
#include "protocol/json.h"

namespace etlens {

// What the shown dump is compared with.
struct BaselineSettings {
  std::vector<std::string> paths;  // dumps, folders, globs: absolute, below a workspace folder, or
                                   // of a git revision ("main:artifacts"); empty: nothing
  std::string etrecord;            // absolute, or below a workspace folder; "": beside the dumps
  std::string pte;                 // likewise

  friend bool operator==(const BaselineSettings&, const BaselineSettings&) = default;
};

// Many dumps of the program, beside the one that is shown.
struct FleetSettings {
  std::vector<std::string> paths;  // dumps, folders of dumps, or one file of rows: absolute, or
                                   // below a workspace folder; empty: none
  std::vector<std::string> group_by{"device", "build"};  // "fleetGroupBy": names of facts
  std::vector<std::string> facts;                        // "fleetFacts": where facts are written

  friend bool operator==(const FleetSettings&, const FleetSettings&) = default;
};

// What decides what is loaded, and how: a change loads again. Its paths are absolute, or below a
// workspace folder; "" for the Python profile is the newest one found.
struct LoadSettings : StudyWish {
  // Values are looked at, unless they are many.
  LoadSettings() { values.emplace().most_bytes = kQuicklyCompared; }

  std::vector<std::string>
      artifact_globs;         // "artifactGlobs": which files may be artifacts; empty: all
  BaselineSettings baseline;  // "baseline": a path or a list of them

  friend bool operator==(const LoadSettings&, const LoadSettings&) = default;
};

// The memory of runs (core/runs/run_store.h). Only a client that trusts the workspace sets it.
struct RunSettings {
  bool is_kept = false;      // "runs.enabled": a dump that is shown is stored
  double megabytes = 1'000;  // "runs.limitMegabytes": what all runs of a folder may have

  friend bool operator==(const RunSettings&, const RunSettings&) = default;
};

// Which budgets are checked beside what is shown.
struct BudgetSettings {
  // "policy": absolute, or below a workspace folder; "": the nearest etlens.toml.
  std::string policy;

  friend bool operator==(const BudgetSettings&, const BudgetSettings&) = default;
};

// What decides how it is shown: a change only asks the client to look again.
struct ShowSettings {
  bool hints = true;                  // "hints.enabled"
  double threshold = 0.005;           // "hints.thresholdPercent" / 100
  HintStyle style = HintStyle::Full;  // "hints.format": full, time, share
  std::optional<TimeScale> unit;      // "timeUnit": auto, ns, us, ms, s
  std::string measure = "time";       // "measure": an id; time where the study has no such measure
  bool lenses = true;                 // "codeLens.enabled"
  bool hovers = true;                 // "hover.enabled"
  bool fallback_diagnostics = false;  // "diagnostics.fallback"
  bool value_diagnostics = true;      // "diagnostics.values"

  friend bool operator==(const ShowSettings&, const ShowSettings&) = default;
};

struct Config {
  LoadSettings load;
  FleetSettings fleet;  // "fleet": a path or a list of them
  ShowSettings show;
  RunSettings runs;
  BudgetSettings budgets;
};

struct ConfigReading {
  Config config;
  std::vector<std::string> problems;  // a sentence each: wrong types and values
  std::vector<std::string> unknown;   // names of settings that etlens does not have
};

// From the value of the section "etlens": nested objects, dotted names, or both. A problem leaves
// the default in place.
ConfigReading read_config(const lsp::Json& settings);

}  // namespace etlens
