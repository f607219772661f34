// SPDX-License-Identifier: Apache-2.0
// textDocument/publishDiagnostics: hints where time is lost because an operator is not delegated
// while its neighbours are. Off unless the user asks for it.
#include <fmt/format.h>

#include "core/base/text.h"
#include "core/render/fallback.h"
#include "core/render/format.h"
#include "server/convert.h"
#include "server/features/features.h"

namespace etlens {
namespace {

constexpr size_t kMaxGaps = 6;

// One gap in a sentence of its own; of several their sum, and then what each has of it.
std::string message_of(const Session& session, const LineFallback& fallback) {
  const Facts& facts = *session.time_facts();
  const std::optional<TimeScale> unit = session.config.show.unit;
  if (fallback.gaps.size() == 1) return fallback_sentence(facts, fallback.gaps.front(), unit);
  const auto words = [&](const Sum& sum) {
    return format_time(facts.cost(sum.total).value, {facts.quantity().ticks, unit});
  };
  std::vector<std::string> gaps;
  for (const GapOfLine& gap : fallback.gaps) {
    if (gaps.size() == kMaxGaps) {
      gaps.push_back("…");
      break;
    }
    gaps.push_back(fmt::format("{} between #{} and #{}", words(gap.sum),
                               facts.partition(gap.before).number,
                               facts.partition(gap.after).number));
  }
  return fmt::format("{} on the CPU in {} gaps between {} partitions: {}", words(fallback.sum),
                     fallback.gaps.size(), facts.partition(fallback.gaps.front().before).label,
                     join(gaps, ", "));
}

}  // namespace

std::vector<lsp::Diagnostic> diagnostics(Session& session, const lsp::DocumentUri& uri) {
  std::vector<lsp::Diagnostic> items;
  if (!session.config.show.fallback_diagnostics || session.study() == nullptr) return items;
  const Facts& facts = *session.time_facts();
  const SourceView* view = session.sources_of(facts).view(uri);
  if (view == nullptr) return items;
  for (const auto& [line, id] : view->by_line) {
    const LineFallback* fallback = facts.fallback_of(id);
    if (fallback == nullptr) continue;
    lsp::Diagnostic item;
    item.range = line_range(*view->document, line, session.client.encoding);
    item.code = "fallback";
    item.source = "etlens";
    item.message = message_of(session, *fallback);
    items.push_back(std::move(item));
  }
  return items;
}

}  // namespace etlens
