// SPDX-License-Identifier: Apache-2.0
// Every #include of the sources, held against the table of folders in CONTRIBUTING.md: which folder
// may use which, and which third-party packages. Folders of one layer are in no circle.
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

// Headers of third-party packages by how they begin; those of no row are the system's.
constexpr std::pair<std::string_view, std::string_view> kPackages[]{{"CLI/", "CLI11"},
                                                                    {"boost/", "Boost"},
                                                                    {"flatbuffers/", "FlatBuffers"},
                                                                    {"fmt/", "fmt"},
                                                                    {"git2", "libgit2"},
                                                                    {"nlohmann/", "nlohmann/json"},
                                                                    {"pcre2", "PCRE2"},
                                                                    {"protozero/", "protozero"},
                                                                    {"simdjson", "simdjson"},
                                                                    {"tree_sitter/", "tree-sitter"},
                                                                    {"utf8proc", "utf8proc"},
                                                                    {"uv.h", "libuv"},
                                                                    {"zlib", "zlib"}};

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

// "`core/base`, `core/formats`" and "fmt, zlib"; a dash is an empty list.
std::vector<std::string> names_in(std::string_view cell) {
  std::vector<std::string> names;
  for (std::string_view name : split(cell, ',')) {
    name = trim(name);
    if (name.starts_with('`') && name.ends_with('`') && name.size() > 2)
      name = name.substr(1, name.size() - 2);
    if (name != "–" && !name.empty()) names.emplace_back(name);
  }
  return names;
}

// The rows below "| folder | what it does | may use | packages |".
Folders read_table(const std::string& markdown) {
  Folders table;
  bool is_inside_table = false;
  for (const std::string_view line : split_lines(markdown)) {
    const bool is_row = line.starts_with("| `");
    if (line.starts_with("| folder |")) is_inside_table = true;
    else if (!line.starts_with('|')) is_inside_table = false;
    if (!is_inside_table || !is_row) continue;
    const std::vector<std::string_view> cells = split(line, '|');
    REQUIRE(cells.size() == 6);
    Folder& folder = table[names_in(cells[1]).front()];
    for (std::string& name : names_in(cells[3])) folder.folders.insert(std::move(name));
    for (std::string& name : names_in(cells[4])) folder.packages.insert(std::move(name));
  }
  return table;
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

std::vector<Include> read_includes(const fs::path& root) {
  std::vector<Include> includes;
  for (const char* top : {"core", "protocol", "rpc", "server", "mcp", "cli"}) {
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
  if (header.ends_with("_generated.h")) return "FlatBuffers";
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

// Everything that is wrong in the tree at `root`, a line each.
std::string objections(const fs::path& root) {
  const Folders table = read_table(read(root / "CONTRIBUTING.md"));
  REQUIRE(table.size() > 10);
  const std::vector<Include> includes = read_includes(root);
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
    for (const char* top : {"core", "protocol", "rpc", "server", "mcp", "cli", "CONTRIBUTING.md"}) {
      fs::create_directories(root_);
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

TEST_CASE("includes: every folder uses what CONTRIBUTING.md allows, and nothing else",
          "[includes]") {
  CHECK(objections(ETLENS_SOURCE) == "");
}

TEST_CASE("includes: a planted one is found", "[includes]") {
  const Copy copy;
  CHECK(copy.with("core/base/text.h", "#include \"core/code/code.h\"")
            .find("core/base may not use core/code/code.h") != std::string::npos);
  CHECK(copy.with("core/render/format.cc", "#include \"core/measure/measure.h\"")
            .find("core/render may not use core/measure/measure.h") != std::string::npos);
  CHECK(copy.with("core/source/document.cc", " # include <git2.h>").find("uses libgit2") !=
        std::string::npos);
  CHECK(copy.with("server/session.cc", "#include <uv.h>").find("uses libuv") != std::string::npos);
  CHECK(copy.with("mcp/answer.cc", "#include \"server/session.h\"")
            .find("mcp may not use server/session.h") != std::string::npos);
  CHECK(copy.with("rpc/log.cc", "#include \"core/facts/facts.h\"")
            .find("rpc may not use core/facts/facts.h") != std::string::npos);
  CHECK(copy.with("core/source/git/git_blob.cc", "#include <git2.h>") == "");
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
}

}  // namespace etlens::includes_test
