// SPDX-License-Identifier: Apache-2.0
#include "tests/core/export/programs.h"

#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace etlens::test {

Ran run_program(const std::string& command) {
  Ran ran;
  std::FILE* pipe = ::popen(("{ " + command + "; } 2>&1").c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::array<char, 4096> piece{};
  while (const size_t count = std::fread(piece.data(), 1, piece.size(), pipe))
    ran.output.append(piece.data(), count);
  const int status = ::pclose(pipe);
  ran.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return ran;
}

TemporaryFile::TemporaryFile(std::string_view content, const std::string& suffix) {
  static int count = 0;
  const std::string name =
      "etlens-export-" + std::to_string(::getpid()) + "-" + std::to_string(count++) + suffix;
  path_ = (std::filesystem::temp_directory_path() / name).string();
  std::ofstream(path_, std::ios::binary) << content;
}

TemporaryFile::~TemporaryFile() { std::filesystem::remove(path_); }

std::string gunzip(std::string_view bytes) {
  z_stream zlib{};
  REQUIRE(inflateInit2(&zlib, 15 + 16) == Z_OK);
  zlib.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  zlib.avail_in = static_cast<uInt>(bytes.size());
  std::string out;
  std::array<char, 16 * 1024> piece{};
  int status = Z_OK;
  while (status == Z_OK) {
    zlib.next_out = reinterpret_cast<Bytef*>(piece.data());
    zlib.avail_out = static_cast<uInt>(piece.size());
    status = inflate(&zlib, Z_NO_FLUSH);
    out.append(piece.data(), piece.size() - zlib.avail_out);
  }
  CHECK(status == Z_STREAM_END);
  CHECK(zlib.avail_in == 0);
  inflateEnd(&zlib);
  return out;
}

}  // namespace etlens::test
