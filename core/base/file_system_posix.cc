// SPDX-License-Identifier: Apache-2.0
// Files as POSIX has them.
#include "core/base/file_system.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>
#include <cstring>

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "core/base/budget.h"
#include "core/base/open_file.h"
#include "core/base/path.h"
#include "core/base/read_error.h"

namespace etlens {
namespace {

constexpr size_t kGrantedEntries = 1024;  // at once
constexpr size_t kPieceBytes = 8 << 20;   // that are read between two looks at whether to go on

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

Error system_error(std::string_view path, int code) {
  return cannot_read(code == ENOENT || code == ENOTDIR ? ErrorCode::NotFound : ErrorCode::Io, path,
                     std::strerror(code), remedy(code));
}

// A pipe or a device could block for ever.
Result<void> check_regular(std::string_view path, const struct stat& status) {
  if (S_ISDIR(status.st_mode)) return system_error(path, EISDIR);
  if (!S_ISREG(status.st_mode))
    return cannot_read(ErrorCode::Io, path, "not a regular file", "give a file");
  return {};
}

class Descriptor {
 public:
  explicit Descriptor(const std::string& path)
      : value_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {}
  ~Descriptor() {
    if (value_ >= 0) ::close(value_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int value() const { return value_; }

 private:
  int value_;
};

class OpenFolder {
 public:
  explicit OpenFolder(const std::string& path) : value_(::opendir(path.c_str())) {}
  ~OpenFolder() {
    if (value_ != nullptr) ::closedir(value_);
  }
  OpenFolder(const OpenFolder&) = delete;
  OpenFolder& operator=(const OpenFolder&) = delete;
  DIR* value() const { return value_; }

 private:
  DIR* value_;
};

class RealFileSystem final : public FileSystem {
 public:
  Result<FileStamp> stat(std::string_view path) const override {
    struct stat status;
    if (::stat(std::string(path).c_str(), &status) != 0) return system_error(path, errno);
    return stamp_of(status);
  }

  Result<Bytes> read(std::string_view path) const override {
    return read_range(path, 0, UINT64_MAX);
  }

  Result<Bytes> read_range(std::string_view path, uint64_t offset, uint64_t size) const override {
    const std::string name(path);
    struct stat status;
    // Before it is opened, because opening wakes up who waits at the other end of a pipe; and
    // after, because it may have become one.
    if (::stat(name.c_str(), &status) != 0) return system_error(path, errno);
    if (Result<void> regular = check_regular(path, status); !regular)
      return std::move(regular).error();
    const Descriptor file{name};
    if (file.value() < 0 || ::fstat(file.value(), &status) != 0) return system_error(path, errno);
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

  Result<std::vector<DirectoryEntry>> list(std::string_view folder) const override {
    const OpenFolder open{std::string(folder)};
    DIR* directory = open.value();
    if (directory == nullptr) return system_error(folder, errno);
    std::vector<DirectoryEntry> entries;
    while (const dirent* entry = ::readdir(directory)) {
      if (entries.size() % kGrantedEntries == 0) grant_listing(kGrantedEntries);
      const std::string_view name = entry->d_name;
      if (name == "." || name == "..") continue;
      bool is_directory = entry->d_type == DT_DIR;
      if (entry->d_type == DT_UNKNOWN) {
        struct stat status;
        is_directory =
            ::fstatat(::dirfd(directory), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
            S_ISDIR(status.st_mode);
      }
      entries.push_back({std::string(name), is_directory});
    }
    return entries;
  }

 private:
  static FileStamp stamp_of(const struct stat& status) {
    return {static_cast<uint64_t>(status.st_size),
            static_cast<int64_t>(status.st_mtim.tv_sec) * 1'000'000'000 + status.st_mtim.tv_nsec,
            static_cast<uint64_t>(status.st_ino), S_ISDIR(status.st_mode)};
  }
};

}  // namespace

const FileSystem& real_file_system() {
  static const RealFileSystem instance;
  return instance;
}

std::string current_folder() {
  std::string path(4096, '\0');
  if (::getcwd(path.data(), path.size()) == nullptr) return "/";
  path.resize(std::strlen(path.c_str()));
  return path;
}

std::string real_path(std::string_view path) {
  const std::unique_ptr<char, decltype(&std::free)> real(
      ::realpath(std::string(path).c_str(), nullptr), &std::free);
  return real == nullptr ? std::string() : std::string(real.get());
}

const PathRules& system_paths() { return kPosixPaths; }

std::FILE* open_file(const std::string& path, const char* mode) {
  return std::fopen(path.c_str(), mode);
}

}  // namespace etlens
