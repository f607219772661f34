// SPDX-License-Identifier: Apache-2.0
// Pieces of an HTML page: tables and the styles that they need.
#pragma once

#include <string>
#include <string_view>

#include "core/export/page_links.h"
#include "core/export/sink.h"
#include "core/render/table.h"

namespace etlens {

// `caption` names the table for those who do not see it. `rows_shown`: the rest is folded away.
// A column named `code_column`, if any, is shown as code. `links`: of columns that name lines; null for none.
struct HtmlTableOptions {
  std::string_view caption;
  size_t rows_shown = SIZE_MAX;
  std::string_view code_column = "text";
  const PageLinks* links = nullptr;
};
void write_table(const Table& table, const HtmlTableOptions& options, Sink& sink);

// Styles of the whole page: light, dark, narrow and print.
extern const std::string_view kPageStyle;

}  // namespace etlens
