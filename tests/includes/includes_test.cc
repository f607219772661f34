// SPDX-License-Identifier: Apache-2.0
// Every #include of the sources, held against the table of layers in cmake/layers.cmake: which
// folder may use which, and which third-party packages. Folders of one layer are in no circle.
#include <unistd.h>
#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "core/base/text.h"
#include "test_paths.h"

namespace etlens::includes_test {

namespace {

namespace fs = std::filesystem;

// Headers of third-party packages by how they begin, and the packages' names in CMake; those of no
// row are the system's.
constexpr std::pair<std::string_view, std::string_view> kPackages[]{
    {"CLI/", "CLI11::CLI11"},
    {"boost/", "Boost::headers"},
    {"flatbuffers/", "etlens_flatbuffers"},
    {"fmt/", "fmt::fmt"},
    {"git2", "PkgConfig::LIBGIT2"},
    {"libdeflate", "PkgConfig::LIBDEFLATE"},
    {"nettle/", "PkgConfig::NETTLE"},
    {"nlohmann/", "nlohmann_json::nlohmann_json"},
    {"pcre2", "PkgConfig::PCRE2"},
    {"protozero/", "protozero::protozero"},
    {"simdjson", "simdjson::simdjson"},
    {"toml++/", "tomlplusplus::tomlplusplus"},
    {"tree_sitter/", "etlens_tree_sitter"},
    {"utf8proc", "PkgConfig::UTF8PROC"},
    {"uv.h", "PkgConfig::LIBUV"},
    {"zlib", "ZLIB::ZLIB"}};

struct Folder {
  std::set<std::string, std::less<>> folders;   // that it may use
  std::set<std::string, std::less<>> packages;  // likewise
};
using Folders = std::map<std::string, Folder, std::less<>>;

bool is_inside(std::string_view path, std::string_view folder) {
  return path == folder ||
         (path.starts_with(folder) && path.substr(folder.size()).starts_with('/'));
}

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// The rows etlens_layer(FOLDER USES folders… PUBLIC packages… PRIVATE packages…).
Folders read_table(const std::string& cmake) {
  constexpr std::string_view kRow = "\netlens_layer(";
  Folders table;
  for (size_t at = cmake.find(kRow); at != std::string::npos; at = cmake.find(kRow, at + 1)) {
    const size_t begin = at + kRow.size();
    std::istringstream words(cmake.substr(begin, cmake.find(')', begin) - begin));
    std::string word;
    words >> word;
    const auto [row, is_new] = table.try_emplace(word);
    INFO(word << " has two rows");
    REQUIRE(is_new);
    auto* names = &row->second.folders;
    while (words >> word) {
      if (word == "USES") names = &row->second.folders;
      else if (word == "PUBLIC" || word == "PRIVATE") names = &row->second.packages;
      else names->insert(word);
    }
  }
  return table;
}

// The folders of CONTRIBUTING.md's code map: of the rows below "| folder | what it does |".
std::set<std::string> folders_described(const std::string& markdown) {
  std::set<std::string> folders;
  bool is_inside_table = false;
  for (const std::string_view line : split_lines(markdown)) {
    if (line.starts_with("| folder |")) is_inside_table = true;
    else if (!line.starts_with('|')) is_inside_table = false;
    if (is_inside_table && line.starts_with("| `"))
      folders.emplace(line.substr(3, line.find('`', 3) - 3));
  }
  return folders;
}

struct Include {
  std::string file;    // from the root
  std::string header;  // as it is written
};

std::string folder_of(std::string_view path) {
  return std::string(path.substr(0, std::min(path.size(), path.rfind('/'))));
}

// What the line includes; "" if it is no #include.
std::string_view header_of(std::string_view line) {
  constexpr std::string_view kInclude = "include";
  line = trim(line);
  if (!line.starts_with('#')) return {};
  line = trim(line.substr(1));
  if (!line.starts_with(kInclude)) return {};
  line = trim(line.substr(kInclude.size()));
  if (line.empty()) return {};
  const size_t end = line.find(line.front() == '<' ? '>' : '"', 1);
  return end == std::string_view::npos ? std::string_view() : line.substr(1, end - 1);
}

std::vector<Include> read_includes(const fs::path& root, const Folders& table) {
  std::vector<Include> includes;
  std::set<std::string> tops;
  for (const auto& [folder, row] : table) tops.insert(folder.substr(0, folder.find('/')));
  for (const std::string& top : tops) {
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / top)) {
      const std::string extension = entry.path().extension().string();
      if (extension != ".h" && extension != ".cc") continue;
      const std::string file = entry.path().lexically_relative(root).generic_string();
      const std::string text = read(entry.path());
      for (const std::string_view line : split_lines(text)) {
        const std::string_view header = header_of(line);
        if (!header.empty()) includes.push_back({file, std::string(header)});
      }
    }
  }
  return includes;
}

// The row that names a whole layer: no other row's folder holds it. "" for a folder of no row.
std::string layer_of(const Folders& table, std::string_view path) {
  for (const auto& [folder, row] : table) {  // shorter names come first
    if (is_inside(path, folder)) return folder;
  }
  return "";
}

// Rows of folders inside a layer add to what the layer may use.
Folder allowed_in(const Folders& table, std::string_view file) {
  Folder allowed;
  for (const auto& [folder, row] : table) {
    if (!is_inside(file, folder)) continue;
    allowed.folders.insert(row.folders.begin(), row.folders.end());
    allowed.packages.insert(row.packages.begin(), row.packages.end());
  }
  return allowed;
}

std::optional<std::string_view> package_of(std::string_view header) {
  if (header.ends_with("_generated.h")) return "etlens_flatbuffers";
  for (const auto& [start, package] : kPackages) {
    if (header.starts_with(start)) return package;
  }
  return std::nullopt;
}

// "" if the include is allowed, else what is wrong.
std::string objection(const Folders& table, const Include& include) {
  const std::string layer = layer_of(table, include.file);
  if (layer.empty()) return include.file + " is in no folder of the table";
  const Folder allowed = allowed_in(table, include.file);
  if (const auto package = package_of(include.header)) {
    return allowed.packages.contains(*package)
               ? ""
               : include.file + " uses " + std::string(*package) + ": " + include.header;
  }
  const std::string used = layer_of(table, include.header);
  if (used == layer || allowed.folders.contains(used)) return "";
  const bool is_systems =
      include.header.find('/') == std::string::npos || include.header.starts_with("sys/") ||
      include.header.starts_with("linux/") || include.header == "malloc/malloc.h";  // of macOS
  if (used.empty() && is_systems) return "";
  return include.file + ": " + layer + " may not use " + include.header;
}

// A circle that starts and ends at `folder`, as "a -> b -> a"; "" if there is none.
std::string circle_at(const std::map<std::string, std::set<std::string>>& uses,
                      const std::string& folder) {
  std::map<std::string, std::string> reached_from;
  std::vector<std::string> open{folder};
  while (!open.empty()) {
    const std::string at = open.back();
    open.pop_back();
    const auto row = uses.find(at);
    if (row == uses.end()) continue;
    for (const std::string& next : row->second) {
      if (next == folder) {
        std::string path = folder;
        for (std::string back = at; back != folder; back = reached_from.at(back))
          path = back + " -> " + path;
        return folder + " -> " + path;
      }
      if (reached_from.try_emplace(next, at).second) open.push_back(next);
    }
  }
  return "";
}

// Which folders use which. A folder and one inside it are one piece of work: they may use each
// other.
std::map<std::string, std::set<std::string>> uses_of(const std::vector<Include>& includes) {
  std::map<std::string, std::set<std::string>> uses;
  for (const Include& include : includes) {
    const std::string from = folder_of(include.file);
    const std::string to = folder_of(include.header);
    if (to == include.header || is_inside(from, to) || is_inside(to, from)) continue;
    uses[from].insert(to);
  }
  return uses;
}

constexpr const char* kTable = "cmake/layers.cmake";

// Everything that is wrong in the tree at `root`, a line each.
std::string objections(const fs::path& root) {
  const Folders table = read_table(read(root / kTable));
  REQUIRE(table.size() > 10);
  const std::vector<Include> includes = read_includes(root, table);
  REQUIRE(includes.size() > 500);
  std::set<std::string> found;
  for (const Include& include : includes) found.insert(objection(table, include));
  const auto uses = uses_of(includes);
  for (const auto& [folder, used] : uses) found.insert(circle_at(uses, folder));
  found.erase("");
  std::ostringstream text;
  for (const std::string& line : found) text << line << '\n';
  return text.str();
}

// A copy of what the check reads, to plant mistakes in.
class Copy {
 public:
  Copy() : root_(fs::temp_directory_path() / ("etlens-includes-" + std::to_string(::getpid()))) {
    fs::remove_all(root_);
    fs::create_directories(root_);
    for (const char* top : {"core", "protocol", "rpc", "server", "mcp", "cli", "cmake"}) {
      fs::copy(fs::path(ETLENS_SOURCE) / top, root_ / top, fs::copy_options::recursive);
    }
  }
  ~Copy() { fs::remove_all(root_); }
  Copy(const Copy&) = delete;
  Copy& operator=(const Copy&) = delete;

  // What is found once the line stands in the file.
  std::string with(const std::string& file, const std::string& line) const {
    const std::string before = read(root_ / file);
    REQUIRE_FALSE(before.empty());
    std::ofstream(root_ / file, std::ios::binary) << before << line << '\n';
    const std::string found = objections(root_);
    std::ofstream(root_ / file, std::ios::binary) << before;
    return found;
  }

 private:
  fs::path root_;
};

}  // namespace

TEST_CASE("includes: every folder uses what the table of layers allows, and nothing else",
          "[includes]") {
  CHECK(objections(ETLENS_SOURCE) == "");
}

TEST_CASE("includes: CONTRIBUTING.md says of every layer what it is for", "[includes]") {
  const fs::path root(ETLENS_SOURCE);
  const std::set<std::string> described = folders_described(read(root / "CONTRIBUTING.md"));
  for (const auto& [folder, row] : read_table(read(root / kTable))) {
    CAPTURE(folder);
    CHECK(described.contains(folder));
  }
  for (const std::string& folder : described) {
    CAPTURE(folder);
    CHECK(fs::is_directory(root / folder));
  }
}

TEST_CASE("includes: rows of the table are read over several lines", "[includes]") {
  const Folders table = read_table(
      "function(etlens_layer folder)\n# etlens_layer(FOLDER)\netlens_layer(a)\n"
      "etlens_layer(a/b\n  USES a c\n       d\n  PUBLIC e::e PRIVATE f)\n");
  REQUIRE(table.size() == 2);
  CHECK(table.at("a").folders.empty());
  CHECK(table.at("a/b").folders == std::set<std::string, std::less<>>{"a", "c", "d"});
  CHECK(table.at("a/b").packages == std::set<std::string, std::less<>>{"e::e", "f"});
}

TEST_CASE("includes: a planted one is found", "[includes]") {
  const Copy copy;
  CHECK(copy.with("core/base/text.h", "#include \"core/code/code.h\"")
            .find("core/base may not use core/code/code.h") != std::string::npos);
  CHECK(copy.with("core/render/format.cc", "#include \"core/measure/measure.h\"")
            .find("core/render may not use core/measure/measure.h") != std::string::npos);
  CHECK(copy.with("core/source/document.cc", " # include <zlib.h>").find("uses ZLIB::ZLIB") !=
        std::string::npos);
  CHECK(copy.with("server/session/session.cc", "#include <uv.h>").find("uses PkgConfig::LIBUV") !=
        std::string::npos);
  CHECK(copy.with("mcp/answer.cc", "#include \"server/session/session.h\"")
            .find("mcp may not use server/session/session.h") != std::string::npos);
  CHECK(copy.with("rpc/log.cc", "#include \"core/facts/facts.h\"")
            .find("rpc may not use core/facts/facts.h") != std::string::npos);
  CHECK(copy.with("core/source/git/git_blob.cc", "#include <zlib.h>") == "");
  CHECK(copy.with("cli/main.cc", "#include \"tests/support/txtar.h\"").find("may not use tests/") !=
        std::string::npos);
  CHECK(copy.with("cli/main.cc", "#include <sys/stat.h>") == "");
}

TEST_CASE("includes: circles between folders of one layer are found", "[includes]") {
  const Copy copy;
  CHECK(copy.with("core/formats/etdump/etdump_reader.h",
                  "#include \"core/formats/etrecord/etrecord.h\"") == "");
  const std::string there =
      copy.with("core/source/python/python_tokens.h", "#include \"core/source/anchor/anchor.h\"");
  CHECK(there.find("core/source/python -> ") != std::string::npos);
  CHECK(copy.with("server/load/open_study.h", "#include \"server/session/session.h\"")
            .find("server/load -> server/session -> server/load") != std::string::npos);
}

}  // namespace etlens::includes_test
