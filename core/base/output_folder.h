// SPDX-License-Identifier: Apache-2.0
// Folders that etlens makes: those for the user alone, and those whose files appear together or not at all.
#pragma once

#include <cstddef>
#include <string>

#include "core/base/result.h"

namespace etlens {

// Makes the folder `path` (absolute) with rights for its owner alone (0700), unless it is there. Its parent must be there.
// Error: Io, also if a file or a symbolic link has the name.
Result<void> make_private_folder(const std::string& path);

// A folder that is filled under a temporary name next to `path`. A crash leaves that name behind: remove_leftovers().
class OutputFolder {
 public:
  // Error: Io.
  static Result<OutputFolder> create(const std::string& path);

  OutputFolder(OutputFolder&& other) noexcept;
  OutputFolder& operator=(OutputFolder&&) = delete;
  // Without commit() the folder is removed with all that is in it.
  ~OutputFolder();

  // Absolute: files are written here.
  const std::string& unfinished() const { return temporary_; }
  // Error: Io, also if the name is taken.
  Result<void> commit();

 private:
  OutputFolder(std::string path, std::string temporary);

  std::string path_;
  std::string temporary_;  // "" if there is none any more
};

// Removes what OutputFolder and OutputFile left in `folder` if a process ended in the middle, and returns how many. Only
// the one process that may write there calls it.
size_t remove_leftovers(const std::string& folder);

// Removes a file, or a folder with all that is in it; symbolic links are removed, not followed. Nothing there is success.
// Error: Io.
Result<void> remove_tree(const std::string& path);

}  // namespace etlens
