// SPDX-License-Identifier: Apache-2.0
#include "core/render/scope_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/text.h"
#include "core/render/display_width.h"
#include "core/render/export_text.h"
#include "core/render/format.h"

namespace etlens {

namespace {

constexpr size_t kMaxFunctions = 3;

// Above `def forward`, "84% of forward" would be of that one: what is timed is called the run.
std::string total_words(const Facts& facts, const Cost& total, std::optional<TimeScale> unit) {
  const Quantity& quantity = facts.quantity();
  const std::string share = fmt::format("{} of {}", format_share(total.share),
                                        quantity.whole.empty() ? "the run" : quantity.whole);
  if (quantity.is_share()) return share;
  return fmt::format("{} · {}", format_cost(facts, total, unit), share);
}

}  // namespace

std::string scope_title(const Facts& facts, const ScopeFacts& scope,
                        std::optional<TimeScale> unit) {
  std::vector<std::string> parts;
  if (scope.has_total && facts.has_operators()) {
    parts.push_back(
        operators_text(operator_count(scope.total, scope.delegated), lowering_of(facts.study())));
  } else if (scope.has_total) {
    parts.push_back(total_words(facts, scope.total, unit));
  }
  if (scope.instances > 1) parts.push_back(counted(scope.instances, "instance"));
  if (scope.stale.amount > Amount()) {
    parts.push_back(fmt::format("{} in {} that changed", format_cost(facts, scope.stale, unit),
                                counted(scope.stale_lines, "line")));
  }
  return join(parts, " · ");
}

std::string gone_title(const Facts& facts, const GoneFacts& gone, std::optional<TimeScale> unit) {
  if (gone.functions.empty()) return "";
  std::vector<std::string> names;
  for (size_t f = 0; f < std::min(gone.functions.size(), kMaxFunctions); ++f) {
    const std::string owner = printable(gone.owners[f]);
    names.push_back(printable(gone.functions[f]) + (owner.empty() ? "" : " of " + owner));
  }
  if (gone.functions.size() > kMaxFunctions)
    names.push_back(fmt::format("{} more", gone.functions.size() - kMaxFunctions));
  return fmt::format("not in this file any more: {}, of {}", total_words(facts, gone.total, unit),
                     join(names, ", "));
}

std::string attribute_text(const Facts& facts, const AttributeFacts& attribute,
                           std::optional<TimeScale> unit) {
  std::string text = "Σ ";
  text += facts.has_operators()
              ? operators_text(operator_count(attribute.total, attribute.row->delegated),
                               lowering_of(facts.study()))
              : format_cost_share(facts, attribute.total, unit);
  if (attribute.row->instances.size() > 1)
    text += fmt::format(" ×{}", attribute.row->instances.size());
  return text;
}

}  // namespace etlens
