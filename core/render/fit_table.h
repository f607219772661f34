// SPDX-License-Identifier: Apache-2.0
// Tables for a terminal of limited width.
#pragma once

#include <cstddef>

#include "core/render/table.h"

namespace etlens {

// Shortens text until to_text needs at most `width` columns, where it can: the widest column that
// is aligned to the left gives way first, and none below kLeastColumn. Cut cells end in "…".
void fit_table(Table& table, size_t width);
inline constexpr size_t kLeastColumn = 14;

}  // namespace etlens
