// SPDX-License-Identifier: Apache-2.0
#include <process.h>

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

}  // namespace

Result<int> run_child(const std::string& program, const std::vector<std::string>& arguments) {
  std::vector<std::wstring> words{quoted(program)};
  for (const std::string& argument : arguments) words.push_back(quoted(argument));
  std::vector<const wchar_t*> pointers;
  for (const std::wstring& word : words) pointers.push_back(word.c_str());
  pointers.push_back(nullptr);
  void (*const before)(int) = std::signal(SIGINT, SIG_IGN);
  const intptr_t status = ::_wspawnvp(_P_WAIT, to_wide(program).c_str(), pointers.data());
  std::signal(SIGINT, before);
  if (status == -1)
    return Error{errno == ENOENT ? ErrorCode::NotFound : ErrorCode::Io,
                 program + " cannot be started: " + std::strerror(errno)};
  return static_cast<int>(status);
}

}  // namespace etlens::cli
