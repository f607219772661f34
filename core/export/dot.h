// SPDX-License-Identifier: Apache-2.0
// Text in Graphviz' language.
#pragma once

#include <string>
#include <string_view>

namespace etlens {

// For double quotes: a backslash is an escape there, and so are quotes.
std::string escaped_for_dot(std::string_view text);

}  // namespace etlens
