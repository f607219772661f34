// SPDX-License-Identifier: Apache-2.0
// From the study of one dump to its rows.
#pragma once

#include "core/formats/fleet/dump_rows.h"
#include "core/workspace/study.h"

namespace etlens {

// `head`: id, name and facts; the rest is filled in. The total first, then lines, modules and
// operators that something lands on. `each_execution`: beside the statistic, every execution used.
DumpRows rows_of(const Study& study, DumpHead head, bool each_execution);

}  // namespace etlens
