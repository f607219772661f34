// SPDX-License-Identifier: Apache-2.0
// The order of builds by their names: "1.9" comes before "1.10", "r9" before "r10".
#pragma once

#include <string_view>

namespace etlens {

bool comes_before(std::string_view a, std::string_view b);

}  // namespace etlens
