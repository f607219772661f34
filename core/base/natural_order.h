// SPDX-License-Identifier: Apache-2.0
// The order of names, numbers in them by their size: model.py:9 comes before model.py:12, build
// "1.9" before "1.10".
#pragma once

#include <string_view>

namespace etlens {

bool comes_before(std::string_view a, std::string_view b);

}  // namespace etlens
