// SPDX-License-Identifier: Apache-2.0
// OutputFile: the only way in which etlens writes a file. What is written goes to a temporary file
// next to the target, which takes the target's place once it is whole. Until then, and if anything
// fails, the file that was there before stays as it was.
#pragma once

#include <cstdio>
#include <functional>
#include <string>
#include <string_view>

#include "core/base/output_system.h"
#include "core/base/result.h"

namespace etlens {

struct OutputOptions {
  bool may_replace = true;  // false: what is there stays, and commit() fails
  bool is_program = false;  // whoever may read it may also run it
};

class OutputFile {
 public:
  // `path`: as the user named it. A symbolic link is replaced, never followed. Pipes, devices and
  // descriptors that are open (/dev/stdout) are written directly. Error: Io.
  static Result<OutputFile> create(const std::string& path, OutputOptions options = {});
  static OutputFile standard_output();

  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&& other) noexcept;
  // Without commit() nothing is left of what was written.
  ~OutputFile();

  // False if nothing more can be written, or if nobody reads it any more.
  bool write(std::string_view text);
  // Fills the file with what `from` (absolute, on this machine) has: as a clone, which takes no
  // space until one of both changes, where the file system can; else as a copy. Never a hard link:
  // a program that opens its old output for writing would change both. In place of write(). Error:
  // Io, NotFound; Incomplete if `from` changed meanwhile.
  Result<void> copy(const std::string& from);
  // Puts the file in its place. Error: Io. A reader that left early has what it wanted.
  Result<void> commit();
  // The same for a file that goes on growing in its place. Error: Io.
  Result<void> publish();

 private:
  OutputFile() = default;
  Error cannot_write(const std::string& reason) const;
  Result<void> put_in_place();
  void discard();

  std::string path_;       // "" is stdout
  std::string temporary_;  // "" if there is none, or none any more
  OutputOptions options_;
  int descriptor_ = -1;
  bool owns_descriptor_ = false;
  bool replaces_file_ = false;
  bool is_served_ = false;  // stdout goes to serve_streams
  bool has_no_reader_ = false;
  std::string problem_;  // why nothing more can be written
};

// The name next to `path` that the first, second, … attempt to make a temporary file takes.
std::string temporary_name(const std::string& path, unsigned attempt);

// A log: what is written to it is added to what is there. Null if it cannot be opened.
std::FILE* open_log_file(const std::string& path);

// Writes to stderr. Nothing happens if that is closed or full.
void write_message(std::string_view text);

// Where the two streams go in a process that answers requests: `out` says whether somebody reads.
struct ServedStreams {
  std::function<bool(std::string_view)> out;
  std::function<void(std::string_view)> message;
};
// What standard_output() gives from now on, and messages, go there; without functions to the streams
// themselves, as in any other process.
void serve_streams(ServedStreams streams);

}  // namespace etlens
