// SPDX-License-Identifier: Apache-2.0
// Which methods of the record, beside the one that is shown, have lines in a file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/facts/facts.h"

namespace etlens {

// By the file's name and that of the folder around it: recorded paths are of another machine. In
// the record's order.
std::vector<std::string> other_methods_in(const Facts& facts, std::string_view path);

}  // namespace etlens
