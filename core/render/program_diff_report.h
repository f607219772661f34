// SPDX-License-Identifier: Apache-2.0
// What `etlens diff --measure size` and `--measure memory` print.
#pragma once

#include <string>
#include <string_view>

#include "core/facts/program_diff.h"
#include "core/render/table_printer.h"
#include "core/render/tables.h"

namespace etlens {

// Two programs as they are named to the reader.
struct ProgramDiffNames {
  std::string_view measure;  // "size", "memory"
  std::string_view base;     // paths
  std::string_view fresh;
};

// A row per owner whose bytes changed, the greatest change first.
Table program_diff_table(const ProgramDiff& diff, TableStyle style);
std::string program_diff_text(const ProgramDiff& diff, const ProgramDiffNames& names,
                              TablePrinter& printer);

}  // namespace etlens
