// SPDX-License-Identifier: Apache-2.0
#include "core/render/scope_text.h"

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/render/format.h"

namespace etlens {

std::string scope_title(const Facts& facts, const ScopeFacts& scope,
                        std::optional<TimeScale> unit) {
  std::string title = share_words(facts, scope.total);
  if (!facts.quantity().is_share())
    title = fmt::format("{} · {}", format_cost(facts, scope.total, unit), title);
  if (scope.instances > 1) title += " · " + counted(scope.instances, "instance");
  if (scope.stale.amount > Amount()) {
    title += fmt::format(" · {} in {} that changed", format_cost(facts, scope.stale, unit),
                         counted(scope.stale_lines, "line"));
  }
  return title;
}

std::string attribute_text(const Facts& facts, const AttributeFacts& attribute,
                           std::optional<TimeScale> unit) {
  std::string text = "Σ " + format_cost_share(facts, attribute.total, unit);
  if (attribute.row->instances.size() > 1)
    text += fmt::format(" ×{}", attribute.row->instances.size());
  return text;
}

}  // namespace etlens
