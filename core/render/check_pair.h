// SPDX-License-Identifier: Apache-2.0
// What `check` finds out: whether the artifacts belong together, and all that is odd about them,
// their executions and the sources of today.
#pragma once

#include <memory>
#include <optional>

#include "core/base/cancellation.h"
#include "core/base/time_scale.h"
#include "core/view/check_view.h"
#include "core/workspace/load.h"

namespace etlens {

// Owns what the result refers to.
struct CheckedPair {
  std::unique_ptr<const Facts> facts;  // null where the pair gave none
  CheckResult result;
};

// `unit`: of times in sentences; nullopt: chosen for each value. Errors: artifacts that cannot be
// read, and executions that do not exist. A pair that does not belong together is a result.
Result<CheckedPair> check_pair(const FileSystem& files, const LoadRequest& request,
                               std::optional<TimeScale> unit, const CancelToken& cancel = {});

}  // namespace etlens
