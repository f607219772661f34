// SPDX-License-Identifier: Apache-2.0
// Why operators run on the CPU, as a table of a report.
#pragma once

#include "core/facts/facts.h"
#include "core/render/tables.h"

namespace etlens {

// One row per operator and reason, those that take the most time first. No rows where nothing tells why.
Table reasons_table(const Facts& facts, const TableOptions& options);

}  // namespace etlens
