// SPDX-License-Identifier: Apache-2.0
#include "core/render/fit_table.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/text.h"
#include "core/render/display_width.h"

namespace etlens {
namespace {

std::vector<std::string_view> characters_of(std::string_view text) {
  std::vector<std::string_view> characters;
  while (!text.empty()) {
    characters.push_back(text.substr(0, utf8_length(text)));
    text.remove_prefix(characters.back().size());
  }
  return characters;
}

// The first characters, or with `is_back` the last ones, that need at most `width` columns.
std::string end_of(const std::vector<std::string_view>& characters, size_t width, bool is_back) {
  size_t used = 0;
  size_t count = 0;
  const auto at = [&](size_t i) { return characters[is_back ? characters.size() - 1 - i : i]; };
  while (count < characters.size() && used + display_width(at(count)) <= width)
    used += display_width(at(count++));
  const size_t first = is_back ? characters.size() - count : 0;
  std::string text;
  for (size_t i = first; i < first + count; ++i) text += characters[i];
  return text;
}

// What tells a path or an operator from its neighbours is more often at its end.
void cut(std::string& cell, size_t width, bool is_prose) {
  if (display_width(cell) <= width) return;
  const std::vector<std::string_view> characters = characters_of(cell);
  const size_t room = std::max<size_t>(width, 1) - 1;
  const size_t back = is_prose ? 0 : (room + 1) / 2;
  cell = end_of(characters, room - back, false) + "…" + end_of(characters, back, true);
}

class Widths {
 public:
  explicit Widths(const Table& table) : table_(table) {
    for (size_t c = 0; c < table.columns.size(); ++c) {
      size_t widest = display_width(table.columns[c].name);
      for (const std::vector<std::string>& row : table.rows)
        widest = std::max(widest, display_width(row[c]));
      widths_.push_back(widest);
    }
  }

  void shrink(size_t width, size_t least, bool only_prose) {
    size_t total =
        std::accumulate(widths_.begin(), widths_.end(), kColumnGap * (widths_.size() - 1));
    while (total > width) {
      const auto widest = widest_above(least, only_prose);
      if (!widest) return;
      --widths_[*widest];
      --total;
    }
  }

  size_t of(size_t column) const { return widths_[column]; }

 private:
  // Of the columns that may give way.
  std::optional<size_t> widest_above(size_t least, bool only_prose) const {
    std::optional<size_t> widest;
    for (size_t c = 0; c < widths_.size(); ++c) {
      const Column& column = table_.columns[c];
      const bool gives_way = (column.is_prose || !only_prose) && column.align == Align::Left &&
                             widths_[c] > std::max(least, display_width(column.name));
      if (gives_way && (!widest || widths_[c] > widths_[*widest])) widest = c;
    }
    return widest;
  }

  const Table& table_;
  std::vector<size_t> widths_;
};

}  // namespace

void fit_table(Table& table, size_t width) {
  if (table.columns.empty()) return;
  Widths widths(table);
  // Prose first: a place that is cut names nothing.
  widths.shrink(width, kLeastColumn, true);
  widths.shrink(width, kLeastPlace, false);
  widths.shrink(width, kLeastOfAll, true);
  widths.shrink(width, kLeastOfAll, false);
  for (std::vector<std::string>& row : table.rows) {
    for (size_t c = 0; c < row.size(); ++c) cut(row[c], widths.of(c), table.columns[c].is_prose);
  }
}

}  // namespace etlens
