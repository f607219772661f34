// SPDX-License-Identifier: Apache-2.0
// Rows of dumps: what one dump says of each of its places, a row each, in which many dumps become
// one table. NDJSON or TSV for databases, and NDJSON back (docs/fleet.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/formats/fleet/dump_facts.h"

namespace etlens {

inline constexpr std::string_view kDumpRowsSchema = "etlens/dump-rows@1";

enum class PlaceKind : uint8_t { Total, Line, Module, Operator };
inline constexpr size_t kPlaceKinds = 4;
std::string_view name_of(PlaceKind kind);  // "total", "line", "module", "operator"
std::optional<PlaceKind> parse_place_kind(std::string_view name);

// What a row is about: the same in every dump of the program, and in those of another export of it
// that still has it.
struct RowPlace {
  PlaceKind kind = PlaceKind::Total;
  std::string key;   // tells it from the others of its kind
  std::string file;  // of a line, as recorded; "" for the others, as all below
  uint32_t line = 0;
  std::string function;
  std::string text;
};

// What a dump's rows have in common.
struct DumpHead {
  std::string id;    // of its content: git's id of a blob that is the same
  std::string name;  // its path, as it was given
  DumpFacts facts;
  std::string program;  // the method and the type of its outermost module
  std::string block;
  std::string statistic = "typical";
  uint32_t executions = 0;  // that are used
  std::string tick = "ns";
};

struct DumpRow {
  RowPlace place;
  uint32_t execution = 0;       // 1-based; 0: the statistic of all that are used
  int64_t self_ticks = 0;       // over the executions of the row. Of the total: what is typical
  int64_t inclusive_ticks = 0;  // likewise. Of the total: what was measured
  bool is_hottest = false;      // the line with the most of its own

  // Executions that its ticks are the sum of.
  uint32_t samples(const DumpHead& head) const { return execution == 0 ? head.executions : 1; }
};

struct DumpRows {
  DumpHead head;
  std::vector<DumpRow> rows;
};

enum class RowForm : uint8_t { Ndjson, Tsv };

// One line for each row, each with its line feed.
std::string dump_rows_text(const DumpRows& rows, RowForm form);
// The names of the columns, as the first line of TSV; "" for NDJSON.
std::string dump_rows_header(RowForm form);

// A line of NDJSON that someone gave back. Fields that nobody knows are passed over; integers may
// be in quotes.
struct ReadRow {
  DumpHead head;
  DumpRow row;
};
Result<ReadRow> read_dump_row(std::string_view line);
// The field `schema` of a line of NDJSON; "" if it has none.
std::string schema_of_row(std::string_view line);

}  // namespace etlens
