// SPDX-License-Identifier: Apache-2.0
// Core serves editors and agents as well as the command line, so none of its texts names an option:
// it names a control (core/base/controls.h), which each surface words.
#include <catch2/catch.hpp>

#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/text.h"
#include "test_paths.h"

namespace etlens::options_in_core_test {

namespace {

namespace fs = std::filesystem;

// Texts about the command line itself.
const std::set<std::string, std::less<>>& exempt() {
  static const std::set<std::string, std::less<>> files{"core/render/explain.cc",
                                                        "core/render/terms.cc"};
  return files;
}

// Options ("--method") inside the string literals of a text; neither of comments nor of CSS.
std::vector<std::string> options_in(const std::string& text) {
  std::vector<std::string> found;
  for (const std::string_view line : split_lines(text)) {
    bool is_quoted = false;
    for (size_t i = 0; i < line.size(); ++i) {
      if (!is_quoted && line.substr(i).starts_with("//")) break;
      if (line[i] == '\\') ++i;
      else if (line[i] == '"') is_quoted = !is_quoted;
      else if (is_quoted && line.substr(i, 2) == "--" && i + 2 < line.size() &&
               std::islower(static_cast<unsigned char>(line[i + 2])) != 0 &&
               std::string_view(" `(\"").find(line[i - 1]) != std::string_view::npos)
        found.emplace_back(trim(line));
    }
  }
  return found;
}

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

TEST_CASE("options: what core says names none of the command line's", "[includes]") {
  size_t looked_at = 0;
  for (const char* top : {"core", "server", "mcp"}) {
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(ETLENS_SOURCE) / top)) {
      const std::string extension = entry.path().extension().string();
      const std::string file = entry.path().lexically_relative(ETLENS_SOURCE).generic_string();
      if ((extension != ".h" && extension != ".cc") || exempt().contains(file)) continue;
      if (file.starts_with("core/scaffold/")) continue;  // writes scripts, which have options
      ++looked_at;
      CAPTURE(file);
      CHECK(options_in(read(entry.path())) == std::vector<std::string>{});
    }
  }
  CHECK(looked_at > 500);
}

TEST_CASE("options: one that is planted is found", "[includes]") {
  CHECK(options_in("  return \"choose one with --method\";").size() == 1);
  CHECK(options_in("  return \"--method\";").size() == 1);
  CHECK(options_in("  return \"(`etlens check --verbose`)\";").size() == 1);
  CHECK(options_in("// \"--method\"").empty());
  CHECK(options_in("  --count; f(\"a -- b\", \":root{--ground:#fff}\");").empty());
}

}  // namespace etlens::options_in_core_test
