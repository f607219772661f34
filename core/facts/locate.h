// SPDX-License-Identifier: Apache-2.0
// Finds operators, kernel events, delegate events and modules by name: the way from an event to its
// source line.
#pragma once

#include <string_view>
#include <vector>

#include "core/facts/prepared.h"

namespace etlens {

// Symbols whose name holds the query's characters in order, case aside. Whole names first, then
// beginnings, then parts, then scattered characters; among equals the most costly first.
std::vector<const ProfileSymbol*> find_symbols(const PreparedProfile& prepared,
                                               std::string_view query, size_t limit);

// The same question about one name; true for the empty query.
bool name_matches(std::string_view name, std::string_view query);

// "operator", "kernel event", …
std::string_view describe(SymbolKind kind);

}  // namespace etlens
