// SPDX-License-Identifier: Apache-2.0
// Who may open files for writing, and who may write to the standard streams: nobody but what writes
// files for all (core/base/output_file.h), so that no output skips what is promised of it.
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

namespace etlens::writers_test {

namespace {

namespace fs = std::filesystem;

// Calls and flags that open files for writing, and output that throws or that nobody checks.
constexpr std::string_view kWriting[]{
    "fopen(",      "freopen(",    "fdopen(",        "ofstream",      "std::fstream",
    "O_CREAT",     "O_WRONLY",    "O_RDWR",         "O_TRUNC",       "creat(",
    "mkstemp",     "tmpfile",     "CreateFileW(",   "GENERIC_WRITE", "_wsopen",
    "fmt::print(", "std::cout",   "std::cerr",      "std::clog",     "std::printf(",
    "std::puts(",  "std::fputs(", "std::fwrite(",   "std::fprintf(", "uv_fs_open",
    "rename(",     "copy_file(",  "open_to_append("};

// Files in which the words stand for a reason.
const std::set<std::string, std::less<>>& exempt() {
  static const std::set<std::string, std::less<>> files{
      "core/base/output_file.cc",
      "core/base/output_folder.cc",
      "core/base/folder_lock_posix.cc",  // makes the empty file of a lock
      "core/base/folder_lock_windows.cc",
      "core/base/output_system.h",
      "core/base/output_system_posix.cc",
      "core/base/output_system_windows.cc",
      "core/base/assert.h",                // says on stderr what is wrong with etlens itself
      "core/base/open_file.h",             // reads
      "core/base/open_handle_windows.cc",  // reads
      "core/base/file_system_posix.cc",    // reads
      "core/base/file_system_windows.cc",  // reads
      "cli/terminal_posix.cc",             // opens /dev/null on streams that are closed
      "rpc/write_soon_windows.cc",         // writes the log
      "rpc/log.cc"};                       // writes to what open_log_file opened, or to stderr
  return files;
}

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// The words of kWriting in a text, without its comments.
std::vector<std::string> writing_in(const std::string& text) {
  std::vector<std::string> found;
  for (const std::string_view line : split_lines(text)) {
    const std::string_view code = line.substr(0, line.find("//"));
    for (const std::string_view word : kWriting) {
      const size_t at = code.find(word);
      if (at == std::string_view::npos) continue;
      const bool is_inside_word =
          at > 0 &&
          (std::isalnum(static_cast<unsigned char>(code[at - 1])) != 0 || code[at - 1] == '_');
      if (!is_inside_word) found.emplace_back(trim(line));
    }
  }
  return found;
}

}  // namespace

TEST_CASE("writers: no other code opens files for writing", "[includes]") {
  size_t looked_at = 0;
  for (const char* top : {"core", "protocol", "rpc", "server", "mcp", "cli"}) {
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(ETLENS_SOURCE) / top)) {
      const std::string extension = entry.path().extension().string();
      const std::string file = entry.path().lexically_relative(ETLENS_SOURCE).generic_string();
      if ((extension != ".h" && extension != ".cc") || exempt().contains(file)) continue;
      ++looked_at;
      CAPTURE(file);
      CHECK(writing_in(read(entry.path())) == std::vector<std::string>{});
    }
  }
  CHECK(looked_at > 500);
}

TEST_CASE("writers: what opens files for writing is found", "[includes]") {
  for (const std::string line :
       {"std::FILE* f = std::fopen(path, \"wb\");", "std::ofstream out(path);",
        "  fmt::print(stderr, \"x\");", "::open(path, O_WRONLY);", "std::cerr << 1;",
        "fs::rename(a, b);"}) {
    CAPTURE(line);
    CHECK(writing_in("int a;\n" + line + "\n").size() == 1);
  }
  for (const std::string line :
       {"// fopen( is not called", "my_fopen(path);", "std::string text;"}) {
    CAPTURE(line);
    CHECK(writing_in(line).empty());
  }
}

}  // namespace etlens::writers_test
