// SPDX-License-Identifier: Apache-2.0
// The words for an export that has not run.
#pragma once

#include <string>

#include "core/facts/export_facts.h"

namespace etlens {

// "2 of 14 operators on the CPU", "all 14 operators delegated"; before lowering "14 operators".
std::string operators_text(const OperatorCount& count, Lowering lowering);

// "131 of 161 operators delegated · 14 delegate calls · peak 205 kB".
std::string export_text(const ExportSummary& summary);

}  // namespace etlens
