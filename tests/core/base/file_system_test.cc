// SPDX-License-Identifier: Apache-2.0
#include "core/base/file_system.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <string>

namespace etlens::file_system_test {

namespace fs = std::filesystem;

namespace {

class TemporaryFolder {
 public:
  TemporaryFolder()
      : path_(fs::temp_directory_path() / ("etlens_files_" + std::to_string(::getpid()))) {
    fs::remove_all(path_);
    fs::create_directories(path_);
  }
  ~TemporaryFolder() { fs::remove_all(path_); }
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }

 private:
  fs::path path_;
};

}  // namespace

TEST_CASE("files: a pipe is neither read nor opened", "[files]") {
  const TemporaryFolder folder;
  const std::string pipe = folder / "pipe";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  const Result<Bytes> read = real_file_system().read(pipe);
  REQUIRE_FALSE(read);
  CHECK(read.error().message == "cannot read " + pipe + ": not a regular file; give a file");
  CHECK_FALSE(real_file_system().read_range(pipe, 0, 64));
  // Who would wait at the other end sees nobody: writing fails as long as no reader was there.
  CHECK(::open(pipe.c_str(), O_WRONLY | O_NONBLOCK) < 0);
  CHECK_FALSE(real_file_system().read(folder / ""));
  CHECK_FALSE(real_file_system().read("/dev/zero"));
}

TEST_CASE("files: ranges end where the file does, however large", "[files]") {
  const TemporaryFolder folder;
  const std::string path = folder / "large";
  std::string content(20 << 20, 'x');
  content.back() = 'y';
  std::ofstream(path, std::ios::binary) << content;
  const Result<Bytes> whole = real_file_system().read(path);
  REQUIRE(whole);
  CHECK(whole->text() == content);
  const Result<Bytes> end = real_file_system().read_range(path, content.size() - 2, 100);
  REQUIRE(end);
  CHECK(end->text() == "xy");
  CHECK(real_file_system().read_range(path, 1ull << 40, 100)->empty());
}

}  // namespace etlens::file_system_test
