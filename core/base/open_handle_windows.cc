// SPDX-License-Identifier: Apache-2.0
#include "core/base/open_handle.h"

#include <algorithm>
#include <array>
#include <cwctype>

#include "core/base/budget.h"
#include "core/base/path.h"
#include "core/base/read_error.h"
#include "core/base/wide_text.h"

namespace etlens {
namespace {

constexpr size_t kGrantedEntries = 1024;  // at once
constexpr size_t kPieceBytes = 8 << 20;   // that are read between two looks at whether to go on
constexpr std::wstring_view kPlain = LR"(\\?\)";  // in front of a path that is taken as it stands

bool equals(std::wstring_view a, std::wstring_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](wchar_t x, wchar_t y) { return std::towlower(x) == std::towlower(y); });
}

// The share of `host\share\…`.
std::wstring_view share_of(std::wstring_view path) {
  path.remove_prefix(std::min(path.find(L'\\'), path.size() - 1) + 1);
  return path.substr(0, path.find(L'\\'));
}

// As the system opens it without a look at what the name could mean beside a file, and however long
// it is. Opening a pipe wakes up who waits at its other end, so their names are not opened at all.
Result<std::wstring> system_path(std::string_view path) {
  if (path.find('\0') != std::string_view::npos) return system_error(path, ERROR_INVALID_NAME);
  std::wstring given = to_wide(path);
  std::replace(given.begin(), given.end(), L'/', L'\\');
  if (is_device_name(std::wstring_view(given).substr(given.rfind(L'\\') + 1)))
    return not_regular(path);
  std::wstring full(::GetFullPathNameW(given.c_str(), 0, nullptr, nullptr), L'\0');
  full.resize(
      ::GetFullPathNameW(given.c_str(), static_cast<DWORD>(full.size()), full.data(), nullptr));
  std::wstring_view rest = full;
  if (rest.starts_with(kPlain)) rest.remove_prefix(kPlain.size());
  const bool has_drive = rest.size() > 2 && rest[1] == L':' && rest[2] == L'\\';
  if (has_drive) return std::wstring(kPlain).append(rest);
  if (rest.size() < full.size() || !rest.starts_with(LR"(\\)")) return not_regular(path);
  rest.remove_prefix(2);
  const std::wstring_view share = share_of(rest);
  if (rest.starts_with(LR"(.\)") || equals(share, L"pipe") || equals(share, L"mailslot"))
    return not_regular(path);
  return std::wstring(kPlain).append(LR"(UNC\)").append(rest);
}

uint64_t both_halves(DWORD high, DWORD low) { return uint64_t{high} << 32 | low; }

FileStamp stamp_of(const BY_HANDLE_FILE_INFORMATION& info) {
  constexpr int64_t kStepNs = 100;
  constexpr int64_t kEpoch = 116'444'736'000'000'000;  // 1970, in steps since 1601
  const auto written = static_cast<int64_t>(
      both_halves(info.ftLastWriteTime.dwHighDateTime, info.ftLastWriteTime.dwLowDateTime));
  return {both_halves(info.nFileSizeHigh, info.nFileSizeLow), (written - kEpoch) * kStepNs,
          both_halves(info.nFileIndexHigh, info.nFileIndexLow),
          (info.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0};
}

// Folders that are links elsewhere are none; those that a cloud fills when they are opened are.
bool is_folder(const FILE_ID_BOTH_DIR_INFO& entry) {
  const bool is_link =
      (entry.FileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0 &&
      (entry.EaSize == IO_REPARSE_TAG_SYMLINK || entry.EaSize == IO_REPARSE_TAG_MOUNT_POINT);
  return !is_link && (entry.FileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
}

}  // namespace

Error system_error(std::string_view path, DWORD code) {
  switch (code) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
    case ERROR_INVALID_NAME:
    case ERROR_INVALID_DRIVE:
    case ERROR_BAD_PATHNAME:
    case ERROR_BAD_NETPATH:
    case ERROR_BAD_NET_NAME:
    case ERROR_DIRECTORY:
      return cannot_read(ErrorCode::NotFound, path, "No such file or directory", "check the path");
    case ERROR_ACCESS_DENIED:
      return cannot_read(ErrorCode::Io, path, "Permission denied", "make it readable");
    case ERROR_SHARING_VIOLATION:
    case ERROR_LOCK_VIOLATION:
      return cannot_read(ErrorCode::Io, path, "another program keeps it for itself",
                         "close it there");
    default:
      return cannot_read(ErrorCode::Io, path, "error " + std::to_string(code) + " of Windows",
                         "try again");
  }
}

Error not_regular(std::string_view path) {
  return cannot_read(ErrorCode::Io, path, "not a regular file", "give a file");
}

bool is_device_name(std::wstring_view name) {
  name = name.substr(0, name.find_first_of(L".:"));
  while (name.ends_with(L' ')) name.remove_suffix(1);
  constexpr auto kDevices =
      std::to_array<std::wstring_view>({L"con", L"prn", L"aux", L"nul", L"conin$", L"conout$"});
  if (name.size() == 4 && name[3] >= L'1' && name[3] <= L'9')
    return equals(name.substr(0, 3), L"com") || equals(name.substr(0, 3), L"lpt");
  return std::any_of(kDevices.begin(), kDevices.end(),
                     [&](std::wstring_view device) { return equals(name, device); });
}

Result<Handle> open_named(std::string_view path, DWORD access) {
  const Result<std::wstring> name = system_path(path);
  if (!name) return name.error();
  Handle file(::CreateFileW(name->c_str(), access,
                            FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr,
                            OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, nullptr));
  if (!file.is_open()) return system_error(path, ::GetLastError());
  return file;
}

std::string name_of(HANDLE file) {
  constexpr std::wstring_view kHost = LR"(UNC\)";
  std::wstring real(::GetFinalPathNameByHandleW(file, nullptr, 0, 0), L'\0');
  real.resize(::GetFinalPathNameByHandleW(file, real.data(), static_cast<DWORD>(real.size()), 0));
  if (!real.starts_with(kPlain)) return "";
  real.erase(0, kPlain.size());
  if (real.starts_with(kHost)) real.replace(0, kHost.size(), LR"(\\)");
  return normal_path(from_wide(real));
}

Result<FileStamp> stamp_of(std::string_view path, const Handle& file) {
  if (!file.is_open()) return system_error(path, ::GetLastError());
  if (::GetFileType(file.value()) != FILE_TYPE_DISK) return not_regular(path);
  BY_HANDLE_FILE_INFORMATION info;
  if (::GetFileInformationByHandle(file.value(), &info) == 0)
    return system_error(path, ::GetLastError());
  return stamp_of(info);
}

Result<Bytes> read_open(std::string_view path, const Handle& file, uint64_t offset, uint64_t size) {
  const Result<FileStamp> stamp = stamp_of(path, file);
  if (!stamp) return stamp.error();
  offset = std::min(offset, stamp->size);
  Bytes bytes(std::min(size, stamp->size - offset));
  size_t got = 0;
  while (got < bytes.size()) {
    go_on(kPieceBytes / 1024);
    OVERLAPPED place{};
    place.Offset = static_cast<DWORD>(offset + got);
    place.OffsetHigh = static_cast<DWORD>((offset + got) >> 32);
    DWORD n = 0;
    const auto wanted = static_cast<DWORD>(std::min(bytes.size() - got, kPieceBytes));
    const bool is_read = ::ReadFile(file.value(), bytes.data() + got, wanted, &n, &place) != 0;
    if (!is_read && ::GetLastError() != ERROR_HANDLE_EOF)
      return system_error(path, ::GetLastError());
    if (n == 0) break;  // the file became shorter meanwhile
    got += n;
  }
  if (got < bytes.size()) bytes.shrink(got);
  return bytes;
}

Result<std::vector<DirectoryEntry>> list_open(std::string_view path, const Handle& folder) {
  if (!folder.is_open()) return system_error(path, ::GetLastError());
  constexpr size_t kBufferBytes = 64 << 10;
  const Bytes buffer(kBufferBytes);
  std::vector<DirectoryEntry> entries;
  size_t seen = 0;
  while (::GetFileInformationByHandleEx(folder.value(), FileIdBothDirectoryInfo,
                                        const_cast<uint8_t*>(buffer.data()),
                                        static_cast<DWORD>(buffer.size())) != 0) {
    for (const uint8_t* at = buffer.data();;) {
      if (seen++ % kGrantedEntries == 0) grant_listing(kGrantedEntries);
      const auto& entry = *reinterpret_cast<const FILE_ID_BOTH_DIR_INFO*>(at);
      std::string name =
          from_wide(std::wstring_view(entry.FileName, entry.FileNameLength / sizeof(wchar_t)));
      if (name != "." && name != "..") entries.push_back({std::move(name), is_folder(entry)});
      if (entry.NextEntryOffset == 0) break;
      at += entry.NextEntryOffset;
    }
  }
  const DWORD error = ::GetLastError();
  if (error != ERROR_NO_MORE_FILES) return system_error(path, error);
  return entries;
}

}  // namespace etlens
