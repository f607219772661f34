// SPDX-License-Identifier: Apache-2.0
#include "core/facts/line_work.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>

#include "core/base/text.h"

namespace etlens {
namespace {

using Path = std::vector<std::string>;

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// "layers.12.attn" as layers, *, attn.
Path pattern_of(std::string_view path) {
  Path pattern;
  if (path.empty()) return pattern;
  for (const std::string_view part : split(path, '.'))
    pattern.emplace_back(is_number(part) ? "*" : part);
  return pattern;
}

std::string_view path_of(const Facts& facts, ContributionId id) {
  const ModuleId module = (*facts.measure().landings)[id].module;
  return module.valid() ? std::string_view(facts.code().modules[module.value].path) : "";
}

// What the modules of all contributions have in common: components, with `*` for numbers.
Path shared_path(const Facts& facts, std::span<const ContributionId> contributions) {
  Path shared = pattern_of(path_of(facts, contributions.front()));
  for (const ContributionId id : contributions) {
    const Path pattern = pattern_of(path_of(facts, id));
    const auto end = std::mismatch(shared.begin(), shared.end(), pattern.begin(), pattern.end());
    shared.erase(end.first, shared.end());
  }
  return shared;
}

// The same as text: with its numbers where there is only one such module.
std::string module_name_of(const Facts& facts, std::span<const ContributionId> contributions) {
  Path shared = shared_path(facts, contributions);
  for (size_t i = 0; i < shared.size(); ++i) {
    if (shared[i] != "*") continue;
    const auto number = [&](ContributionId id) { return split(path_of(facts, id), '.')[i]; };
    const std::string_view first = number(contributions.front());
    const bool is_one = std::all_of(contributions.begin(), contributions.end(),
                                    [&](ContributionId id) { return number(id) == first; });
    if (is_one) shared[i] = first;
  }
  return join(shared, ".");
}

// "GEMM #3" as "GEMM".
std::string without_number(std::string_view name) {
  const size_t mark = name.rfind(" #");
  const bool has_number = mark != std::string_view::npos && is_number(name.substr(mark + 2));
  return std::string(has_number ? name.substr(0, mark) : name);
}

template <typename Row>
void sort_by_cost(std::vector<Row>& rows) {
  std::stable_sort(rows.begin(), rows.end(),
                   [](const Row& a, const Row& b) { return a.cost.amount > b.cost.amount; });
}

// The line behind `line` in the stack of a contribution that runs through it; invalid at its end.
LineId next_line(const Facts& facts, ContributionId id, LineId line) {
  const PlaceId place = (*facts.measure().landings)[id].place;
  if (!place.valid()) return {};
  const std::vector<LineId>& stack = facts.code().places[place.value].stack;
  const auto at = std::find(stack.begin(), stack.end(), line);
  return at == stack.end() || at + 1 == stack.end() ? LineId() : *(at + 1);
}

// The lines that `line` goes on to in these contributions, the most costly first.
std::vector<LineId> next_lines(const Facts& facts, LineId line,
                               std::span<const ContributionId> events) {
  struct Next {
    LineId line;
    Cost cost;
  };
  std::map<LineId, std::vector<ContributionId>> by_line;
  for (const ContributionId id : events) by_line[next_line(facts, id, line)].push_back(id);
  std::vector<Next> rows;
  for (const auto& [next, those] : by_line) rows.push_back({next, facts.cost_of(those)});
  sort_by_cost(rows);
  std::vector<LineId> lines;
  for (const Next& row : rows) lines.push_back(row.line);
  return lines;
}

CalleeFacts callee_of(const Facts& facts, const LineFacts& line,
                      std::vector<ContributionId> events) {
  CalleeFacts row;
  row.lines = next_lines(facts, line.id, events);
  row.function = facts.code().text(facts.code().lines[row.lines.front().value].function);
  row.module = module_name_of(facts, events);
  row.cost = facts.cost_of(events);
  row.events = std::move(events);
  return row;
}

using Groups = std::map<std::string, std::vector<ContributionId>>;

Groups grouped(std::span<const ContributionId> contributions,
               const std::function<std::string(ContributionId)>& key_of) {
  Groups groups;
  for (const ContributionId id : contributions) groups[key_of(id)].push_back(id);
  return groups;
}

}  // namespace

std::vector<WorkFacts> work_of(const Facts& facts, std::span<const ContributionId> contributions) {
  const Groups groups = grouped(contributions, [&](ContributionId id) {
    const ContributionFacts row = facts.contribution(id);
    return fmt::format("{}\n{}\n{}\n{}\n{} {}", row.op, without_number(row.name),
                       join(pattern_of(row.module_path.value_or("")), "."), row.where,
                       name_of(row.confidence), row.candidates);
  });
  std::vector<WorkFacts> rows;
  for (const auto& [key, events] : groups) {
    const ContributionFacts first = facts.contribution(events.front());
    WorkFacts& row = rows.emplace_back();
    row.op = first.op;
    row.name = events.size() > 1 ? without_number(first.name) : first.name;
    row.has_module = first.module_path.has_value();
    if (row.has_module) row.module = module_name_of(facts, events);
    row.backend = first.backend;
    row.where = first.where;
    row.confidence = first.confidence;
    row.candidates = first.candidates;
    for (const ContributionId id : events) row.occurrences += facts.contribution(id).occurrences;
    row.cost = facts.cost_of(events);
    row.events = events;
  }
  sort_by_cost(rows);
  return rows;
}

std::vector<CallsFacts> calls_of(const Facts& facts, std::span<const PartitionId> partitions) {
  struct SumsOfCalls {
    Amount total, opaque, overhead;
  };
  std::vector<CallsFacts> rows;
  std::vector<SumsOfCalls> sums;
  std::map<std::string_view, size_t> row_of;
  for (const PartitionId id : partitions) {
    const PartitionFacts call = facts.partition(id);
    if (!call.ran()) continue;
    const auto [at, is_new] = row_of.try_emplace(call.backend, rows.size());
    if (is_new) {
      rows.emplace_back();
      sums.emplace_back();
    }
    rows[at->second].calls.push_back(id);
    SumsOfCalls& sum = sums[at->second];
    sum.total += call.total.amount;
    sum.opaque += call.opaque.amount;
    sum.overhead += call.overhead.amount;
  }
  for (size_t r = 0; r < rows.size(); ++r) {
    rows[r].total = facts.cost(sums[r].total);
    rows[r].opaque = facts.cost(sums[r].opaque);
    rows[r].overhead = facts.cost(sums[r].overhead);
  }
  return rows;
}

std::vector<CalleeFacts> callees_of(const Facts& facts, const LineFacts& line) {
  std::vector<ContributionId> called;
  for (const ContributionId id : line.through) {
    if (next_line(facts, id, line.id).valid()) called.push_back(id);
  }
  if (called.empty()) return {};
  Groups groups = grouped(called, [&](ContributionId id) {
    const CodeLine& next = facts.code().lines[next_line(facts, id, line.id).value];
    return fmt::format("{} {}", next.file.value, next.function.value);
  });
  if (groups.size() == 1) {
    const size_t depth = shared_path(facts, called).size() + 1;
    groups = grouped(called, [&](ContributionId id) {
      Path pattern = pattern_of(path_of(facts, id));
      pattern.resize(std::min(pattern.size(), depth));
      return join(pattern, ".");
    });
  }
  std::vector<CalleeFacts> rows;
  for (auto& [key, events] : groups) rows.push_back(callee_of(facts, line, std::move(events)));
  sort_by_cost(rows);
  return rows;
}

}  // namespace etlens
