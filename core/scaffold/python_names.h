// SPDX-License-Identifier: Apache-2.0
// What may stand in a script that is written: names that are names and nothing else, and texts as
// literals and comments that end where they should.
#pragma once

#include <string>
#include <string_view>

namespace etlens {

// Whether Python reads `text` as one name, that of a class or a parameter: letters, digits and _,
// no keyword, no character that nobody sees.
bool is_python_name(std::string_view text);

// Whether `text` can be a part of the name of a module: as above, in ASCII. Python takes other
// letters for some of these (NFKC), and would import another file.
bool is_module_name(std::string_view text);

// A string of Python that is `text`; bytes that are no UTF-8 are those of a path.
std::string python_literal(std::string_view text);

// "  # text"; "" for a text that is not one line of characters that are seen.
std::string python_comment(std::string_view text);

}  // namespace etlens
