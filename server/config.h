// SPDX-License-Identifier: Apache-2.0
// Config: the user's settings (section "etlens"), with defaults that need none. Unknown settings
// and wrong types are said once and otherwise passed over.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/time_scale.h"
#include "core/render/hint_text.h"
#include "core/source/paths/path_mapper.h"
#include "core/workspace/load.h"
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

// What decides what is loaded, and how: a change loads again.
struct LoadSettings {
  std::vector<std::string>
      artifact_globs;  // "artifactGlobs": which files may be artifacts; empty: all
  std::vector<PathMapping> path_mappings;   // "pathMappings": [{"from": …, "to": …}]
  std::vector<std::string> environments;    // "pythonEnvironments": folders or interpreters;
                                            // absolute, or below a workspace folder
  std::vector<std::string> library_frames;  // "libraryFrames": globs of files that are library code
  bool recovers = true;                     // "recoverHelperLines"
  TimeScale time_scale = TimeScale::Nanoseconds;  // "sourceTimeScale": ns, us, ms, s, cycles
  std::string etdump;          // "profile": absolute, or below a workspace folder; "": the newest
  std::string etrecord;        // "record": likewise; "": the one that fits
  std::string pte;             // "program": likewise
  std::string debug_buffer;    // "debugBuffer": likewise; "": by name, beside the dump
  std::string reference;       // "reference": of the values; "": what lies beside the dump and fits
  bool all_values = false;     // however many there are; set where the user wants to see the error
  std::string python_profile;  // "pythonProfile": likewise; "": the newest
  std::string method;          // "method"; "": forward, or the only one
  std::string block;           // "block"; "": the first
  BaselineSettings baseline;   // "baseline": a path or a list of them
  TimeOptions time;            // "statistic", "executions", "raw"

  friend bool operator==(const LoadSettings& a, const LoadSettings& b);
};

// Executions by number are those of the shown dump; kinds of executions are any dump's.
std::string executions_of_any(const std::string& executions);

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
