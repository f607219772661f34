// SPDX-License-Identifier: Apache-2.0
// Tables for a terminal of limited width.
#pragma once

#include <cstddef>

#include "core/render/table.h"

namespace etlens {

// Shortens text until to_text needs at most `width` columns, where it can: the widest column that
// is aligned to the left gives way first, prose down to kLeastColumn before names down to
// kLeastName, then all of them down to kLeastOfAll, places last: one that is cut names nothing, and
// beside one prose that has no room is left out.
// Names are cut in the middle, prose at its end, where "…" stands for what is missing. Numbers are
// never cut.
void fit_table(Table& table, size_t width);
inline constexpr size_t kLeastColumn = 14;
inline constexpr size_t kLeastName = 16;
inline constexpr size_t kLeastOfAll = 8;

}  // namespace etlens
