// SPDX-License-Identifier: Apache-2.0
#include "core/formats/fleet/dump_facts.h"

#include <algorithm>
#include <vector>

#include "core/base/budget.h"
#include "core/formats/fleet/json_line.h"

namespace etlens {
namespace {

constexpr std::string_view kDumpColumn = "dump";

using CsvRow = std::vector<std::string>;

// Takes a row from the front of the text; quotes hold commas, line feeds and doubled quotes.
CsvRow take_csv_row(std::string_view& text) {
  CsvRow row(1);
  bool is_quoted = false;
  size_t at = 0;
  for (; at < text.size(); ++at) {
    go_on();
    const char c = text[at];
    if (c == '"' && is_quoted && text.substr(at + 1).starts_with('"')) {
      row.back() += c;
      ++at;
    } else if (c == '"') {
      is_quoted = !is_quoted;
    } else if (c == ',' && !is_quoted) {
      row.emplace_back();
    } else if (c == '\n' && !is_quoted) {
      ++at;
      break;
    } else if (c != '\r' || is_quoted) {
      row.back() += c;
    }
  }
  text.remove_prefix(at);
  return row;
}

}  // namespace

std::string_view fact_of(const DumpFacts& facts, std::string_view name) {
  const auto at = facts.find(name);
  return at == facts.end() ? std::string_view() : at->second;
}

Result<DumpFacts> read_facts_json(std::string_view json) {
  DumpFacts facts;
  const bool is_sound = for_each_field(json, [&](const JsonField& field) {
    if (!field.text.empty() && (field.is_text || field.text != "null"))
      facts[field.name] = field.text;
  });
  if (is_sound) return facts;
  return Error{ErrorCode::Corrupt,
               "is not a JSON object of facts; write one like {\"device\": \"pixel-9\"}"};
}

Result<FactsTable> read_facts_csv(std::string_view csv) {
  const CsvRow header = take_csv_row(csv);
  const auto key = std::find(header.begin(), header.end(), kDumpColumn);
  if (key == header.end())
    return Error{ErrorCode::Corrupt, "has no column dump; its first line names the columns"};
  const auto key_column = static_cast<size_t>(key - header.begin());
  FactsTable table;
  while (!csv.empty()) {
    CsvRow row = take_csv_row(csv);
    if (row.size() <= key_column || row[key_column].empty()) continue;
    DumpFacts& facts = table[row[key_column]];
    for (size_t c = 0; c < std::min(row.size(), header.size()); ++c) {
      if (c != key_column && !row[c].empty()) facts[header[c]] = std::move(row[c]);
    }
  }
  return table;
}

}  // namespace etlens
