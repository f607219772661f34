// SPDX-License-Identifier: Apache-2.0
// The sides of a comparison as options name them: `diff` and `report`.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options.h"
#include "core/compare/side.h"
#include "core/compare/side_files.h"

namespace etlens::cli {

struct SideOptions {
  // Dumps, folders, globs; records and programs are known by content.
  std::vector<std::string> paths;
  std::vector<std::string> etdumps;
  std::string etrecord;
  std::string pte;
  std::string method;
  std::vector<std::string> roots;
  std::string revision;  // of git: the sources'
  std::string source_scale;
};

// A side's paths are those of its file system: a revision's, or the disk's.
struct ResolvedSide {
  SidePlace place;
  SideRequest request;
  Inputs inputs;

  const FileSystem& files() const { return place.files ? *place.files : real_file_system(); }
};

// `common`: what is said for both sides. `name`: "base" or "new", for sentences.
Result<ResolvedSide> resolve_side(const CommonOptions& common, const SideOptions& options,
                                  std::string_view name);

struct BothSides {
  std::shared_ptr<const Side> base;
  std::shared_ptr<const Side> fresh;
};

// Reads the dumps of both; says how far it is where stderr is a terminal. A side of which only
// dumps were found may be of the other's export. Where the lines inside helpers are found again of
// one alone, both have those of the record.
Result<BothSides> load_both_sides(const ResolvedSide& base, const ResolvedSide& fresh);

}  // namespace etlens::cli
