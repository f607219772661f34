// SPDX-License-Identifier: Apache-2.0
// Lists of operators that a backend has, as one text: names with single spaces between them.
#pragma once

#include <string_view>

namespace etlens {

constexpr bool has_name(std::string_view names, std::string_view name) {
  if (name.empty()) return false;
  for (size_t at = names.find(name); at != std::string_view::npos; at = names.find(name, at + 1)) {
    const size_t end = at + name.size();
    const bool is_start = at == 0 || names[at - 1] == ' ';
    if (is_start && (end == names.size() || names[end] == ' ')) return true;
  }
  return false;
}

}  // namespace etlens
