// SPDX-License-Identifier: Apache-2.0
// Programs that read exports. A test says by a tag which one it needs: [needs:dot].
#pragma once

#include <string>
#include <string_view>

namespace etlens::test {

struct Ran {
  int status = -1;
  std::string output;  // stdout and stderr
};
Ran run_program(const std::string& command);

// A file with this content, removed at the end.
class TemporaryFile {
 public:
  TemporaryFile(std::string_view content, const std::string& suffix);
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

std::string gunzip(std::string_view bytes);

}  // namespace etlens::test
