// SPDX-License-Identifier: Apache-2.0
// Files below folders on Windows: each folder is opened in the one above it, by handle, and what is
// a link is opened as such.
#include "core/base/files_below.h"

#include <windows.h>
#include <winioctl.h>
#include <winternl.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "core/base/open_handle.h"
#include "core/base/path.h"
#include "core/base/read_error.h"
#include "core/base/walk_below.h"
#include "core/base/wide_text.h"

namespace etlens {
namespace {

constexpr DWORD kShared = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;

// Where the link leads that is open; "" for links of other kinds.
std::string link_text(HANDLE link) {
  struct Front {  // of what the system has of links that are symbolic, or mount points
    ULONG tag;
    USHORT size, reserved, name_offset, name_size, shown_offset, shown_size;
  };
  constexpr size_t kFlagBytes = 4;  // between that and the names, of symbolic links
  constexpr std::wstring_view kObject = LR"(\??\)";
  std::array<char, MAXIMUM_REPARSE_DATA_BUFFER_SIZE> data{};
  DWORD size = 0;
  if (::DeviceIoControl(link, FSCTL_GET_REPARSE_POINT, nullptr, 0, data.data(), data.size(), &size,
                        nullptr) == 0)
    return "";
  Front front;
  std::copy_n(data.data(), sizeof front, reinterpret_cast<char*>(&front));
  if (front.tag != IO_REPARSE_TAG_SYMLINK && front.tag != IO_REPARSE_TAG_MOUNT_POINT) return "";
  const size_t begin = sizeof front + (front.tag == IO_REPARSE_TAG_SYMLINK ? kFlagBytes : 0);
  if (begin + front.name_offset + front.name_size > size) return "";
  std::wstring name(front.name_size / sizeof(wchar_t), L'\0');
  std::copy_n(data.data() + begin + front.name_offset, name.size() * sizeof(wchar_t),
              reinterpret_cast<char*>(name.data()));
  if (name.starts_with(kObject)) name.erase(0, kObject.size());
  return with_slashes(from_wide(name));
}

// Something that is open to be looked at, or why it is not.
class Opened {
 public:
  Opened() = default;

  // The path had no link when the folder became a root: one that has, is none now.
  static Opened root(const std::string& path) {
    Result<Handle> handle = open_named(path, FILE_READ_ATTRIBUTES | FILE_TRAVERSE);
    if (!handle) return of_error(handle.error());
    if (name_of(handle->value()) != path) return failure(WalkFailure::Outside);
    return of(std::move(*handle), path);
  }
  static Opened failure(WalkFailure why) {
    Opened failed;
    failed.is_outside_ = why == WalkFailure::Outside;
    if (why == WalkFailure::TooManyLinks)
      failed.error_ = {ErrorCode::Io, "too many links, one after the other; give the file itself"};
    if (why == WalkFailure::Changed)
      failed.error_ = {ErrorCode::Io, "it was moved meanwhile; try again"};
    return failed;
  }
  static Opened of_error(Error error) {
    Opened failed;
    failed.error_ = std::move(error);
    failed.kind_ = StepKind::Failed;
    return failed;
  }

  Opened child(const std::string& name) const;

  StepKind kind() const { return kind_; }
  const std::string& link() const { return link_; }
  const Handle& handle() const { return handle_; }
  const FileStamp& stamp() const { return stamp_; }
  const Error& error() const { return error_; }
  bool is_outside() const { return is_outside_; }

 private:
  static Opened of(Handle handle, std::string_view path);

  Handle handle_;
  StepKind kind_ = StepKind::Failed;
  FileStamp stamp_;
  std::string link_;
  Error error_{ErrorCode::NotFound, "No such file or directory; check the path"};
  bool is_outside_ = false;
};

Opened Opened::of(Handle handle, std::string_view path) {
  Opened opened;
  FILE_ATTRIBUTE_TAG_INFO tag{};
  const Result<FileStamp> stamp = stamp_of(path, handle);
  if (!stamp) return of_error(stamp.error());
  if (::GetFileInformationByHandleEx(handle.value(), FileAttributeTagInfo, &tag, sizeof tag) == 0)
    tag = {};  // a file system without links
  const bool is_link = (tag.FileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0 &&
                       IsReparseTagNameSurrogate(tag.ReparseTag);
  opened.stamp_ = *stamp;
  opened.kind_ = is_link ? StepKind::Link : stamp->is_directory ? StepKind::Folder : StepKind::File;
  if (is_link) opened.link_ = link_text(handle.value());
  if (is_link && opened.link_.empty()) return failure(WalkFailure::Outside);
  opened.handle_ = std::move(handle);
  return opened;
}

Opened Opened::child(const std::string& name) const {
  // Names that mean more than a file: a stream of one, another object of the system, a device.
  if (name.find_first_of(":\\") != std::string::npos || is_device_name(to_wide(name)))
    return of_error(not_regular(name));
  std::wstring wide = to_wide(name);
  UNICODE_STRING text{};
  text.Buffer = wide.data();
  text.Length = text.MaximumLength = static_cast<USHORT>(wide.size() * sizeof(wchar_t));
  OBJECT_ATTRIBUTES attributes{};
  InitializeObjectAttributes(&attributes, &text, OBJ_CASE_INSENSITIVE, handle_.value(), nullptr);
  IO_STATUS_BLOCK block{};
  HANDLE value = INVALID_HANDLE_VALUE;
  const NTSTATUS status = ::NtCreateFile(
      &value, FILE_READ_ATTRIBUTES | FILE_TRAVERSE | SYNCHRONIZE, &attributes, &block, nullptr, 0,
      kShared, FILE_OPEN, FILE_OPEN_REPARSE_POINT | FILE_SYNCHRONOUS_IO_NONALERT, nullptr, 0);
  if (!NT_SUCCESS(status)) return of_error(system_error(name, ::RtlNtStatusToDosError(status)));
  return of(Handle(value), name);
}

class FilesBelow final : public FileSystem {
 public:
  explicit FilesBelow(RootNames roots) : roots_(std::move(roots)) {}

  Result<FileStamp> stat(std::string_view path) const override {
    const Opened opened = open(path);
    if (opened.kind() == StepKind::Failed) return error_of(path, opened);
    return opened.stamp();
  }

  Result<Bytes> read(std::string_view path) const override {
    return read_range(path, 0, UINT64_MAX);
  }

  Result<Bytes> read_range(std::string_view path, uint64_t offset, uint64_t size) const override {
    const Opened opened = open(path);
    if (opened.kind() == StepKind::Failed) return error_of(path, opened);
    if (opened.stamp().is_directory)
      return cannot_read(ErrorCode::Io, path, "Is a directory", "give a file");
    const Handle file(::ReOpenFile(opened.handle().value(), GENERIC_READ, kShared, 0));
    return read_open(path, file, offset, size);
  }

  Result<std::vector<DirectoryEntry>> list(std::string_view folder) const override {
    const Opened opened = open(folder);
    if (opened.kind() == StepKind::Failed) return error_of(folder, opened);
    if (!opened.stamp().is_directory)
      return cannot_read(ErrorCode::NotFound, folder, "Not a directory", "check the path");
    const Handle handle(::ReOpenFile(opened.handle().value(), FILE_LIST_DIRECTORY, kShared,
                                     FILE_FLAG_BACKUP_SEMANTICS));
    return list_open(folder, handle);
  }

 private:
  Error error_of(std::string_view path, const Opened& failed) const {
    if (failed.is_outside()) return roots_.refusal(path);
    const std::string& message = failed.error().message;
    // The sentence is of a part of the path: why, and what to do, is of the whole.
    const size_t why = message.rfind(": ");
    Error error = failed.error();
    error.message = "cannot read " + std::string(path) + ": " +
                    (why == std::string::npos ? message : message.substr(why + 2));
    return error;
  }

  Opened open(std::string_view path) const {
    if (path.find('\0') != std::string_view::npos) return Opened::failure(WalkFailure::Outside);
    return std::move(walk_below<Opened>(roots_, path, Opened::root).at);
  }

  const RootNames roots_;
};

}  // namespace

std::unique_ptr<const FileSystem> files_below(RootNames roots, WayBelow, std::function<void()>) {
  return std::make_unique<const FilesBelow>(std::move(roots));
}

}  // namespace etlens
