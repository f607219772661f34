// SPDX-License-Identifier: Apache-2.0
// Table: rows of text, and the forms in which a command prints them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace etlens {

enum class Align { Left, Right };

struct Column {
  std::string name;
  Align align = Align::Left;
  std::string key = {};   // what one types for a name that is a sign or has a unit; "": the name
  bool is_prose = false;  // code or sentences: shortened at the end, not in the middle
  bool is_extra = false;  // shown where somebody asks for it
  bool is_place = false;  // names the row: shortened last

  const std::string& typed() const { return key.empty() ? name : key; }
};

inline const Column kLineColumn{.name = "line", .is_place = true};

struct Table {
  std::vector<Column> columns;
  std::vector<std::vector<std::string>> rows;  // each as long as columns
  size_t sums = 0;                             // so many first rows are sums, and stay first
};

inline constexpr size_t kColumnGap = 2;  // blanks between columns of to_text

// The colour (`ESC [ … m`) of a cell; "" for none.
using CellColor = std::string_view (*)(const Column& column, std::string_view cell);

// Aligned columns for a terminal; a cell's control characters are shown as blanks. With `color`
// the header is bold, and cells have their colours.
std::string to_text(const Table& table, CellColor color = nullptr);
// With the header; quoted by RFC 4180 where needed.
std::string to_csv(const Table& table);
// Quoted like CSV, so that cells with tabs survive.
std::string to_tsv(const Table& table);
// A GitHub table; cells are escaped.
std::string to_markdown(const Table& table);

// `text` so that Markdown shows it letter by letter, in one line.
std::string escape_markdown(std::string_view text);

}  // namespace etlens
