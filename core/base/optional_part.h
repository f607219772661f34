// SPDX-License-Identifier: Apache-2.0
// Parts that a result can do without: what one costs beyond its share is a row of the report, and
// the rest is shown.
#pragma once

#include <optional>
#include <type_traits>
#include <utility>

#include "core/base/budget.h"
#include "core/base/load_report.h"

namespace etlens {

// What `work` gives; nullopt where it took more than half of the time that is left, or more memory
// than there is: then `report`, which may be null, has a row of `oddity` that says so. Cancelled
// work has no row.
template <typename Work>
auto optional_part(LoadReport* report, Oddity oddity, const CancelToken& cancel, Work&& work)
    -> std::optional<std::decay_t<decltype(work())>> {
  using Made = std::decay_t<decltype(work())>;
  Result<Made> part = within_budget(
      cancel, [&]() -> Result<Made> { return work(); }, BudgetShare::Half);
  if (part) return *std::move(part);
  if (report != nullptr && part.error().code != ErrorCode::Cancelled)
    report->add(oddity, part.error().message);
  return std::nullopt;
}

}  // namespace etlens
