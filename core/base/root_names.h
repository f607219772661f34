// SPDX-License-Identifier: Apache-2.0
// What the folders below which something may be read are called. Text alone: nothing is opened.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.h"

namespace etlens {

// A path (absolute) without symbolic links; "" if nothing is there.
using RealPath = std::string (*)(std::string_view path);

struct RootFolder {
  std::string named;  // absolute, in normal form: as somebody calls it
  std::string real;   // without links
};

class RootNames {
 public:
  // Absolute folders. One that is not there yet may come.
  RootNames(const std::vector<std::string>& folders, RealPath real_path);

  const std::vector<RootFolder>& all() const { return roots_; }
  // The folder that the path is in, and the rest of the path, in which ".." may lead out again.
  // Null for paths elsewhere.
  const RootFolder* find(std::string_view path, std::string_view& rest) const;
  // Of a path in normal form.
  bool hold(std::string_view path) const;
  // That the path is not to be read: NotFound, one sentence.
  Error refusal(std::string_view path) const;

 private:
  std::vector<RootFolder> roots_;
};

}  // namespace etlens
