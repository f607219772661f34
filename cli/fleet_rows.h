// SPDX-License-Identifier: Apache-2.0
// Rows, or an engine's answer, read back: `etlens fleet --from`.
#pragma once

#include <string>

#include "core/fleet/fleet.h"

namespace etlens::cli {

// `from`: a file of NDJSON; "-" is stdin. The first line tells which of the two it is. Lines that
// are none of it are Fleet::lines_left_out; an error if there is no other.
Result<void> add_rows_of(const std::string& from, FleetBuilder& builder);

}  // namespace etlens::cli
