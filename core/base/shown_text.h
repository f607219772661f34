// SPDX-License-Identifier: Apache-2.0
// Text of files, made safe to show, and the one definition of what is not. Control characters move
// a terminal's cursor, rename its window and worse; characters that nobody sees reorder the text
// around them, hide some from people, or say something to a model that no person reads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace etlens {

// Whether nothing is seen of a character, or it moves what is around it: all that Unicode lets a
// viewer pass over (marks and overrides of writing direction, characters without width, joiners,
// fillers, selectors of variants, tags), separators of lines and paragraphs, and annotations.
bool is_invisible(uint32_t character);

// Bytes of the character at the front of `text` (not empty) if it must not be shown as it is: a
// control character (C0, U+007F, C1), one that is invisible, or a byte that is no UTF-8. 0 for any
// other.
size_t unsafe_length(std::string_view text);

// What is shown in the place of such a character: "<U+200B>" for one that is invisible, else
// U+FFFD.
std::string shown_instead(std::string_view character);

// `text` with that in the place of every character that must not be shown, but line feeds and tabs.
std::string shown_text(std::string_view text);

// Likewise, but colours stay: `ESC [ digits and semicolons m`, as etlens itself writes them.
std::string shown_in_color(std::string_view text);

// A name as it was before it was shown: each "<U+200B>" and the like is that character again. For
// names that come back from those to whom they were shown.
std::string text_behind(std::string_view shown);

// `text` as a cell of a table that a spreadsheet may open: with an apostrophe in front if it would
// be taken for a formula, also behind blanks and characters that are not seen.
std::string spreadsheet_text(std::string_view text);

}  // namespace etlens
