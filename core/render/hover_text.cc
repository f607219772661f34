// SPDX-License-Identifier: Apache-2.0
// Hovers as Markdown and as plain text.
#include <fmt/format.h>

#include <algorithm>

#include "core/render/hover.h"

namespace etlens {
namespace {

// A name as code, which needs no escapes; where that cannot be, letter by letter.
std::string markdown_name(std::string_view text) {
  const bool is_plain = std::all_of(text.begin(), text.end(), [](char c) {
    return static_cast<unsigned char>(c) >= 0x20 && c != '`' && c != '|' && c != '\\' && c != 0x7F;
  });
  if (text.empty()) return "";
  return is_plain ? fmt::format("`{}`", text) : escape_markdown(text);
}

std::string markdown_link(std::string text, std::string_view address) {
  return address.empty() ? std::move(text) : fmt::format("[{}]({})", text, address);
}

void append_markdown(std::string& out, const HoverText& text) {
  for (const HoverSpan& span : text) {
    switch (span.kind) {
      case SpanKind::Words:
        out += markdown_link(span.text, span.address);
        break;
      case SpanKind::Name:
        out += markdown_link(markdown_name(span.text), span.address);
        break;
      case SpanKind::Sentence:
        out += escape_markdown(span.text);
        break;
    }
  }
}

void append_plain(std::string& out, const HoverText& text) {
  for (const HoverSpan& span : text) out += span.text;
}

// A row of facts, behind what stands in front of them in the line.
void append_row(std::string& out, const std::vector<HoverText>& facts,
                void (*append)(std::string&, const HoverText&)) {
  for (size_t i = 0; i < facts.size(); ++i) {
    if (i > 0) out += " · ";
    else if (!out.empty() && !out.ends_with('\n')) out += ' ';
    append(out, facts[i]);
  }
}

// A number stays with its unit: "287 µs" is one word to clients that wrap cells.
std::string unbroken(std::string text) {
  for (size_t at = text.find(' '); at != std::string::npos; at = text.find(' ', at))
    text.replace(at, 1, "\xC2\xA0");
  return text;
}

// A wrapped row of facts breaks between them.
std::vector<HoverText> unbroken(std::vector<HoverText> facts) {
  for (HoverText& fact : facts) {
    for (HoverSpan& span : fact) span.text = unbroken(std::move(span.text));
  }
  return facts;
}

void begin_paragraph(std::string& text) {
  if (!text.empty()) text += text.ends_with('\n') ? "\n" : "\n\n";
}

void append_head(std::string& out, const Table& table) {
  out += '|';
  for (const Column& column : table.columns) ((out += ' ') += column.name) += " |";
  out += "\n|";
  for (const Column& column : table.columns)
    out += column.align == Align::Right ? " ---: |" : " --- |";
}

void append_operators(std::string& out, const HoverInfo& hover) {
  const Table& table = hover.operators;
  append_head(out, table);
  for (size_t r = 0; r < table.rows.size(); ++r) {
    const std::vector<std::string>& row = table.rows[r];
    out += "\n|";
    for (size_t c = 0; c < row.size(); ++c) {
      const bool is_number = table.columns[c].align == Align::Right;
      const bool is_link = c == hover.linked_column && r < hover.row_addresses.size();
      std::string cell = c < hover.name_columns ? markdown_name(row[c]) : escape_markdown(row[c]);
      if (is_number) cell = unbroken(std::move(cell));
      (out += ' ') += markdown_link(std::move(cell), is_link ? hover.row_addresses[r] : "");
      out += " |";
    }
  }
  out += '\n';
}

void append_groups(std::string& out, const HoverInfo& hover) {
  append_head(out, hover.groups);
  for (const std::vector<std::string>& row : hover.groups.rows) {
    out += "\n|";
    for (const std::string& cell : row) ((out += ' ') += unbroken(escape_markdown(cell))) += " |";
  }
  out += '\n';
}

}  // namespace

std::string to_markdown(const HoverInfo& hover) {
  std::string out;
  if (!hover.time.empty()) ((out += "**") += hover.time) += "**";
  append_row(out, hover.facts, append_markdown);
  if (!hover.groups.rows.empty()) {
    begin_paragraph(out);
    append_groups(out, hover);
    if (hover.more_groups > 0) out += fmt::format("\n… and {} more\n", hover.more_groups);
  }
  if (!hover.operators.rows.empty()) {
    begin_paragraph(out);
    append_operators(out, hover);
    if (hover.more_operators > 0) out += fmt::format("\n… {} more\n", hover.more_operators);
  }
  for (const HoverText& advice : hover.advice) append_markdown_note(out, advice);
  if (!hover.spread.empty()) {
    begin_paragraph(out);
    append_row(out, unbroken(hover.spread), append_markdown);
  }
  if (!hover.picture.empty())
    append_markdown_note(
        out, {{fmt::format("![{0}]({1} \"{0}\")", hover.picture_words, hover.picture)}});
  for (const HoverText& note : hover.notes) append_markdown_note(out, note);
  return out;
}

// A paragraph each: every client breaks lines there.
void append_markdown_note(std::string& text, const HoverText& note) {
  begin_paragraph(text);
  append_markdown(text, note);
}

std::string to_plain_text(const HoverInfo& hover) {
  std::string out = hover.time;
  append_row(out, hover.facts, append_plain);
  if (!out.empty()) out += '\n';
  for (const HoverText& advice : hover.advice) {
    append_plain(out, advice);
    out += '\n';
  }
  if (!hover.spread.empty()) {
    append_row(out, hover.spread, append_plain);
    out += '\n';
  }
  if (!hover.groups.rows.empty()) {
    (out += '\n') += to_text(hover.groups);
    if (hover.more_groups > 0) out += fmt::format("… and {} more\n", hover.more_groups);
  }
  if (!hover.operators.rows.empty()) {
    (out += '\n') += to_text(hover.operators);
    if (hover.more_operators > 0) out += fmt::format("… {} more\n", hover.more_operators);
  }
  if (!hover.notes.empty()) out += '\n';
  for (const HoverText& note : hover.notes) {
    append_plain(out, note);
    out += '\n';
  }
  return out;
}

void append_plain_note(std::string& text, const HoverText& note) {
  if (!text.empty()) text += '\n';
  append_plain(text, note);
  text += '\n';
}

}  // namespace etlens
