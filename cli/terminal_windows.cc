// SPDX-License-Identifier: Apache-2.0
#include "cli/terminal.h"

#include <fcntl.h>
#include <io.h>
#include <windows.h>
// After windows.h, which it needs.
#include <shellapi.h>

#include <cstdlib>
#include <memory>

#include "core/base/wide_text.h"

namespace etlens::cli {
namespace {

UINT code_page_before = 0;

HANDLE handle_of(std::FILE* stream) {
  const int descriptor = ::_fileno(stream);  // negative: closed
  return descriptor < 0 ? INVALID_HANDLE_VALUE
                        : reinterpret_cast<HANDLE>(::_get_osfhandle(descriptor));
}

}  // namespace

// The code page is that of the window, which others go on with.
void prepare_streams() {
  for (std::FILE* stream : {stdin, stdout, stderr}) {
    if (::_fileno(stream) >= 0) ::_setmode(::_fileno(stream), _O_BINARY);
  }
  for (std::FILE* stream : {stdout, stderr}) {
    DWORD mode = 0;
    if (::GetConsoleMode(handle_of(stream), &mode) == 0) continue;
    ::SetConsoleMode(handle_of(stream), mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
    if (code_page_before != 0) continue;
    code_page_before = ::GetConsoleOutputCP();
    ::SetConsoleOutputCP(CP_UTF8);
    std::atexit([] { ::SetConsoleOutputCP(code_page_before); });
  }
}

// `argv` is in the code page of the user, which need not have the letters of a path.
std::vector<std::string> arguments_of(int, char**) {
  int count = 0;
  const std::unique_ptr<LPWSTR, decltype(&::LocalFree)> words(
      ::CommandLineToArgvW(::GetCommandLineW(), &count), &::LocalFree);
  std::vector<std::string> arguments;
  for (int i = 1; i < count; ++i) arguments.push_back(from_wide(words.get()[i]));
  return arguments;
}

// Not _isatty, for which NUL is one too.
bool is_terminal(std::FILE* stream) {
  DWORD mode = 0;
  return ::GetConsoleMode(handle_of(stream), &mode) != 0;
}

size_t terminal_columns() {
  CONSOLE_SCREEN_BUFFER_INFO info{};
  if (::GetConsoleScreenBufferInfo(handle_of(stdout), &info) == 0) return 0;
  return static_cast<size_t>(info.srWindow.Right - info.srWindow.Left + 1);
}

}  // namespace etlens::cli
