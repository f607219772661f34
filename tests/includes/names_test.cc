// SPDX-License-Identifier: Apache-2.0
// Two headers that define one name in one namespace are two types that the linker takes for one.
#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <string>

#include "test_paths.h"

namespace etlens::names_test {

namespace fs = std::filesystem;

TEST_CASE("names: no two headers define the same type", "[includes]") {
  const std::regex opens("^namespace ([a-z_:]+) \\{$");
  const std::regex defines(
      "^(?:struct|class|enum class) ([A-Za-z]+)(?: final)?(?: :[^:].*)? \\{.*");
  std::map<std::string, std::string> header_of;  // by qualified name
  for (const char* top : {"core", "protocol", "rpc", "server", "mcp", "cli"}) {
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(ETLENS_SOURCE) / top)) {
      if (entry.path().extension() != ".h") continue;
      const std::string file = entry.path().lexically_relative(ETLENS_SOURCE).generic_string();
      std::ifstream text(entry.path());
      std::string space;
      std::smatch found;
      for (std::string line; std::getline(text, line);) {
        if (std::regex_match(line, found, opens)) space = found[1];
        if (space.empty() || !std::regex_match(line, found, defines)) continue;
        const std::string name = space + "::" + found[1].str();
        const auto [at, is_new] = header_of.try_emplace(name, file);
        CAPTURE(name, at->second, file);
        CHECK((is_new || at->second == file));
      }
    }
  }
  CHECK(header_of.size() > 500);
}

}  // namespace etlens::names_test
