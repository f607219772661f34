// SPDX-License-Identifier: Apache-2.0
// Which methods of the record, beside the one that is shown, have lines in a file.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/facts/facts.h"

namespace etlens {

class OtherMethods {
 public:
  OtherMethods() = default;
  // Reads the whole record, unless the shown method is its only one.
  explicit OtherMethods(const Facts& facts);

  // By the file's name and that of the folder around it: recorded paths are of another machine. In
  // the record's order.
  std::vector<std::string> in_file(std::string_view path) const;

 private:
  void add_files(const EtRecord& record, const std::set<StackId>& stacks, size_t method);

  std::vector<std::string> names_;                      // of the other methods
  std::map<std::string, std::vector<size_t>> by_file_;  // ascending, into `names_`
};

}  // namespace etlens
