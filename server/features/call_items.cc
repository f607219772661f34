// SPDX-License-Identifier: Apache-2.0
#include "server/features/call_items.h"

#include <fmt/format.h>

#include "core/render/format.h"

namespace etlens {
namespace {

constexpr const char* kContribution = "contribution";
constexpr const char* kGeneration = "generation";

std::string detail_of(const Session& session, const Cost& cost, const std::string& remark) {
  const std::string words = format_cost_share(*session.facts(), cost, session.config.show.unit);
  return remark.empty() ? words : fmt::format("{} · {}", words, remark);
}

// nullopt for what has no place in any source.
std::optional<lsp::CallHierarchyItem> item_of(Session& session, ContributionId id,
                                              const Cost& cost) {
  const ContributionFacts facts = session.facts()->contribution(id);
  const std::optional<lsp::Location> place = location_of(session, *session.facts(), facts.line);
  if (!place) return std::nullopt;
  lsp::CallHierarchyItem item;
  item.name = facts.name;
  item.kind = lsp::SymbolKind::Function;
  item.detail = detail_of(session, cost, facts.remark);
  item.uri = place->uri;
  item.range = item.selectionRange = place->range;
  item.data = lsp::Json{{kContribution, id.value}, {kGeneration, session.generation()}};
  return item;
}

// Invalid for an item of something that is no longer shown.
ContributionId contribution_of(const Session& session, const lsp::CallHierarchyItem& item) {
  if (!item.data || !item.data->is_object()) return {};
  const auto number = [&](const char* name) -> std::optional<uint64_t> {
    const auto at = item.data->find(name);
    if (at == item.data->end() || !at->is_number_unsigned()) return std::nullopt;
    return at->get<uint64_t>();
  };
  const std::optional<uint64_t> id = number(kContribution);
  const bool is_shown = id && number(kGeneration) == session.generation() &&
                        *id < session.facts()->contribution_count();
  return is_shown ? ContributionId(*id) : ContributionId();
}

}  // namespace

std::vector<lsp::CallHierarchyItem> prepare_calls(Session& session, const SourceView& view,
                                                  uint32_t line) {
  const std::span<const PythonScope> scopes = view.scopes();
  std::vector<LineId> found = view.lines_at(line);
  for (const PythonScope& scope : scopes) {  // inner ones stand later
    if (scope.is_class || line < scope.first_line || line > scope.last_line) continue;
    if (std::vector<LineId> there = view.lines_at(scope.header_line); !there.empty())
      found = std::move(there);
  }
  std::vector<lsp::CallHierarchyItem> items;
  for (const LineId id : found) {
    for (const ContributionId own : session.facts()->line(id).own) {
      const ContributionFacts facts = session.facts()->contribution(own);
      if (auto item = item_of(session, own, facts.inclusive)) items.push_back(std::move(*item));
    }
  }
  return items;
}

std::vector<lsp::CallHierarchyIncomingCall> callers_of(Session& session,
                                                       const lsp::CallHierarchyItem& item) {
  std::vector<lsp::CallHierarchyIncomingCall> calls;
  const ContributionId id = contribution_of(session, item);
  if (!id.valid()) return calls;
  for (const CallFacts& call : session.facts()->callers_of(id)) {
    if (auto caller = item_of(session, call.other, call.inclusive)) {
      const lsp::Range range = caller->selectionRange;
      calls.push_back({std::move(*caller), {range}});
    }
  }
  return calls;
}

std::vector<lsp::CallHierarchyOutgoingCall> callees_of(Session& session,
                                                       const lsp::CallHierarchyItem& item) {
  std::vector<lsp::CallHierarchyOutgoingCall> calls;
  const ContributionId id = contribution_of(session, item);
  if (!id.valid()) return calls;
  for (const CallFacts& call : session.facts()->callees_of(id)) {
    if (auto callee = item_of(session, call.other, call.inclusive))
      calls.push_back({std::move(*callee), {item.selectionRange}});
  }
  return calls;
}

}  // namespace etlens
