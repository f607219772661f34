// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <io.h>
#include <process.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "cli/child.h"
#include "core/base/wide_text.h"

namespace etlens::cli {
namespace {

// As the C library of the child takes it apart again: in quotes, with backslashes before quotes doubled.
std::wstring quoted(const std::string& argument) {
  std::string out = "\"";
  size_t backslashes = 0;
  for (const char c : argument) {
    if (c == '"') out.append(backslashes + 1, '\\');
    backslashes = c == '\\' ? backslashes + 1 : 0;
    out += c;
  }
  out.append(backslashes, '\\');
  return to_wide(out + '"');
}

// Its stdout is `output`. -1 if it cannot be started.
intptr_t spawn(const ChildRequest& request, int output) {
  std::vector<std::wstring> words{quoted(request.program)};
  for (const std::string& argument : request.arguments) words.push_back(quoted(argument));
  std::vector<const wchar_t*> pointers;
  for (const std::wstring& word : words) pointers.push_back(word.c_str());
  pointers.push_back(nullptr);
  for (const auto& [name, value] : request.variables)
    ::_wputenv_s(to_wide(name).c_str(), to_wide(value).c_str());
  constexpr int kStdout = 1;
  const int own = ::_dup(kStdout);
  ::_dup2(output, kStdout);
  const intptr_t child = ::_wspawnvp(_P_NOWAIT, to_wide(request.program).c_str(), pointers.data());
  const int code = errno;
  if (own >= 0) {
    ::_dup2(own, kStdout);
    ::_close(own);
  }
  for (const auto& [name, value] : request.variables) ::_wputenv_s(to_wide(name).c_str(), L"");
  errno = code;
  return child;
}

// To the end; what is more than the limit is dropped.
std::string read_all(int descriptor) {
  std::string text;
  std::array<char, 4096> buffer{};
  for (;;) {
    const int got = ::_read(descriptor, buffer.data(), static_cast<unsigned>(buffer.size()));
    if (got <= 0) return text;
    const size_t room = kMaxChildOutput - text.size();
    text.append(buffer.data(), std::min(room, static_cast<size_t>(got)));
  }
}

}  // namespace

Result<ChildOutcome> run_child(const ChildRequest& request) {
  int ends[2];
  constexpr unsigned kPipeBytes = 1 << 16;
  if (::_pipe(ends, kPipeBytes, _O_BINARY | _O_NOINHERIT) != 0)
    return Error{ErrorCode::Io, request.program + " cannot be started: " + std::strerror(errno)};
  void (*const before)(int) = std::signal(SIGINT, SIG_IGN);
  const intptr_t child = spawn(request, ends[1]);
  const int code = errno;
  ::_close(ends[1]);
  ChildOutcome outcome;
  if (child != -1) {
    outcome.output = read_all(ends[0]);
    ::_cwait(&outcome.status, child, 0);
  }
  ::_close(ends[0]);
  std::signal(SIGINT, before);
  if (child != -1) return outcome;
  return Error{code == ENOENT ? ErrorCode::NotFound : ErrorCode::Io,
               request.program + " cannot be started: " + std::strerror(code)};
}

}  // namespace etlens::cli
