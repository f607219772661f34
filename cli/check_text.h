// SPDX-License-Identifier: Apache-2.0
// What `etlens check` prints.
#pragma once

#include <optional>
#include <string>

#include "core/render/check_pair.h"

namespace etlens::cli {

// `unit`: of times; nullopt: chosen for each value. `is_verbose`: also why lines inside helpers are not found again.
std::string check_text(const CheckResult& check, std::optional<TimeScale> unit, bool is_verbose);

}  // namespace etlens::cli
