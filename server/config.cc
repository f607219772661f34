// SPDX-License-Identifier: Apache-2.0
#include "server/config.h"

#include <functional>
#include <map>
#include <type_traits>

#include "protocol/decode.h"
#include "protocol/types.h"

namespace etlens {

FIELDS(PathMapping, from, to)

namespace {

using lsp::Json;

constexpr int kMaxDepth = 4;  // of names: no setting of ours nests deeper

// One setting: reads the value, or says what it should have been.
using Reader = std::function<std::optional<std::string>(const Json&, Config&)>;

// The part of the configuration that has such members.
template <typename Part>
Part& part_of(Config& config) {
  if constexpr (std::is_same_v<Part, ShowSettings>) return config.show;
  else if constexpr (std::is_same_v<Part, FleetSettings>) return config.fleet;
  else if constexpr (std::is_same_v<Part, RunSettings>) return config.runs;
  else if constexpr (std::is_same_v<Part, BudgetSettings>) return config.budgets;
  else if constexpr (std::is_same_v<Part, SelectionRequest>) return config.load.selection;
  else if constexpr (std::is_same_v<Part, TimeOptions>) return config.load.time;
  else if constexpr (std::is_same_v<Part, ValuesRequest>) return *config.load.values;
  else return config.load;
}

template <typename Part, typename T>
Reader setting(T Part::*member, std::string expected) {
  return [member, expected](const Json& json, Config& config) -> std::optional<std::string> {
    const Result<T> value = lsp::decode<T>(json);
    if (!value) return expected;
    part_of<Part>(config).*member = *value;
    return std::nullopt;
  };
}

// One that is a name of a value.
template <typename Part, typename T, typename Parse>
Reader named(T Part::*member, Parse parse, std::string expected) {
  return [member, parse, expected](const Json& json, Config& config) -> std::optional<std::string> {
    const Result<std::string> name = lsp::decode<std::string>(json);
    const auto value = name ? parse(*name) : std::nullopt;
    if (!value) return expected;
    part_of<Part>(config).*member = *value;
    return std::nullopt;
  };
}

std::optional<std::string> read_threshold(const Json& json, Config& config) {
  const Result<double> percent = lsp::decode<double>(json);
  if (!percent || *percent < 0 || *percent > 100) return "a number from 0 to 100";
  config.show.threshold = *percent / 100;
  return std::nullopt;
}

std::optional<std::string> read_limit(const Json& json, Config& config) {
  constexpr double kMost = 1e9;
  const Result<double> megabytes = lsp::decode<double>(json);
  if (!megabytes || *megabytes < 1 || *megabytes > kMost) return "a number of megabytes from 1";
  config.runs.megabytes = *megabytes;
  return std::nullopt;
}

std::optional<HintStyle> parse_style(std::string_view name) {
  if (name == "full") return HintStyle::Full;
  if (name == "time") return HintStyle::Time;
  return name == "share" ? std::optional(HintStyle::Share) : std::nullopt;
}

std::optional<std::string> read_paths(const Json& json, std::vector<std::string>& paths) {
  if (const Result<std::string> one = lsp::decode<std::string>(json)) {
    paths.clear();
    if (!one->empty()) paths.push_back(*one);
    return std::nullopt;
  }
  Result<std::vector<std::string>> several = lsp::decode<std::vector<std::string>>(json);
  if (!several) return "a path, or a list of paths";
  paths = std::move(*several);
  return std::nullopt;
}

std::optional<std::string> read_baseline(const Json& json, Config& config) {
  return read_paths(json, config.load.baseline.paths);
}

std::optional<std::string> read_fleet(const Json& json, Config& config) {
  return read_paths(json, config.fleet.paths);
}

std::optional<std::string> read_unit(const Json& json, Config& config) {
  const Result<std::string> name = lsp::decode<std::string>(json);
  config.show.unit = name ? parse_time_scale(*name) : std::nullopt;
  const bool is_unit = config.show.unit && *config.show.unit != TimeScale::Cycles;
  if (is_unit || (name && *name == "auto")) return std::nullopt;
  config.show.unit.reset();
  return "one of auto, ns, us, ms, s";
}

const std::map<std::string, Reader, std::less<>>& readers() {
  static const std::map<std::string, Reader, std::less<>> kReaders{
      {"artifactGlobs", setting(&LoadSettings::artifact_globs, "a list of globs")},
      {"pathMappings", setting(&StudyWish::path_mappings, "a list of {\"from\": …, \"to\": …}")},
      {"pythonEnvironments", setting(&StudyWish::environments, "a list of environments")},
      {"libraryFrames", setting(&StudyWish::library_frames, "a list of globs")},
      {"recoverHelperLines", setting(&StudyWish::recovers, "true or false")},
      {"sourceTimeScale",
       named(&StudyWish::time_scale, parse_time_scale, "one of ns, us, ms, s, cycles")},
      {"profile", setting(&StudyWish::etdump, "a path")},
      {"record", setting(&StudyWish::etrecord, "a path")},
      {"program", setting(&StudyWish::pte, "a path")},
      {"debugBuffer", setting(&ValuesRequest::debug_buffer, "a path")},
      {"reference", setting(&ValuesRequest::reference, "a path")},
      {"pythonProfile", setting(&StudyWish::profile, "a path")},
      {"method", setting(&SelectionRequest::method, "a name")},
      {"block", setting(&SelectionRequest::block, "a name")},
      {"baseline", read_baseline},
      {"fleet", read_fleet},
      {"fleetGroupBy", setting(&FleetSettings::group_by, "a list of facts")},
      {"fleetFacts", setting(&FleetSettings::facts, "a list of patterns and tables")},
      {"statistic",
       named(&TimeOptions::statistic, parse_statistic, "one of typical, mean, median, min, max")},
      {"executions", setting(&TimeOptions::executions, "a list, slow, fast or all")},
      {"group", setting(&TimeOptions::group, "the name of a group of executions")},
      {"warmup", setting(&TimeOptions::warmup, "a number of executions")},
      {"raw", setting(&TimeOptions::is_raw, "true or false")},
      {"policy", setting(&BudgetSettings::policy, "a path")},
      {"runs.enabled", setting(&RunSettings::is_kept, "true or false")},
      {"runs.limitMegabytes", read_limit},
      {"hints.enabled", setting(&ShowSettings::hints, "true or false")},
      {"hints.thresholdPercent", read_threshold},
      {"hints.format", named(&ShowSettings::style, parse_style, "one of full, time, share")},
      {"timeUnit", read_unit},
      {"measure", setting(&ShowSettings::measure, "the id of a measure")},
      {"codeLens.enabled", setting(&ShowSettings::lenses, "true or false")},
      {"hover.enabled", setting(&ShowSettings::hovers, "true or false")},
      {"diagnostics.values", setting(&ShowSettings::value_diagnostics, "true or false")},
      {"diagnostics.fallback", setting(&ShowSettings::fallback_diagnostics, "true or false")},
  };
  return kReaders;
}

// Settings that belong to clients, which share the section with us.
bool is_clients(std::string_view name) {
  return name == "server" || name.starts_with("server.") || name == "trace" ||
         name.starts_with("trace.") || name == "client" || name.starts_with("client.") ||
         name == "heat" || name.starts_with("heat.") || name == "column" ||
         name.starts_with("column.") || name == "hints.display";
}

// Lua writes an empty object as an empty list.
bool is_empty_list(const Json& json) { return json.is_array() && json.empty(); }

void read_object(const Json& json, const std::string& prefix, int depth, ConfigReading& reading) {
  for (const auto& [key, value] : json.items()) {
    const std::string name = prefix + key;
    const auto reader = readers().find(name);
    if (reader != readers().end()) {
      if (value.is_null()) continue;  // what clients send for "not set"
      if (const auto expected = reader->second(value, reading.config)) {
        reading.problems.push_back("the setting etlens." + name + " must be " + *expected +
                                   "; the default is used instead");
      }
    } else if (is_clients(name)) {
      continue;
    } else if (value.is_object() && depth < kMaxDepth) {
      read_object(value, name + ".", depth + 1, reading);
    } else if (!is_empty_list(value)) {
      reading.unknown.push_back("etlens." + name);
    }
  }
}

}  // namespace

ConfigReading read_config(const Json& settings) {
  ConfigReading reading;
  if (settings.is_object()) read_object(settings, "", 0, reading);
  else if (!settings.is_null() && !is_empty_list(settings))
    reading.problems.push_back("the settings of etlens must be an object");
  return reading;
}

}  // namespace etlens
