// SPDX-License-Identifier: Apache-2.0
// Text in HTML and SVG. Every string that is not ours goes through escape_markup, and nothing else
// makes it fit.
#pragma once

#include <string>
#include <string_view>

namespace etlens {

// `text` so that it is text, between tags and in attributes with double quotes: & < > " ' become
// entities. What no markup may hold or what would reorder what is around it (control characters but
// for tab and line feed, marks of writing direction, bytes that are no UTF-8) becomes U+FFFD.
std::string escape_markup(std::string_view text);

}  // namespace etlens
