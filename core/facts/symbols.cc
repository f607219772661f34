// SPDX-License-Identifier: Apache-2.0
#include "core/facts/symbols.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <tuple>

namespace etlens {
namespace {

class SymbolCollector {
 public:
  SymbolCollector(const Join& join, const Measure& measure) : join_(join), measure_(measure) {}

  std::vector<Symbol> run(const std::vector<LineId>& line_of_module) {
    for (size_t e = 0; e < join_.events.size(); ++e) add_event(ContributionId(e));
    std::vector<Symbol> symbols;
    for (const auto& [key, group] : groups_) {
      const auto& [kind, name, line] = key;
      symbols.push_back(
          {kind, name, line, {}, sum_of(measure_, group.events).total, group.in_partition});
    }
    const Code& code = join_.code();
    for (size_t m = 0; m < code.modules.size(); ++m) {
      if (code.modules[m].path.empty() || !line_of_module[m].valid()) continue;
      symbols.push_back({SymbolKind::Module, code.modules[m].path, line_of_module[m], ModuleId(m),
                         measure_.modules[m].inclusive, false});
    }
    std::stable_sort(symbols.begin(), symbols.end(), [](const Symbol& a, const Symbol& b) {
      return a.total.amount > b.total.amount;
    });
    return symbols;
  }

 private:
  using Key = std::tuple<SymbolKind, std::string, LineId>;
  struct Group {
    std::vector<ContributionId> events;
    bool in_partition = false;
  };

  void add_event(ContributionId id) {
    const Event& event = join_.event(id);
    const Landing& landing = (*join_.landings)[id];
    if (!landing.has_place() || measure_.occurrences[id.value] == 0) return;
    LineId line = landing.line;
    if (!line.valid() && landing.partition.valid()) {
      const std::vector<LineId>& lines = join_.code().partitions[landing.partition.value].lines;
      if (!lines.empty()) line = lines.front();
    }
    if (!line.valid()) return;
    const bool is_delegates = event.role == EventRole::DelegateEvent ||
                              event.role == EventRole::HostPhase ||
                              event.role == EventRole::DelegateCall;
    const SymbolKind kind = is_delegates ? SymbolKind::DelegateEvent : SymbolKind::Kernel;
    add({kind, join_.readable_name(id), line}, landing, id);
    if (landing.node.valid()) {
      const StringId target = join_.record->nodes[landing.node.value].target;
      add({SymbolKind::Operator, std::string(join_.record->text(target)), line}, landing, id);
    }
  }

  void add(Key key, const Landing& landing, ContributionId id) {
    if (std::get<1>(key).empty()) return;
    Group& group = groups_[std::move(key)];
    group.events.push_back(id);
    group.in_partition |= !landing.line.valid();
  }

  const Join& join_;
  const Measure& measure_;
  std::map<Key, Group> groups_;
};

constexpr int kScattered = 3;
constexpr int kNoMatch = 4;

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(), [](char c) { return lower(c); });
  return result;
}

// 0 for the whole name … kScattered; kNoMatch.
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
  return kScattered;
}

}  // namespace

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

std::vector<Symbol> collect_symbols(const Join& join, const Measure& measure,
                                    const std::vector<LineId>& line_of_module) {
  return SymbolCollector(join, measure).run(line_of_module);
}

std::vector<const Symbol*> find_symbols(const std::vector<Symbol>& symbols, std::string_view query,
                                        size_t limit) {
  const std::string lower_query = lower(query);
  std::vector<const Symbol*> by_rank[kNoMatch];
  for (const Symbol& symbol : symbols) {
    const int rank = match_rank(symbol.name, lower_query);
    if (rank < kNoMatch) by_rank[rank].push_back(&symbol);
  }
  std::vector<const Symbol*> found;
  for (const std::vector<const Symbol*>& group : by_rank) {
    for (const Symbol* symbol : group) {
      if (found.size() == limit) return found;
      found.push_back(symbol);
    }
  }
  return found;
}

bool name_matches(std::string_view name, std::string_view query) {
  return match_rank(name, lower(query)) < kNoMatch;
}

bool name_contains(std::string_view name, std::string_view query) {
  return match_rank(name, lower(query)) < kScattered;
}

}  // namespace etlens
