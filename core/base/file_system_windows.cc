// SPDX-License-Identifier: Apache-2.0
// Files as Windows has them. Paths are in normal form outside and made the system's own here.
#include "core/base/file_system.h"

#include <windows.h>

#include <algorithm>

#include "core/base/open_file.h"
#include "core/base/open_handle.h"
#include "core/base/path.h"
#include "core/base/read_error.h"
#include "core/base/wide_text.h"

namespace etlens {
namespace {

class RealFileSystem final : public FileSystem {
 public:
  Result<FileStamp> stat(std::string_view path) const override {
    const Result<Handle> file = open_named(path, FILE_READ_ATTRIBUTES);
    return file ? stamp_of(path, *file) : file.error();
  }

  Result<Bytes> read(std::string_view path) const override {
    return read_range(path, 0, UINT64_MAX);
  }

  Result<Bytes> read_range(std::string_view path, uint64_t offset, uint64_t size) const override {
    const Result<FileStamp> before = stat(path);
    if (!before) return before.error();
    if (before->is_directory)
      return cannot_read(ErrorCode::Io, path, "Is a directory", "give a file");
    const Result<Handle> file = open_named(path, GENERIC_READ);
    return file ? read_open(path, *file, offset, size) : file.error();
  }

  Result<std::vector<DirectoryEntry>> list(std::string_view folder) const override {
    const Result<Handle> open = open_named(folder, FILE_LIST_DIRECTORY);
    return open ? list_open(folder, *open) : open.error();
  }

  std::string without_links(std::string_view path) const override { return real_path(path); }
};

}  // namespace

const FileSystem& real_file_system() {
  static const RealFileSystem instance;
  return instance;
}

std::string current_folder() {
  std::wstring path(::GetCurrentDirectoryW(0, nullptr), L'\0');
  path.resize(::GetCurrentDirectoryW(static_cast<DWORD>(path.size()), path.data()));
  return normal_path(from_wide(path));
}

std::string real_path(std::string_view path) {
  const Result<Handle> file = open_named(path, FILE_READ_ATTRIBUTES);
  return file ? name_of(file->value()) : "";
}

const PathRules& system_paths() { return kWindowsPaths; }

std::FILE* open_to_read(const std::string& path) {
  return ::_wfopen(to_wide(path).c_str(), L"rbN");
}

}  // namespace etlens
