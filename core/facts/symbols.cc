// SPDX-License-Identifier: Apache-2.0
#include "core/facts/symbols.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <tuple>
#include <unordered_map>

#include "core/base/string_pool.h"

namespace etlens {
namespace {

class SymbolCollector {
 public:
  SymbolCollector(const Join& join, const Measure& measure) : join_(join), measure_(measure) {}

  std::vector<Symbol> run(const std::vector<LineId>& line_of_module) {
    for (size_t e = 0; e < join_.events.size(); ++e) add_event(ContributionId(e));
    std::vector<Symbol> symbols;
    for (const Group* group : sorted_groups()) {
      symbols.push_back({group->kind,
                         std::string(group->name),
                         group->line,
                         {},
                         sum_of(measure_, group->events).total,
                         group->in_partition});
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
  // What the name of an event is made of. Ids of backends that are equal are one text.
  struct Logged {
    const char* backend;
    StringId name;
    StringId delegate_id_str;
    int32_t delegate_id_int;
    friend bool operator==(const Logged&, const Logged&) = default;
  };
  struct LoggedHash {
    size_t operator()(const Logged& row) const {
      uint64_t hash = uint64_t{row.name.value} << 32 | row.delegate_id_str.value;
      hash = hash * 0x9E3779B97F4A7C15ull ^ static_cast<uint32_t>(row.delegate_id_int);
      return (hash ^ hash >> 32) * 0xBF58476D1CE4E5B9ull;
    }
  };
  struct Key {
    SymbolKind kind;
    StringId name;  // of an operator in the record's pool, else in names_
    LineId line;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct KeyHash {
    size_t operator()(const Key& key) const {
      uint64_t hash = uint64_t{key.name.value} << 32 | key.line.value;
      hash = (hash ^ static_cast<uint64_t>(key.kind)) * 0x9E3779B97F4A7C15ull;
      return hash ^ hash >> 32;
    }
  };
  struct Group {
    SymbolKind kind = SymbolKind::Operator;
    std::string_view name;
    LineId line;
    std::vector<ContributionId> events;
    bool in_partition = false;
  };

  std::vector<const Group*> sorted_groups() const {
    std::vector<const Group*> sorted;
    for (const auto& [key, group] : groups_) sorted.push_back(&group);
    std::sort(sorted.begin(), sorted.end(), [](const Group* a, const Group* b) {
      return std::tie(a->kind, a->name, a->line) < std::tie(b->kind, b->name, b->line);
    });
    return sorted;
  }

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
    const StringId name = name_of(id);
    add({kind, name, line}, names_[name], landing, id);
    if (landing.node.valid()) {
      const StringId target = join_.record->nodes[landing.node.value].target;
      add({SymbolKind::Operator, target, line}, join_.record->text(target), landing, id);
    }
  }

  // Events that were logged alike in calls of one backend bear one name.
  StringId name_of(ContributionId id) {
    if (join_.titles.contains(id)) return names_.intern(join_.readable_name(id));
    const EventKey& key = join_.event(id).key;
    const auto [at, is_new] = name_of_logged_.try_emplace(
        Logged{join_.backend_id(id).data(), key.name, key.delegate_id_str, key.delegate_id_int});
    if (is_new) at->second = names_.intern(join_.readable_name(id));
    return at->second;
  }

  void add(const Key& key, std::string_view name, const Landing& landing, ContributionId id) {
    if (name.empty()) return;
    Group& group = groups_[key];
    group.kind = key.kind;
    group.name = name;
    group.line = key.line;
    group.events.push_back(id);
    group.in_partition |= !landing.line.valid();
  }

  const Join& join_;
  const Measure& measure_;
  StringPool names_;  // of events
  std::unordered_map<Logged, StringId, LoggedHash> name_of_logged_;
  std::unordered_map<Key, Group, KeyHash> groups_;
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
