// SPDX-License-Identifier: Apache-2.0
// Text in HTML and SVG. Every string that is not ours goes through escape_markup, and nothing else
// makes it fit.
#pragma once

#include <string>
#include <string_view>

namespace etlens {

// `text` so that it is text, between tags and in attributes with double quotes: & < > " ' become
// entities. In the place of what must not be shown (core/base/shown_text.h), but tab and line feed,
// stands what is shown instead.
std::string escape_markup(std::string_view text);

}  // namespace etlens
