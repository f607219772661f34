// SPDX-License-Identifier: Apache-2.0
// What a terminal or an editor's monospaced font makes of text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace etlens {

// Columns of one line of UTF-8: East Asian wide characters and emoji take 2, combining marks and
// joiners 0. Control characters and bytes that are no UTF-8 take one each, as what is shown in
// their place. Characters count one by one, as most terminals do it: a sequence of joined emoji is
// as wide as its members together.
size_t display_width(std::string_view text);

// In one line, and without control characters: those below U+0020, and U+007F to U+009F, which some
// terminals obey, too, are blanks. For characters that nobody sees stands "<U+200B>" and the like.
std::string printable(std::string_view text);

}  // namespace etlens
