// SPDX-License-Identifier: Apache-2.0
// Every oddity that the table explains is one that some code counts.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/text.h"
#include "test_paths.h"

namespace etlens::oddities_test {

namespace {

namespace fs = std::filesystem;

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// The enumerators of the enumeration that begins with `head`, without kCount.
std::vector<std::string> enumerators_of(const std::string& text, std::string_view head) {
  std::vector<std::string> names;
  size_t at = text.find(head);
  REQUIRE(at != std::string::npos);
  at += head.size();
  for (const std::string_view line :
       split_lines(std::string_view(text).substr(at, text.find('}', at) - at))) {
    const std::string_view name = trim(line.substr(0, line.find(',')));
    if (!name.empty() && !name.starts_with("//") && name != "kCount") names.emplace_back(name);
  }
  return names;
}

}  // namespace

TEST_CASE("oddities: none is explained and never counted", "[includes]") {
  std::string all;
  for (const char* top : {"core", "server", "mcp", "cli"}) {
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(ETLENS_SOURCE) / top)) {
      if (entry.path().extension() == ".cc") all += read(entry.path());
    }
  }
  const std::vector<std::string> names = enumerators_of(
      read(fs::path(ETLENS_SOURCE) / "core/base/load_report.h"), "enum class Oddity {");
  REQUIRE(names.size() > 40);
  for (const std::string& name : names) {
    CAPTURE(name);
    CHECK(all.find("Oddity::" + name) != std::string::npos);
  }
}

}  // namespace etlens::oddities_test
