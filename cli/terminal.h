// SPDX-License-Identifier: Apache-2.0
// What the system gives a command: its arguments, and a terminal, if there is one.
#pragma once

#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

namespace etlens::cli {

// Once, first. From then on what is written is bytes, which a terminal shows as UTF-8; a write that
// fails ends nothing; and no file that is opened gets the number of a standard stream that was
// closed.
void prepare_streams();
// Behind the program's own name, in UTF-8.
std::vector<std::string> arguments_of(int argc, char** argv);

bool is_terminal(std::FILE* stream);
// Of the one that stdout is; 0 if it does not say.
size_t terminal_columns();

}  // namespace etlens::cli
