// SPDX-License-Identifier: Apache-2.0
// Table: rows of text, and the forms in which a command prints them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace etlens {

enum class Align { Left, Right };

struct Column {
  std::string name;
  Align align = Align::Left;
};

struct Table {
  std::vector<Column> columns;
  std::vector<std::vector<std::string>> rows;  // each as long as columns
};

// Aligned columns for a terminal; a cell's control characters are shown as blanks.
std::string to_text(const Table& table);
// With the header; quoted by RFC 4180 where needed.
std::string to_csv(const Table& table);
// Quoted like CSV, so that cells with tabs survive.
std::string to_tsv(const Table& table);
// A GitHub table; cells are escaped.
std::string to_markdown(const Table& table);

// `text` so that Markdown shows it letter by letter, in one line.
std::string escape_markdown(std::string_view text);

}  // namespace etlens
