// SPDX-License-Identifier: Apache-2.0
#include "core/render/fit_table.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/text.h"
#include "core/render/display_width.h"

namespace etlens {
namespace {

constexpr size_t kGap = 2;  // between columns, as to_text has it

void cut(std::string& cell, size_t width) {
  if (display_width(cell) <= width) return;
  std::string text;
  for (std::string_view rest = cell; !rest.empty();) {
    const std::string_view character = rest.substr(0, utf8_length(rest));
    if (display_width(text) + display_width(character) >= width) break;
    text += character;
    rest.remove_prefix(character.size());
  }
  cell = text + "…";
}

}  // namespace

void fit_table(Table& table, size_t width) {
  if (table.columns.empty()) return;
  std::vector<size_t> widths;
  for (size_t c = 0; c < table.columns.size(); ++c) {
    size_t widest = display_width(table.columns[c].name);
    for (const std::vector<std::string>& row : table.rows)
      widest = std::max(widest, display_width(row[c]));
    widths.push_back(widest);
  }
  size_t total = std::accumulate(widths.begin(), widths.end(), kGap * (widths.size() - 1));
  while (total > width) {
    size_t widest = widths.size();
    for (size_t c = 0; c < widths.size(); ++c) {
      const bool gives_way = table.columns[c].align == Align::Left && widths[c] > kLeastColumn;
      if (gives_way && (widest == widths.size() || widths[c] > widths[widest])) widest = c;
    }
    if (widest == widths.size()) break;
    --widths[widest];
    --total;
  }
  for (std::vector<std::string>& row : table.rows) {
    for (size_t c = 0; c < row.size(); ++c) cut(row[c], widths[c]);
  }
}

}  // namespace etlens
