// SPDX-License-Identifier: Apache-2.0
#include "tests/support/corpus.h"

#include <zlib.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "core/base/path.h"
#include "core/base/text.h"
#include "test_paths.h"

namespace etlens::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

bool is_dump(const std::string& name) {
  return name.ends_with(".etdp") || name.ends_with(".etdump") || name.ends_with(".etdp.gz");
}

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

void collect(const fs::path& folder, std::vector<std::string>& cases) {
  bool has_dump = false;
  std::vector<fs::path> folders;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.is_directory()) folders.push_back(entry.path());
    else has_dump |= is_dump(entry.path().filename().string());
  }
  if (has_dump) cases.push_back(folder.string());
  std::sort(folders.begin(), folders.end());
  for (const fs::path& inner : folders) collect(inner, cases);
}

}  // namespace

std::string read_file(const std::string& path) {
  std::string content;
  gzFile file = gzopen(path.c_str(), "rb");  // reads plain files as they are
  if (file == nullptr) return content;
  std::vector<char> chunk(1 << 20);
  for (int n = 0; (n = gzread(file, chunk.data(), static_cast<unsigned>(chunk.size()))) > 0;) {
    content.append(chunk.data(), static_cast<size_t>(n));
  }
  gzclose(file);
  return content;
}

std::string unpacked(const std::string& path) {
  if (!path.ends_with(".gz")) return path;
  std::string name = path.substr(0, path.size() - 3);
  std::replace(name.begin(), name.end(), '/', '_');
  const fs::path copy = fs::temp_directory_path() / ("etlens-test" + name);
  const std::string content = read_file(path);
  if (!fs::exists(copy) || fs::file_size(copy) != content.size()) {
    std::ofstream(copy, std::ios::binary) << content;
  }
  return copy.string();
}

std::vector<std::string> case_folders() {
  std::vector<std::string> cases;
  collect(ETLENS_TEST_DATA, cases);
  if (const char* corpus = std::getenv("ETLENS_CORPUS"); corpus != nullptr && *corpus != '\0') {
    collect(corpus, cases);
  }
  return cases;
}

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

std::vector<Pair> pairs_of(const std::string& folder) {
  std::vector<Pair> pairs;
  std::vector<std::string> records;
  std::vector<std::string> dumps;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with(".etrecord")) records.push_back(entry.path().string());
    if (is_dump(name)) dumps.push_back(entry.path().string());
  }
  std::sort(records.begin(), records.end());
  std::sort(dumps.begin(), dumps.end());
  for (const std::string& record : records) {
    for (const std::string& dump : dumps) pairs.push_back({dump, record});
  }
  return pairs;
}

}  // namespace etlens::test
