// SPDX-License-Identifier: Apache-2.0
// From the study of one dump to its rows.
#pragma once

#include <string>

#include "core/formats/fleet/dump_rows.h"
#include "core/workspace/study.h"

namespace etlens {

// `head`: id, name and facts; the rest is filled in. The total first, then lines, modules and
// operators that something lands on. `each_execution`: beside the statistic, every execution used.
DumpRows rows_of(const Study& study, DumpHead head, bool each_execution);

// Two exports of a changed source are one program, two models are not. Without a record the
// instructions that ran are all that can be told.
std::string program_name(const Study& study);
// A line as rows name it.
RowPlace place_of_line(const Code& code, LineId line);

}  // namespace etlens
