// SPDX-License-Identifier: Apache-2.0
// Windows does not fork: the pieces are done one after the other, in this process. What a dump may
// take of memory and time is limited all the same (core/base/budget.h).
#include "core/fleet/processes.h"

#include <windows.h>

namespace etlens {

Result<void> work_in_processes(
    size_t count, size_t, const std::function<std::string(size_t)>& work,
    const std::function<bool(size_t, std::optional<std::string>)>& take) {
  for (size_t i = 0; i < count; ++i) {
    if (!take(i, work(i))) return {};
  }
  return {};
}

size_t processor_count() {
  const DWORD count = ::GetActiveProcessorCount(ALL_PROCESSOR_GROUPS);
  return count > 0 ? count : 1;
}

}  // namespace etlens
