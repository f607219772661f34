// SPDX-License-Identifier: Apache-2.0
// Files as POSIX has them.
#include "core/base/file_system.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>
#include <cstring>

#include <cstdlib>
#include <memory>
#include <utility>

#include "core/base/open_descriptor.h"
#include "core/base/open_file.h"
#include "core/base/path.h"

namespace etlens {
namespace {

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
    const Descriptor file(::open(name.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (!file.is_open()) return system_error(path, errno);
    return read_open(path, file, offset, size);
  }

  Result<std::vector<DirectoryEntry>> list(std::string_view folder) const override {
    Descriptor open(::open(std::string(folder).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!open.is_open()) return system_error(folder, errno);
    return list_open(folder, std::move(open));
  }

  std::string without_links(std::string_view path) const override { return real_path(path); }
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

std::FILE* open_to_read(const std::string& path) { return std::fopen(path.c_str(), "rbe"); }

}  // namespace etlens
