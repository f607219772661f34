// SPDX-License-Identifier: Apache-2.0
// Where the facts of a dump come from: patterns of its path, a file NAME.json beside it, a table.
// What is said later in this list counts more.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/file_system.h"
#include "core/formats/fleet/dump_facts.h"

namespace etlens {

struct FactSources {
  std::vector<std::string> patterns;  // "devices/{device}/{build}/*.etdp", of the end of a path
  FactsTable table;
};

// `text`: what a person gives: a pattern, or the path of a table (.csv; absolute). Adds it.
Result<void> add_fact_source(const FileSystem& files, const std::string& text,
                             FactSources& sources);

// {name} takes as many letters as it must and no slash, * the same without a name. nullopt if the
// end of the path does not match.
std::optional<DumpFacts> match_path(std::string_view pattern, std::string_view path);

// `path`: absolute. A sidecar that cannot be read says nothing.
DumpFacts facts_of_dump(const FileSystem& files, const FactSources& sources,
                        const std::string& path);

}  // namespace etlens
