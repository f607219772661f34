// SPDX-License-Identifier: Apache-2.0
// FolderWatch: notices changes of files directly inside folders, at no cost while nothing happens.
//
// Folders are watched, not files: a watched file that is replaced by a rename is lost with its
// inode. The system may refuse (too many watches, a network file system); who watches also looks
// now and then.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "rpc/uv/loop.h"

namespace etlens::uv {

class FolderWatch {
 public:
  // `on_change` gets the absolute path of a file that changed, appeared or went, or of the folder
  // itself if the system does not say which file it was.
  FolderWatch(Loop& loop, std::function<void(std::string)> on_change);
  ~FolderWatch();

  // From now on these, and no others.
  void watch(const std::vector<std::string>& folders);

 private:
  struct Folder;

  Loop& loop_;
  std::function<void(std::string)> on_change_;
  std::map<std::string, std::unique_ptr<Folder>> folders_;
};

}  // namespace etlens::uv
