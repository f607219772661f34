// SPDX-License-Identifier: Apache-2.0
// The name that somebody probably meant who typed another one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace etlens {

// Of `names` the one that is nearest to `typed`, by letters to insert, delete, replace or exchange;
// "" if none is near. A name that begins with `typed` is near.
std::string nearest_name(std::string_view typed, const std::vector<std::string>& names);

}  // namespace etlens
