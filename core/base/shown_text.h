// SPDX-License-Identifier: Apache-2.0
// Text of files, made safe to show. Control characters move a terminal's cursor, rename its window
// and worse; the overrides of writing direction make text look like another one.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace etlens {

// Bytes of the character at the front of `text` (not empty) if it must not be shown as it is: a
// control character (C0, U+007F, C1), U+202A to U+202E, U+2066 to U+2069, or a byte that is no
// UTF-8. 0 for any other.
size_t unsafe_length(std::string_view text);

// `text` with U+FFFD for every character that must not be shown, but line feeds and tabs.
std::string shown_text(std::string_view text);

// Likewise, but colours stay: `ESC [ digits and semicolons m`, as etlens itself writes them.
std::string shown_in_color(std::string_view text);

// `text` as a cell of a table that a spreadsheet may open: with an apostrophe in front if it would
// be taken for a formula, also behind blanks and characters that are not seen.
std::string spreadsheet_text(std::string_view text);

}  // namespace etlens
