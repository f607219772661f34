// SPDX-License-Identifier: Apache-2.0
// Finds where in the file a verified program has its data: segments, constants, payloads of
// delegates. For pte_reader.cc alone.
#pragma once

#include <span>

#include "core/base/result.h"
#include "core/formats/pte/plan_reader.h"
#include "core/formats/pte/program.h"

namespace etlens {

// Where the file has what.
struct ProgramLayout {
  uint64_t table_bytes = 0;   // of the FlatBuffer at the front, the extended header included
  uint64_t segment_base = 0;  // where segments begin
  uint64_t file_bytes = 0;
};

// Fills everything of the program but its methods. Ranges outside the file become empty ones and a
// row of the report. `table` is the FlatBuffer that `root` lies in.
void read_data(const program_schema::Program& root, std::span<const uint8_t> table,
               const ProgramLayout& layout, CopyBudget& budget, EtProgram& program);

// Fills the places of the payloads. Errors: Corrupt if one is not in the file.
Result<void> locate_payloads(const program_schema::ExecutionPlan& plan,
                             const program_schema::Program& root, std::span<const uint8_t> table,
                             const ProgramLayout& layout, ProgramMethod& method);

}  // namespace etlens
