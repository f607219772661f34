// SPDX-License-Identifier: Apache-2.0
// Files of POSIX that are open: everything is asked of the descriptor, so that it is the same file
// all the time, whatever its name leads to meanwhile.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/bytes.h"
#include "core/base/file_system.h"
#include "core/base/result.h"

namespace etlens {

class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int value) : value_(value) {}
  ~Descriptor();
  Descriptor(Descriptor&& other) noexcept : value_(std::exchange(other.value_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(value_, other.value_);
    return *this;
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int value() const { return value_; }
  bool is_open() const { return value_ >= 0; }
  int release() { return std::exchange(value_, -1); }

 private:
  int value_ = -1;
};

// The sentence for an errno. NotFound where nothing is there.
Error system_error(std::string_view path, int code);
// A pipe or a device could block for ever.
Result<void> check_regular(std::string_view path, const struct stat& status);
FileStamp stamp_of(const struct stat& status);

// `path` is for errors. Only regular files are read; a range ends where the file does.
Result<Bytes> read_open(std::string_view path, const Descriptor& file, uint64_t offset,
                        uint64_t size);
// `folder` was opened for reading.
Result<std::vector<DirectoryEntry>> list_open(std::string_view path, Descriptor folder);

}  // namespace etlens
