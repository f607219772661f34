// SPDX-License-Identifier: Apache-2.0
// Words that name nothing of a user: they stay in a redacted bundle.
#pragma once

#include <string_view>

namespace etlens {

// With a blank behind each, in the order of ASCII.
std::string_view public_words();

}  // namespace etlens
