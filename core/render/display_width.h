// SPDX-License-Identifier: Apache-2.0
// How wide text is in a terminal or in an editor's monospaced font.
#pragma once

#include <cstddef>
#include <string_view>

namespace etlens {

// Columns of one line of UTF-8: East Asian wide characters and emoji take 2, combining marks and
// joiners 0. Control characters and bytes that are no UTF-8 take one each, as what is shown in
// their place. Characters count one by one, as most terminals do it: a sequence of joined emoji is
// as wide as its members together.
size_t display_width(std::string_view text);

}  // namespace etlens
