// SPDX-License-Identifier: Apache-2.0
// Where a recorded file is here, told by where those are that were recorded with it: copies of a
// source (`old/`, `build/lib/`) fit its path as well as the source does.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/source/paths/path_mapper.h"

namespace etlens {

// Where `recorded` is if it lies to `mapped` as another recorded file, `like`, lies to its place;
// "" if the two have nothing in common.
std::string moved_like(std::string_view recorded, std::string_view like, std::string_view mapped);

struct PlacedFile {
  std::string recorded;  // with slashes
  MappedPath place;
  std::string passed_over;  // a candidate that was not taken; "" if there was no choice
};

// Of several candidates for a file the one that lies to files which have a place as it was recorded
// to lie; where that is none, or more than one, they stay candidates.
void settle_by_siblings(std::vector<PlacedFile>& files);

}  // namespace etlens
