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

  // Of the columns of which `gives_way` is true, the widest ones.
  template <class GivesWay>
  void shrink(size_t width, size_t least, const GivesWay& gives_way) {
    size_t needed = total();
    while (needed > width) {
      const auto widest = widest_above(least, gives_way);
      if (!widest) return;
      --widths_[*widest];
      --needed;
    }
  }

  size_t total() const {
    return std::accumulate(widths_.begin(), widths_.end(), kColumnGap * (widths_.size() - 1));
  }

  size_t of(size_t column) const { return widths_[column]; }

 private:
  template <class GivesWay>
  std::optional<size_t> widest_above(size_t least, const GivesWay& gives_way) const {
    std::optional<size_t> widest;
    for (size_t c = 0; c < widths_.size(); ++c) {
      const Column& column = table_.columns[c];
      if (column.align != Align::Left || !gives_way(column)) continue;
      if (widths_[c] <= std::max(least, display_width(column.name))) continue;
      if (!widest || widths_[c] > widths_[*widest]) widest = c;
    }
    return widest;
  }

  const Table& table_;
  std::vector<size_t> widths_;
};

bool is_prose(const Column& column) { return column.is_prose; }

// What a place says can be looked up, so that prose without room is no loss beside one.
void leave_out_prose(Table& table) {
  for (size_t c = table.columns.size(); c-- > 0;) {
    if (!table.columns[c].is_prose) continue;
    table.columns.erase(table.columns.begin() + c);
    for (std::vector<std::string>& row : table.rows) row.erase(row.begin() + c);
  }
}

}  // namespace

void fit_table(Table& table, size_t width) {
  if (table.columns.empty()) return;
  for (std::vector<std::string>& row : table.rows) {
    for (std::string& cell : row) cell = printable(cell);  // as wide as it will be
  }
  const auto all = [](const Column&) { return true; };
  const auto is_no_place = [](const Column& column) { return !column.is_place; };
  Widths widths(table);
  widths.shrink(width, kLeastColumn, is_prose);
  widths.shrink(width, kLeastName, all);
  widths.shrink(width, kLeastOfAll, is_prose);
  const bool has_place = std::ranges::any_of(table.columns, &Column::is_place);
  if (widths.total() > width && has_place && std::ranges::any_of(table.columns, is_prose)) {
    leave_out_prose(table);
    return fit_table(table, width);
  }
  widths.shrink(width, kLeastOfAll, is_no_place);
  widths.shrink(width, kLeastOfAll, all);
  for (std::vector<std::string>& row : table.rows) {
    for (size_t c = 0; c < row.size(); ++c) cut(row[c], widths.of(c), table.columns[c].is_prose);
  }
}

}  // namespace etlens
