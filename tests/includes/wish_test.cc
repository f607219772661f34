// SPDX-License-Identifier: Apache-2.0
// How a study is loaded is in one struct (core/workspace/wish.h), which every surface fills in and
// hands on whole. A new option is a field there, and a row where each surface says what it is
// called: nothing copies one option by hand, because that is what is forgotten for the next one.
#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "core/base/text.h"
#include "test_paths.h"

namespace etlens::wish_in_source_test {

namespace {

namespace fs = std::filesystem;

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Of the struct, but for the artifacts and folders, which are found for each dump.
std::vector<std::string> options_of_wish() {
  const std::string text = read(fs::path(ETLENS_SOURCE) / "core/workspace/wish.h");
  const size_t begin = text.find("struct StudyWish {");
  const std::string body = text.substr(begin, text.find("\n};", begin) - begin);
  const std::regex field("\n  [A-Za-z_:<>]+ (\\w+)( = [^;]*)?;");
  const std::set<std::string> artifacts{"etdump", "etrecord", "pte", "profile", "values", "roots"};
  std::vector<std::string> options;
  for (std::sregex_iterator at(body.begin(), body.end(), field), end; at != end; ++at) {
    if (!artifacts.contains((*at)[1])) options.push_back((*at)[1]);
  }
  return options;
}

// Lines that take one option from one struct to another.
std::vector<std::string> copies_in(const std::string& text, const std::string& option) {
  const std::regex copy("(\\.|->)" + option + " = [\\w.>-]+(\\.|->)" + option + ";");
  std::vector<std::string> found;
  for (const std::string_view line : split_lines(text)) {
    if (std::regex_search(line.begin(), line.end(), copy)) found.emplace_back(trim(line));
  }
  return found;
}

}  // namespace

TEST_CASE("wish: no option of a load is copied by hand", "[includes]") {
  const std::vector<std::string> options = options_of_wish();
  CHECK(options.size() == 8);
  for (const char* known : {"selection", "recovers", "path_mappings", "time"})
    CHECK(std::ranges::count(options, known) == 1);
  size_t looked_at = 0;
  for (const char* top : {"core/compare", "core/fleet", "server", "mcp", "cli"}) {
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(ETLENS_SOURCE) / top)) {
      const std::string extension = entry.path().extension().string();
      if (extension != ".h" && extension != ".cc") continue;
      ++looked_at;
      CAPTURE(entry.path().lexically_relative(ETLENS_SOURCE).generic_string());
      const std::string text = read(entry.path());
      for (const std::string& option : options)
        CHECK(copies_in(text, option) == std::vector<std::string>{});
    }
  }
  CHECK(looked_at > 200);
}

TEST_CASE("wish: a copy that is planted is found", "[includes]") {
  CHECK(copies_in("  request.recovers = key.settings.recovers;", "recovers").size() == 1);
  CHECK(copies_in("  a->time = b->time;\n  b.time = a.time;", "time").size() == 2);
  CHECK(copies_in("  request.recovers = false;", "recovers").empty());
  CHECK(copies_in("  a.time = read(b);", "time").empty());
}

}  // namespace etlens::wish_in_source_test
