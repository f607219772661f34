// SPDX-License-Identifier: Apache-2.0
#include "core/render/table.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/render/colors.h"
#include "core/render/display_width.h"

namespace etlens {
namespace {

std::string quoted_if(std::string_view cell, std::string_view needs_quotes) {
  std::string text = valid_utf8(cell);
  if (text.find_first_of(needs_quotes) == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted += '"';
}

std::string separated(const Table& table, char separator) {
  const std::string special = std::string("\"\r\n") + separator;
  std::string out;
  for (size_t c = 0; c < table.columns.size(); ++c) {
    if (c > 0) out += separator;
    out += quoted_if(table.columns[c].name, special);
  }
  out += '\n';
  for (const std::vector<std::string>& row : table.rows) {
    for (size_t c = 0; c < row.size(); ++c) {
      if (c > 0) out += separator;
      out += quoted_if(row[c], special);
    }
    out += '\n';
  }
  return out;
}

}  // namespace

std::string to_text(const Table& table, CellColor color) {
  std::vector<std::vector<std::string>> cells;
  cells.emplace_back();
  for (const Column& column : table.columns) cells.back().push_back(column.name);
  for (const std::vector<std::string>& row : table.rows) {
    cells.emplace_back();
    for (const std::string& cell : row) cells.back().push_back(printable(cell));
  }
  std::vector<size_t> widths(table.columns.size(), 0);
  for (const std::vector<std::string>& row : cells) {
    for (size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], display_width(row[c]));
  }
  std::string out;
  for (size_t r = 0; r < cells.size(); ++r) {
    std::string line;
    size_t blanks = 0;  // that nothing has followed yet
    for (size_t c = 0; c < cells[r].size(); ++c) {
      const std::string& cell = cells[r][c];
      const bool is_right = table.columns[c].align == Align::Right;
      const size_t missing = widths[c] - display_width(cell);
      if (is_right) blanks += missing;
      if (!cell.empty()) {
        const std::string_view shade = color == nullptr ? std::string_view()
                                       : r == 0         ? kBold
                                                        : color(table.columns[c], cell);
        line += std::string(blanks, ' ') + painted(shade, cell);
        blanks = 0;
      }
      blanks += (is_right ? 0 : missing) + kColumnGap;
    }
    out += line + '\n';
  }
  return out;
}

std::string to_csv(const Table& table) { return separated(table, ','); }

std::string to_tsv(const Table& table) { return separated(table, '\t'); }

std::string to_markdown(const Table& table) {
  std::string out = "|";
  for (const Column& column : table.columns) ((out += ' ') += escape_markdown(column.name)) += " |";
  out += "\n|";
  for (const Column& column : table.columns)
    out += column.align == Align::Right ? " ---: |" : " --- |";
  out += '\n';
  for (const std::vector<std::string>& row : table.rows) {
    out += "|";
    for (const std::string& cell : row) ((out += ' ') += escape_markdown(cell)) += " |";
    out += '\n';
  }
  return out;
}

namespace {

constexpr std::string_view kMarkdownSigns = "\\`*{}[]<>#|~&$@:";

bool is_letter_or_digit(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// Whether the sign at `at` stands between two letters or digits. CommonMark never reads an underscore
// there as emphasis, and clients that show Markdown as it is written show no backslash.
bool is_in_word(std::string_view text, size_t at) {
  return at > 0 && at + 1 < text.size() && is_letter_or_digit(text[at - 1]) &&
         is_letter_or_digit(text[at + 1]);
}

bool is_www(std::string_view last) {
  return std::all_of(last.begin(), last.end(), [](char c) { return c == 'w' || c == 'W'; });
}

}  // namespace

std::string escape_markdown(std::string_view text) {
  const std::string shown = printable(text);
  std::string escaped;
  for (size_t i = 0; i < shown.size(); ++i) {
    const char c = shown[i];
    const bool is_special =
        c == '_' ? !is_in_word(shown, i) : kMarkdownSigns.find(c) != std::string_view::npos;
    // Viewers make a link of what begins with www.
    const bool ends_www = c == '.' && escaped.size() >= 3 &&
                          is_www(std::string_view(escaped).substr(escaped.size() - 3));
    if (is_special || ends_www) escaped += '\\';
    escaped += c;
  }
  return escaped;
}

}  // namespace etlens
