// SPDX-License-Identifier: Apache-2.0
#include "core/base/output_system.h"

#include <fcntl.h>
#include <io.h>
#include <process.h>
#include <share.h>
#include <sys/stat.h>
#include <windows.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "core/base/output_file.h"
#include "core/base/wide_text.h"

namespace etlens {
namespace {

constexpr size_t kMostUnfinished = 16;
constexpr size_t kMostLetters = 1024;
constexpr unsigned kMostBytes = 1 << 26;  // that one call writes

// Names of unfinished files, where the handler of Ctrl+C finds them.
struct Unfinished {
  volatile bool is_used;
  wchar_t path[kMostLetters];
};
Unfinished unfinished[kMostUnfinished];

BOOL WINAPI remove_and_end(DWORD) {
  remove_unfinished_files();
  return FALSE;  // and what always ends the process does
}

void note_unfinished(const std::wstring& path) {
  static const BOOL is_called = ::SetConsoleCtrlHandler(remove_and_end, TRUE);
  if (is_called == 0 || path.size() >= kMostLetters) return;
  Unfinished* const end = unfinished + kMostUnfinished;
  Unfinished* const free =
      std::find_if(unfinished, end, [](const Unfinished& one) { return !one.is_used; });
  if (free == end) return;
  std::copy_n(path.c_str(), path.size() + 1, free->path);
  free->is_used = true;
}

void forget_unfinished(const std::wstring& path) {
  for (Unfinished& one : unfinished) {
    if (one.is_used && path == one.path) one.is_used = false;
  }
}

int open_file_of(const std::wstring& path, int flags) {
  int descriptor = -1;
  const errno_t code =
      ::_wsopen_s(&descriptor, path.c_str(), flags | _O_WRONLY | _O_BINARY | _O_NOINHERIT,
                  _SH_DENYNO, _S_IREAD | _S_IWRITE);
  if (code != 0) errno = code;
  return code == 0 ? descriptor : -1;
}

OutputTarget problem(int code) {
  OutputTarget target;
  target.problem = std::strerror(code);
  return target;
}

// What the C library's errno does not tell.
int code_of(DWORD error) {
  switch (error) {
    case ERROR_FILE_EXISTS:
    case ERROR_ALREADY_EXISTS:
      return EEXIST;
    case ERROR_ACCESS_DENIED:
    case ERROR_SHARING_VIOLATION:
    case ERROR_LOCK_VIOLATION:
      return EACCES;
    case ERROR_DISK_FULL:
    case ERROR_HANDLE_DISK_FULL:
      return ENOSPC;
    default:
      return EIO;
  }
}

}  // namespace

// NUL, CON, pipes and the like are written directly.
OutputTarget find_output_target(const std::string& path) {
  const std::wstring name = to_wide(path);
  const DWORD attributes = ::GetFileAttributesW(name.c_str());
  const bool is_there = attributes != INVALID_FILE_ATTRIBUTES;
  if (path.ends_with('/') || path.ends_with('\\') ||
      (is_there && (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0))
    return problem(EISDIR);
  const HANDLE handle = ::CreateFileW(
      name.c_str(), GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr,
      OPEN_EXISTING, FILE_FLAG_OPEN_REPARSE_POINT, nullptr);
  if (handle == INVALID_HANDLE_VALUE) return is_there ? problem(EACCES) : OutputTarget();
  OutputTarget target;
  if (::GetFileType(handle) == FILE_TYPE_DISK) {
    ::CloseHandle(handle);
    target.is_file = (attributes & FILE_ATTRIBUTE_REPARSE_POINT) == 0;
    return target;
  }
  target.descriptor = ::_open_osfhandle(reinterpret_cast<intptr_t>(handle), _O_BINARY);
  if (target.descriptor < 0) return problem(errno);
  return target;
}

WriteEnd write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const auto size = static_cast<unsigned>(std::min<size_t>(text.size(), kMostBytes));
    const int written = ::_write(descriptor, text.data(), size);
    // A pipe without a reader is EPIPE or EINVAL, as Windows finds it.
    if (written < 0)
      return errno == EPIPE || errno == EINVAL ? WriteEnd::NoReader : WriteEnd::Failed;
    if (written == 0) {
      errno = ENOSPC;
      return WriteEnd::Failed;
    }
    text.remove_prefix(static_cast<size_t>(written));
  }
  return WriteEnd::Written;
}

bool clone_into(int, const std::string&) { return false; }

int create_unfinished(const std::string& path, const OutputTarget&, bool) {
  const std::wstring name = to_wide(path);
  const int descriptor = open_file_of(name, _O_CREAT | _O_EXCL);
  if (descriptor >= 0) note_unfinished(name);
  return descriptor;
}

bool move_finished(const std::string& from, const std::string& to, bool replaces) {
  const std::wstring name = to_wide(from);
  const DWORD how = replaces ? MOVEFILE_REPLACE_EXISTING : 0;
  if (::MoveFileExW(name.c_str(), to_wide(to).c_str(), how) == 0) {
    errno = code_of(::GetLastError());
    return false;
  }
  forget_unfinished(name);
  return true;
}

void remove_unfinished(const std::string& path) {
  const std::wstring name = to_wide(path);
  ::DeleteFileW(name.c_str());
  forget_unfinished(name);
}

void remove_unfinished_files() noexcept {
  for (const Unfinished& one : unfinished) {
    if (one.is_used) ::DeleteFileW(one.path);
  }
}

int open_to_append(const std::string& path) { return open_file_of(to_wide(path), _O_APPEND); }

bool flush_to_disk(int descriptor) { return ::_commit(descriptor) == 0; }

bool close_descriptor(int descriptor) { return ::_close(descriptor) == 0; }

unsigned long process_id() { return static_cast<unsigned long>(::_getpid()); }

std::string last_problem() { return std::strerror(errno); }

std::FILE* open_log_file(const std::string& path) {
  return ::_wfopen(to_wide(path).c_str(), L"abN");
}

}  // namespace etlens
