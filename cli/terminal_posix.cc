// SPDX-License-Identifier: Apache-2.0
#include "cli/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>

namespace etlens::cli {

void prepare_terminal() {}

std::vector<std::string> arguments_of(int argc, char** argv) {
  return {argv + std::min(argc, 1), argv + argc};
}

bool is_terminal(std::FILE* stream) { return ::isatty(::fileno(stream)) != 0; }

size_t terminal_columns() {
  winsize size{};
  return ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : size_t{0};
}

}  // namespace etlens::cli
