// SPDX-License-Identifier: Apache-2.0
// Files of Windows that are open: everything is asked of the handle, so that it is the same file
// all the time, whatever its name leads to meanwhile.
#pragma once

#include <windows.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/bytes.h"
#include "core/base/file_system.h"
#include "core/base/result.h"

namespace etlens {

class Handle {
 public:
  Handle() = default;
  explicit Handle(HANDLE value) : value_(value) {}
  ~Handle() {
    if (is_open()) ::CloseHandle(value_);
  }
  Handle(Handle&& other) noexcept : value_(std::exchange(other.value_, INVALID_HANDLE_VALUE)) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(value_, other.value_);
    return *this;
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;

  bool is_open() const { return value_ != INVALID_HANDLE_VALUE; }
  HANDLE value() const { return value_; }

 private:
  HANDLE value_ = INVALID_HANDLE_VALUE;
};

// The sentence for an error of the system. NotFound where nothing is there.
Error system_error(std::string_view path, DWORD code);
Error not_regular(std::string_view path);
// Names that are devices in every folder, with every suffix, until Windows 10.
bool is_device_name(std::wstring_view name);

// A file or folder, shared with whoever writes, renames or deletes it meanwhile. Names of pipes and
// devices are not opened.
Result<Handle> open_named(std::string_view path, DWORD access);
// The path of what is open, without links; "" if it has none.
std::string name_of(HANDLE file);

// `path` is for errors. What is not on a disk is an error.
Result<FileStamp> stamp_of(std::string_view path, const Handle& file);
Result<Bytes> read_open(std::string_view path, const Handle& file, uint64_t offset, uint64_t size);
Result<std::vector<DirectoryEntry>> list_open(std::string_view path, const Handle& folder);

}  // namespace etlens
