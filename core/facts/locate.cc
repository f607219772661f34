// SPDX-License-Identifier: Apache-2.0
#include "core/facts/locate.h"

#include <algorithm>
#include <cctype>

namespace etlens {
namespace {

constexpr int kNoMatch = 4;

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(), [](char c) { return lower(c); });
  return result;
}

// 0 for the whole name … 3 for scattered characters; kNoMatch.
int match_rank(std::string_view name, std::string_view lower_query) {
  const std::string text = lower(name);
  if (text == lower_query) return 0;
  if (text.starts_with(lower_query)) return 1;
  if (text.find(lower_query) != std::string::npos) return 2;
  size_t at = 0;
  for (const char c : lower_query) {
    at = text.find(c, at);
    if (at == std::string::npos) return kNoMatch;
    ++at;
  }
  return 3;
}

}  // namespace

std::vector<const ProfileSymbol*> find_symbols(const PreparedProfile& prepared,
                                               std::string_view query, size_t limit) {
  const std::string lower_query = lower(query);
  std::vector<const ProfileSymbol*> by_rank[kNoMatch];
  for (const ProfileSymbol& symbol : prepared.symbols) {
    const int rank = match_rank(symbol.name, lower_query);
    if (rank < kNoMatch) by_rank[rank].push_back(&symbol);
  }
  std::vector<const ProfileSymbol*> found;
  for (const std::vector<const ProfileSymbol*>& group : by_rank) {
    for (const ProfileSymbol* symbol : group) {
      if (found.size() == limit) return found;
      found.push_back(symbol);
    }
  }
  return found;
}

bool name_matches(std::string_view name, std::string_view query) {
  return match_rank(name, lower(query)) < kNoMatch;
}

std::string_view describe(SymbolKind kind) {
  switch (kind) {
    case SymbolKind::Operator:
      return "operator";
    case SymbolKind::Kernel:
      return "kernel event";
    case SymbolKind::DelegateEvent:
      return "delegate event";
    case SymbolKind::Module:
      return "module";
  }
  return "";
}

}  // namespace etlens
