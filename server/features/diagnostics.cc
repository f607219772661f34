// SPDX-License-Identifier: Apache-2.0
// textDocument/publishDiagnostics: hints where time is lost because an operator is not delegated
// while its neighbours are (off unless the user asks for it), and warnings where values
// stop being numbers.
#include <fmt/format.h>

#include <algorithm>

#include "core/base/text.h"
#include "core/render/fallback.h"
#include "core/render/format.h"
#include "core/render/values_report.h"
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

namespace {

lsp::Diagnostic diagnostic(const Session& session, const SourceView& view, uint32_t line,
                           std::string_view code, std::string message) {
  lsp::Diagnostic item;
  item.range = line_range(*view.document, line, session.client.encoding);
  item.code = code;
  item.source = "etlens";
  item.message = std::move(message);
  return item;
}

void add_fallbacks(const Session& session, const SourceView& view,
                   std::vector<lsp::Diagnostic>& items) {
  for (const auto& [line, id] : view.by_line) {
    const LineFallback* fallback = session.time_facts()->fallback_of(id);
    if (fallback == nullptr) continue;
    items.push_back(diagnostic(session, view, line, "fallback", message_of(session, *fallback)));
  }
}

// The first NaN and the first infinity: what is behind them has them from there.
void add_odd_values(const Session& session, const SourceView& view,
                    std::vector<lsp::Diagnostic>& items) {
  for (const size_t row : session.study()->odd_values) {
    const ValueFacts& value = session.study()->values->value(row);
    const auto at = std::find_if(view.by_line.begin(), view.by_line.end(),
                                 [&](const auto& entry) { return entry.second == value.line; });
    if (at == view.by_line.end()) continue;
    items.push_back(diagnostic(session, view, at->first, "values", odd_value_sentence(value)));
    items.back().severity = lsp::DiagnosticSeverity::Warning;
  }
}

}  // namespace

std::vector<lsp::Diagnostic> diagnostics(Session& session, const lsp::DocumentUri& uri) {
  std::vector<lsp::Diagnostic> items;
  const ShowSettings& show = session.config.show;
  if (session.study() == nullptr || !(show.fallback_diagnostics || show.value_diagnostics))
    return items;
  const SourceView* view = session.sources_of(*session.time_facts()).view(uri);
  if (view == nullptr) return items;
  if (show.fallback_diagnostics) add_fallbacks(session, *view, items);
  if (show.value_diagnostics) add_odd_values(session, *view, items);
  return items;
}

}  // namespace etlens
