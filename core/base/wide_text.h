// SPDX-License-Identifier: Apache-2.0
// Text for Windows, which wants UTF-16. Part of what is for Windows alone.
#pragma once

#include <string>
#include <string_view>

namespace etlens {

// What is no UTF-8 or no UTF-16 becomes U+FFFD.
std::wstring to_wide(std::string_view text);
std::string from_wide(std::wstring_view text);

}  // namespace etlens
