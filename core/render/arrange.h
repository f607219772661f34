// SPDX-License-Identifier: Apache-2.0
// Rows and columns of a table as its reader asks for them: one way for every table.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/render/table.h"
#include "core/view/row_choice.h"

namespace etlens {

struct Arrangement {
  std::string sort;                  // a column; "": as the rows come
  bool is_reversed = false;          // the least first
  std::optional<size_t> top;         // rows; 0: all of them; nullopt: what the table is shown with
  std::vector<std::string> columns;  // in this order; empty: those that are shown; "all"

  bool chooses_rows() const { return !sort.empty() || is_reversed || top.value_or(0) > 0; }
};

// Numbers are listed from the greatest, names from the first; equal rows as they come, and what has
// no value last. Sums stay first, and are not counted. InvalidParams for a column that the table
// does not have: the sentence names those that there are.
Result<std::vector<size_t>> arranged_rows(const Table& table, const Arrangement& by);
// The same as a table, with the columns that are asked for.
Result<Table> arranged(Table table, const Arrangement& by);

// What a column is called: without the unit that the headers of data have.
std::string_view column_key(const Column& column);

}  // namespace etlens
