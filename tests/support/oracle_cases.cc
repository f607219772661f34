// SPDX-License-Identifier: Apache-2.0
#include "tests/support/oracle_cases.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/support/corpus.h"

namespace etlens::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// The nearest folder named after a release: release-1.5, v0.7.
InspectorRelease release_of_folder(const std::string& folder) {
  for (fs::path path = folder; path.has_relative_path(); path = path.parent_path()) {
    std::string name = path.filename().string();
    if (name.starts_with("release-")) name.erase(0, 8);
    if (const auto release = parse_release(name)) return *release;
  }
  return kNewestRelease;
}

std::string existing(const fs::path& folder, std::initializer_list<std::string> names) {
  for (const std::string& name : names) {
    if (!name.empty() && fs::exists(folder / name)) return (folder / name).string();
  }
  return "";
}

}  // namespace

std::vector<OracleCase> oracle_cases(const std::string& folder) {
  std::vector<OracleCase> cases;
  const fs::path oracles = fs::path(folder) / "oracle";
  if (!fs::is_directory(oracles)) return cases;
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(oracles)) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  for (const fs::path& path : paths) {
    const std::string name = path.filename().string();
    const bool is_oracle = (name.ends_with(".json") || name.ends_with(".json.gz")) &&
                           name != "nodes.json" && name.find("numeric_gap") == std::string::npos &&
                           name.find("as-forward") == std::string::npos;
    if (!is_oracle) continue;
    const json data = json::parse(read_file(path.string()));
    if (data.value("event_blocks", json::array()).empty())
      continue;  // the Inspector refused the pair
    const std::string stem = name.substr(0, name.find(".json"));
    const std::string pair = stem.substr(0, stem.find('.'));
    OracleCase row;
    row.name = fs::path(folder).filename().string() + "/" + name;
    row.oracle = path.string();
    row.tsv = existing(oracles, {stem + ".tsv"});
    row.release = release_of_folder(folder);
    if (data.contains("etdump")) {
      const std::string record =
          data["etrecord"].is_null() ? "" : data["etrecord"].get<std::string>();
      row.etdump = existing(folder, {data["etdump"].get<std::string>()});
      // The two records differ only in reference outputs; one was left out to save room.
      if (!record.empty())
        row.etrecord = existing(folder, {record, "model.etrecord", "bundled.etrecord"});
      if (!data["debug_buffer"].is_null()) {
        row.debug_buffer = existing(folder, {data["debug_buffer"].get<std::string>()});
      }
    } else {
      row.etdump = existing(folder, {pair + ".etdp", pair + ".etdump", pair + ".etdp.gz"});
      if (name.find("no-etrecord") == std::string::npos)
        row.etrecord = existing(folder, {"model.etrecord"});
      row.debug_buffer = existing(folder, {pair + ".bin"});
    }
    cases.push_back(std::move(row));
  }
  return cases;
}

}  // namespace etlens::test
