// SPDX-License-Identifier: Apache-2.0
// What is known of a dump beside its content: the device that it is of, the build, the date. Names
// and values are whoever's who wrote them; a few names have columns of their own in rows.
#pragma once

#include <array>
#include <map>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace etlens {

inline constexpr std::array<std::string_view, 6> kCommonFacts{"device",      "soc",         "build",
                                                              "app_version", "temperature", "date"};

using DumpFacts = std::map<std::string, std::string, std::less<>>;

// "" for a fact that is not known.
std::string_view fact_of(const DumpFacts& facts, std::string_view name);

inline constexpr size_t kMaxFactsBytes = 64 * 1024;  // of a sidecar

// A JSON object of texts, numbers and truth values; null and nested values are passed over.
Result<DumpFacts> read_facts_json(std::string_view json);

// Facts of many dumps: CSV (RFC 4180) with a header and a column `dump`, the dump's path or the end
// of it.
using FactsTable = std::map<std::string, DumpFacts, std::less<>>;  // by the column `dump`
Result<FactsTable> read_facts_csv(std::string_view csv);

}  // namespace etlens
