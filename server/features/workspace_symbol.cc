// SPDX-License-Identifier: Apache-2.0
// workspace/symbol: operators, kernel events, delegate events and modules; the way from an event to
// its source in every editor.
#include <fmt/format.h>

#include "core/render/format.h"
#include "server/features/features.h"

namespace etlens {
namespace {

constexpr size_t kMaxSymbols = 200;

lsp::SymbolKind kind_of(SymbolKind kind) {
  switch (kind) {
    case SymbolKind::Operator:
      return lsp::SymbolKind::Operator;
    case SymbolKind::Module:
      return lsp::SymbolKind::Module;
    default:
      return lsp::SymbolKind::Event;
  }
}

}  // namespace

std::vector<lsp::WorkspaceSymbol> workspace_symbols(Session& session,
                                                    const lsp::WorkspaceSymbolParams& params) {
  std::vector<lsp::WorkspaceSymbol> items;
  if (session.study() == nullptr) return items;
  const Facts& facts = *session.time_facts();
  for (const Symbol* symbol : find_symbols(facts.symbols(), params.query, kMaxSymbols)) {
    std::optional<lsp::Location> location = location_of(session, facts, symbol->line);
    if (!location) continue;
    const Cost cost = facts.cost(symbol->total);
    std::string container = fmt::format("{} {}", describe(symbol->kind),
                                        format_cost_share(facts, cost, session.config.show.unit));
    if (symbol->in_partition) container += ", one line of its delegate call";
    items.push_back(
        {symbol->name, kind_of(symbol->kind), std::move(container), std::move(*location)});
  }
  return items;
}

}  // namespace etlens
