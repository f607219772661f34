// SPDX-License-Identifier: Apache-2.0
// Who may start programs: the command `etlens profile` alone. No server does.
#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <string_view>

#include "test_paths.h"

namespace etlens::programs_test {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kStarting[]{"posix_spawn", "wspawnv",   "execv",        "execl",
                                       "popen(",      "::system(", "std::system(", "CreateProcess",
                                       "uv_spawn",    "run_child("};

std::set<std::string> files_that_start(const fs::path& root) {
  std::set<std::string> files;
  for (const char* top : {"core", "protocol", "rpc", "server", "mcp", "cli"}) {
    for (const auto& entry : fs::recursive_directory_iterator(root / top)) {
      const std::string extension = entry.path().extension().string();
      if (extension != ".h" && extension != ".cc") continue;
      std::ifstream file(entry.path(), std::ios::binary);
      const std::string text{std::istreambuf_iterator<char>(file), {}};
      for (const std::string_view word : kStarting)
        if (text.find(word) != std::string::npos)
          files.insert(entry.path().lexically_relative(root).generic_string());
    }
  }
  return files;
}

}  // namespace

TEST_CASE("programs: only one command starts one", "[includes]") {
  CHECK(files_that_start(ETLENS_SOURCE) ==
        std::set<std::string>{"cli/child.h", "cli/child_posix.cc", "cli/child_windows.cc",
                              "cli/profile_options.cc", "cli/profile_runners.cc"});
}

}  // namespace etlens::programs_test
