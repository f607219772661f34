// SPDX-License-Identifier: Apache-2.0
// The record that a command reads without a dump: `delegation` and `gate`.
#pragma once

#include <optional>
#include <string>

#include "cli/options.h"
#include "core/workspace/load.h"

namespace etlens::cli {

// The record and the program that the options name or that are found. Notes about choices made go
// to stderr. NotFound if there is no record.
Result<LoadRequest> find_record(const CommonOptions& options);

}  // namespace etlens::cli
