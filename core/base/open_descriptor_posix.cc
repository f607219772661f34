// SPDX-License-Identifier: Apache-2.0
#include "core/base/open_descriptor.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>
#include <cerrno>
#include <cstring>

#include <algorithm>
#include <memory>
#include <string>

#include "core/base/budget.h"
#include "core/base/read_error.h"

namespace etlens {
namespace {

constexpr size_t kGrantedEntries = 1024;  // at once
constexpr size_t kPieceBytes = 8 << 20;   // that are read between two looks at whether to go on

struct CloseFolder {
  void operator()(DIR* folder) const { ::closedir(folder); }
};

std::string_view remedy(int code) {
  switch (code) {
    case ENOENT:
    case ENOTDIR:
      return "check the path";
    case EACCES:
    case EPERM:
      return "make it readable";
    case EISDIR:
      return "give a file";
    default:
      return "try again";
  }
}

}  // namespace

Descriptor::~Descriptor() {
  if (value_ >= 0) ::close(value_);
}

Error system_error(std::string_view path, int code) {
  return cannot_read(code == ENOENT || code == ENOTDIR ? ErrorCode::NotFound : ErrorCode::Io, path,
                     std::strerror(code), remedy(code));
}

Result<void> check_regular(std::string_view path, const struct stat& status) {
  if (S_ISDIR(status.st_mode)) return system_error(path, EISDIR);
  if (!S_ISREG(status.st_mode))
    return cannot_read(ErrorCode::Io, path, "not a regular file", "give a file");
  return {};
}

FileStamp stamp_of(const struct stat& status) {
  return {static_cast<uint64_t>(status.st_size),
          static_cast<int64_t>(status.st_mtim.tv_sec) * 1'000'000'000 + status.st_mtim.tv_nsec,
          static_cast<uint64_t>(status.st_ino), S_ISDIR(status.st_mode)};
}

Result<Bytes> read_open(std::string_view path, const Descriptor& file, uint64_t offset,
                        uint64_t size) {
  struct stat status;
  if (::fstat(file.value(), &status) != 0) return system_error(path, errno);
  if (Result<void> regular = check_regular(path, status); !regular)
    return std::move(regular).error();
  const uint64_t whole = static_cast<uint64_t>(status.st_size);
  if (offset > whole) offset = whole;
  Bytes bytes(std::min(size, whole - offset));
  size_t got = 0;
  while (got < bytes.size()) {
    go_on(kPieceBytes / 1024);
    const ssize_t n =
        ::pread(file.value(), bytes.data() + got, std::min(bytes.size() - got, kPieceBytes),
                static_cast<off_t>(offset + got));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return system_error(path, errno);
    if (n == 0) break;  // the file became shorter meanwhile
    got += static_cast<size_t>(n);
  }
  if (got < bytes.size()) bytes.shrink(got);
  return bytes;
}

Result<std::vector<DirectoryEntry>> list_open(std::string_view path, Descriptor folder) {
  const std::unique_ptr<DIR, CloseFolder> held(::fdopendir(folder.value()));
  if (held == nullptr) return system_error(path, errno);
  folder.release();
  std::vector<DirectoryEntry> entries;
  while (const dirent* entry = ::readdir(held.get())) {
    if (entries.size() % kGrantedEntries == 0) grant_listing(kGrantedEntries);
    const std::string_view name = entry->d_name;
    if (name == "." || name == "..") continue;
    bool is_directory = entry->d_type == DT_DIR;
    if (entry->d_type == DT_UNKNOWN) {
      struct stat status;
      is_directory =
          ::fstatat(::dirfd(held.get()), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
          S_ISDIR(status.st_mode);
    }
    entries.push_back({std::string(name), is_directory});
  }
  return entries;
}

}  // namespace etlens
