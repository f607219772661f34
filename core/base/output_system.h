// SPDX-License-Identifier: Apache-2.0
// What OutputFile asks the system. Descriptors are those of the C library on every system.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace etlens {

// What stands at a path that is to be written.
struct OutputTarget {
  std::string problem;  // why it cannot be written; "" if it can
  int descriptor = -1;  // of what is written directly; the caller closes it
  bool is_file = false;
  // Of the file.
  unsigned mode = 0;
  uint32_t user = 0;
  uint32_t group = 0;
};
OutputTarget find_output_target(const std::string& path);

enum class WriteEnd { Written, NoReader, Failed };
// All of it, however often the system has to be asked.
WriteEnd write_all(int descriptor, std::string_view text);

// Makes the open, empty file a clone of `from`: both share their blocks until one of them changes.
// False where that cannot be; nothing was written then.
bool clone_into(int descriptor, const std::string& from);

// A new file, with the rights of the file that it replaces. -1: errno says why, EEXIST if the name
// is taken. Until it is moved or removed it is unfinished.
int create_unfinished(const std::string& path, const OutputTarget& target, bool is_program);
// False: errno says why. `replaces`: whether what is at `to` may go.
bool move_finished(const std::string& from, const std::string& to, bool replaces);
void remove_unfinished(const std::string& path);
// All that this process has. A signal handler may call it, and whoever ends the process otherwise.
void remove_unfinished_files() noexcept;

// -1: errno says why.
int open_to_append(const std::string& path);
bool flush_to_disk(int descriptor);
bool close_descriptor(int descriptor);
unsigned long process_id();

// What errno says.
std::string last_problem();

}  // namespace etlens
