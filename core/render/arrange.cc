// SPDX-License-Identifier: Apache-2.0
#include "core/render/arrange.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <numeric>
#include <utility>

#include "core/base/natural_order.h"
#include "core/base/text.h"
#include "core/render/cell_value.h"

namespace etlens {
namespace {

bool is_same_word(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
    return std::tolower(static_cast<unsigned char>(x)) ==
           std::tolower(static_cast<unsigned char>(y));
  });
}

Error no_column(const Table& table, std::string_view name) {
  std::vector<std::string> names;
  for (const Column& column : table.columns) names.emplace_back(column_key(column));
  return {ErrorCode::InvalidParams,
          fmt::format("there is no column {}; there are: {}", name, join(names, ", "))};
}

Result<size_t> find_column(const Table& table, std::string_view name) {
  for (size_t c = 0; c < table.columns.size(); ++c) {
    const Column& column = table.columns[c];
    if (is_same_word(column_key(column), name) || is_same_word(column.name, name)) return c;
  }
  return no_column(table, name);
}

Result<std::vector<size_t>> chosen_columns(const Table& table, const Arrangement& by) {
  std::vector<size_t> chosen;
  const bool all = by.columns.size() == 1 && by.columns.front() == "all";
  if (by.columns.empty() || all) {
    for (size_t c = 0; c < table.columns.size(); ++c) {
      if (all || !table.columns[c].is_extra) chosen.push_back(c);
    }
    return chosen;
  }
  for (const std::string& name : by.columns) {
    const Result<size_t> column = find_column(table, trim(name));
    if (!column) return column.error();
    chosen.push_back(*column);
  }
  return chosen;
}

// Rows from `first` on, whose indices are given, by one column.
void sort_rows(const Table& table, size_t column, bool is_reversed, std::vector<size_t>& rows) {
  const bool is_number = table.columns[column].align == Align::Right;
  const auto cell = [&](size_t row) { return std::string_view(table.rows[row][column]); };
  std::vector<std::optional<double>> values;
  if (is_number) {
    for (const std::vector<std::string>& row : table.rows)
      values.push_back(cell_value(row[column]));
  }
  const auto has_value = [&](size_t row) {
    return is_number ? values[row].has_value() : !cell(row).empty();
  };
  std::stable_sort(rows.begin(), rows.end(), [&](size_t a, size_t b) {
    if (!has_value(a) || !has_value(b)) return has_value(a) && !has_value(b);
    if (is_reversed) std::swap(a, b);
    return is_number ? *values[a] > *values[b] : comes_before(cell(a), cell(b));
  });
}

}  // namespace

std::string_view column_key(const Column& column) {
  const std::string_view typed = column.typed();
  return typed.substr(0, typed.find(" ("));
}

Result<std::vector<size_t>> arranged_rows(const Table& table, const Arrangement& by) {
  const size_t sums = std::min(table.sums, table.rows.size());
  std::vector<size_t> rows(table.rows.size() - sums);
  std::iota(rows.begin(), rows.end(), sums);
  if (!by.sort.empty()) {
    const Result<size_t> column = find_column(table, by.sort);
    if (!column) return column.error();
    sort_rows(table, *column, by.is_reversed, rows);
  } else if (by.is_reversed) {
    std::reverse(rows.begin(), rows.end());
  }
  if (const size_t top = by.top.value_or(0); top > 0 && top < rows.size()) rows.resize(top);
  std::vector<size_t> all(sums);
  std::iota(all.begin(), all.end(), size_t{0});
  all.insert(all.end(), rows.begin(), rows.end());
  return all;
}

Result<Table> arranged(Table table, const Arrangement& by) {
  const Result<std::vector<size_t>> rows = arranged_rows(table, by);
  if (!rows) return rows.error();
  const Result<std::vector<size_t>> columns = chosen_columns(table, by);
  if (!columns) return columns.error();
  Table out;
  out.sums = table.sums;
  for (const size_t c : *columns) out.columns.push_back(table.columns[c]);
  for (const size_t r : *rows) {
    std::vector<std::string>& row = out.rows.emplace_back();
    for (const size_t c : *columns) row.push_back(table.rows[r][c]);
  }
  return out;
}

}  // namespace etlens
