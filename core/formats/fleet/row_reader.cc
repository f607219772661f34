// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>

#include "core/base/text.h"
#include "core/base/time_scale.h"
#include "core/formats/fleet/dump_rows.h"
#include "core/formats/fleet/json_line.h"

namespace etlens {
namespace {

constexpr std::array<std::string_view, kPlaceKinds> kKindNames{"total", "line", "module",
                                                               "operator"};

bool read_count(const JsonField& field, uint32_t& out) {
  const std::optional<int64_t> number = field.integer();
  if (!number || *number < 0 || *number > std::numeric_limits<uint32_t>::max()) return false;
  out = static_cast<uint32_t>(*number);
  return true;
}

bool read_ticks(const JsonField& field, int64_t& out) {
  const std::optional<int64_t> number = field.integer();
  if (number) out = *number;
  return number.has_value();
}

bool read_text(const JsonField& field, std::string& out) {
  if (!field.is_text) return false;
  out = field.text;
  return true;
}

struct ExtraFacts {
  std::vector<std::string> names;
  std::vector<std::string> values;
};

bool read_head_field(const JsonField& field, DumpHead& head, ExtraFacts& extra) {
  const std::string_view name = field.name;
  if (name == "dump") return read_text(field, head.id);
  if (name == "name") return read_text(field, head.name);
  if (name == "program") return read_text(field, head.program);
  if (name == "block") return read_text(field, head.block);
  if (name == "statistic") return read_text(field, head.statistic);
  if (name == "tick") return read_text(field, head.tick) && parse_time_scale(head.tick);
  if (name == "executions") return read_count(field, head.executions);
  if (name == "fact_names") extra.names = field.list;
  if (name == "fact_values") extra.values = field.list;
  if (std::find(kCommonFacts.begin(), kCommonFacts.end(), name) != kCommonFacts.end() &&
      !field.text.empty())
    head.facts[std::string(name)] = field.text;
  return true;
}

bool read_row_field(const JsonField& field, DumpRow& row) {
  const std::string_view name = field.name;
  if (name == "execution") return read_count(field, row.execution);
  if (name == "self_ticks") return read_ticks(field, row.self_ticks);
  if (name == "inclusive_ticks") return read_ticks(field, row.inclusive_ticks);
  if (name == "hottest") row.is_hottest = field.integer().value_or(0) != 0;
  return true;
}

}  // namespace

bool read_place_field(const JsonField& field, RowPlace& place) {
  const std::string_view name = field.name;
  if (name == "kind") {
    const std::optional<PlaceKind> kind = parse_place_kind(field.text);
    if (kind) place.kind = *kind;
    return kind.has_value();
  }
  if (name == "place") return read_text(field, place.key);
  if (name == "file") return read_text(field, place.file);
  if (name == "line") return read_count(field, place.line);
  if (name == "function") return read_text(field, place.function);
  if (name == "text") return read_text(field, place.text);
  return true;
}

std::string_view name_of(PlaceKind kind) { return kKindNames[static_cast<size_t>(kind)]; }

std::optional<PlaceKind> parse_place_kind(std::string_view name) {
  const auto at = std::find(kKindNames.begin(), kKindNames.end(), name);
  if (at == kKindNames.end()) return std::nullopt;
  return static_cast<PlaceKind>(at - kKindNames.begin());
}

Result<ReadRow> read_dump_row(std::string_view line) {
  ReadRow read;
  ExtraFacts extra;
  std::string bad;
  bool has_kind = false;
  const bool is_sound = for_each_field(line, [&](const JsonField& field) {
    has_kind = has_kind || field.name == "kind";
    const bool fits = read_head_field(field, read.head, extra) &&
                      read_place_field(field, read.row.place) && read_row_field(field, read.row);
    if (!fits) bad = field.name;
  });
  if (!is_sound) return Error{ErrorCode::Corrupt, "is not a JSON object on a line of its own"};
  if (!bad.empty())
    return Error{ErrorCode::Corrupt, "has a field " + bad + " with an unusable value"};
  if (read.head.id.empty() || read.head.executions == 0 || !has_kind)
    return Error{ErrorCode::Corrupt, "has no dump, no kind or no executions"};
  for (size_t i = 0; i < std::min(extra.names.size(), extra.values.size()); ++i)
    read.head.facts[extra.names[i]] = extra.values[i];
  return read;
}

std::string schema_of_row(std::string_view line) {
  std::string schema;
  const bool is_sound = for_each_field(line, [&](const JsonField& field) {
    if (field.name == "schema") schema = field.text;
  });
  return is_sound ? schema : "";
}

}  // namespace etlens
