// SPDX-License-Identifier: Apache-2.0
// Symbols: operators, kernel events, delegate events and modules by name; the way from an event to
// its source line.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/measure/measure.h"
#include "core/workspace/study.h"

namespace etlens {

enum class SymbolKind : uint8_t { Operator, Kernel, DelegateEvent, Module };
// "operator", "kernel event", …
std::string_view describe(SymbolKind kind);

// Something with a name and a cost that stands on a line.
struct Symbol {
  SymbolKind kind = SymbolKind::Operator;
  std::string name;
  LineId line;                // the line, or one of several (in_partition)
  ModuleId module;            // of Module
  Total total;                // self; of a module, inclusive
  bool in_partition = false;  // known only for the whole delegate call
};

// The most costly first. `line_of_module`: where a module's time is spent; invalid if nowhere.
std::vector<Symbol> collect_symbols(const Join& join, const Measure& measure,
                                    const std::vector<LineId>& line_of_module);

// Symbols whose name holds the query's characters in order, case aside. Whole names first, then
// beginnings, then parts, then scattered characters; among equals the most costly first.
std::vector<const Symbol*> find_symbols(const std::vector<Symbol>& symbols, std::string_view query,
                                        size_t limit);

// The same question about one name; true for the empty query.
bool name_matches(std::string_view name, std::string_view query);
// Without scattered characters.
bool name_contains(std::string_view name, std::string_view query);

}  // namespace etlens
