// SPDX-License-Identifier: Apache-2.0
// Why one program is larger than another: the document of `etlens diff --measure size` and
// `--measure memory`.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/facts/program_diff.h"
#include "core/view/base_and_new.h"
#include "core/view/place_view.h"
#include "core/view/row_choice.h"

namespace etlens {

struct ComparedProgramView {
  std::string_view path;
  uint64_t bytes = 0;
};
FIELDS(ComparedProgramView, path, bytes)

struct OwnerChangeView {
  std::string_view kind;
  Nullable<std::string_view> name;
  Nullable<std::string_view> module;
  Nullable<PlaceView> line;
  Nullable<std::string_view> text;
  Spread<BaseAndNew<uint64_t>> bytes;
  int64_t change = 0;
};
FIELDS(OwnerChangeView, kind, name, module, line, text, bytes, change)

struct RepeatedDataView {
  std::string_view name;
  uint64_t bytes = 0;  // of each
  uint64_t times = 0;
  bool is_new = false;  // the base has it fewer times
};
FIELDS(RepeatedDataView, name, bytes, times, is_new)

// The changes of all owners add up to `change`.
struct ProgramDiffView {
  Literal<"etlens/program-diff@1"> schema;
  std::string_view measure;
  Spread<BaseAndNew<ComparedProgramView>> programs;
  int64_t change = 0;
  uint64_t unchanged_bytes = 0;
  std::vector<OwnerChangeView> owners;
  std::vector<RepeatedDataView> repeated;
};
FIELDS(ProgramDiffView, schema, measure, programs, change, unchanged_bytes, owners, repeated)

// All that is passed by reference must outlive the view.
ProgramDiffView program_diff_view(const ProgramDiff& diff, std::string_view measure,
                                  const BaseAndNew<std::string_view>& paths, const RowChoice& rows);

}  // namespace etlens
