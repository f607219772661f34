// SPDX-License-Identifier: Apache-2.0
// A folder of its own for a test, and the executable run in it.
#pragma once

#include <pty.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <string>
#include <string_view>

#include "core/base/text.h"
#include "test_paths.h"

namespace etlens::test {

struct Outcome {
  int status = -1;
  std::string out;
  std::string err;
};

inline std::string slurp(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

class Sandbox {
 public:
  Sandbox()
      : folder_(std::filesystem::temp_directory_path() /
                ("etlens-cli-" + std::to_string(::getpid()))) {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  ~Sandbox() { std::filesystem::remove_all(folder_); }

  std::string put(const std::string& name, std::string_view content) {
    std::filesystem::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name, std::ios::binary) << content;
    return (folder_ / name).string();
  }
  std::string path(const std::string& name = "") const { return (folder_ / name).string(); }

  // Runs the executable in the sandbox, or in a folder of it.
  Outcome run(const std::string& arguments, const std::string& folder = "") const {
    const std::filesystem::path out = folder_ / ".out";
    const std::filesystem::path err = folder_ / ".err";
    const std::string command = "cd '" + path(folder) + "' && '" ETLENS_EXECUTABLE "' " +
                                arguments + " >'" + out.string() + "' 2>'" + err.string() +
                                "' </dev/null";
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, slurp(out), slurp(err)};
  }

  // What it prints on a terminal of so many columns; without colours.
  std::string show(const std::string& arguments, uint16_t columns) const {
    winsize size{50, columns, 0, 0};
    int terminal = -1;
    const std::string command =
        "unset COLUMNS; NO_COLOR=1 '" ETLENS_EXECUTABLE "' " + arguments + " 2>/dev/null";
    const pid_t child = ::forkpty(&terminal, nullptr, nullptr, &size);
    if (child == 0) {
      ::execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
      ::_exit(127);
    }
    std::string text;
    std::array<char, 4096> buffer{};
    for (ssize_t got = 1; got > 0;) {
      got = ::read(terminal, buffer.data(), buffer.size());
      if (got > 0) text.append(buffer.data(), static_cast<size_t>(got));
    }
    ::waitpid(child, nullptr, 0);
    ::close(terminal);
    return text;
  }

 private:
  std::filesystem::path folder_;
};

inline const std::string kMlp = ETLENS_TEST_DATA "/release-1.5/mlp-portable-fp32";
inline const std::string kMlpPair =
    " --etdump " + kMlp + "/run10.etdp --etrecord " + kMlp + "/model.etrecord ";

// One sentence on stderr, nothing on stdout.
inline void check_refused(const Outcome& outcome, std::initializer_list<std::string> parts,
                          int status = 1) {
  CAPTURE(outcome.err, outcome.out);
  CHECK(outcome.status == status);
  CHECK(outcome.out.empty());
  CHECK(split_lines(outcome.err).size() == 1);
  CHECK(outcome.err.starts_with("etlens: "));
  for (const std::string& part : parts) {
    CAPTURE(part);
    CHECK(outcome.err.find(part) != std::string::npos);
  }
}

}  // namespace etlens::test
