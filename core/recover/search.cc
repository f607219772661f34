// SPDX-License-Identifier: Apache-2.0
#include "core/recover/search.h"

#include <algorithm>

#include "core/recover/explorer.h"
#include "core/recover/results.h"

namespace etlens::recover {
namespace {

constexpr size_t kMaxUnexplained = 6;

bool is_same_shape(const Arguments& a, const Arguments& b) {
  return a.has_more == b.has_more && a.positional.size() == b.positional.size() &&
         std::equal(a.named.begin(), a.named.end(), b.named.begin(), b.named.end(),
                    [](const auto& x, const auto& y) { return x.first == y.first; });
}

// One argument that explanations do not agree on: either of both.
Value either(Arena& arena, Value a, Value b) {
  if (is_same_value(a, b)) return a;
  std::vector<Value> candidates;
  bool is_known = true;
  const auto add = [&](Value value) {
    if (value->is(ValueKind::None) || value->is(ValueKind::Instance)) candidates.push_back(value);
    else is_known = false;
  };
  if (has_candidates(a)) {
    for (const Value value : a->unknown().candidates) add(value);
  } else {
    add(a);
  }
  const bool has_other = std::any_of(candidates.begin(), candidates.end(),
                                     [&](Value known) { return is_same_value(known, b); });
  if (!has_other) add(b);
  return is_known ? arena.one_of(std::move(candidates)) : arena.unknown();
}

// What the arguments of a child are, if not all explanations say the same.
void join(Arena& arena, Arguments& arguments, const Arguments& others) {
  for (size_t i = 0; i < arguments.positional.size(); ++i)
    arguments.positional[i] = either(arena, arguments.positional[i], others.positional[i]);
  for (size_t i = 0; i < arguments.named.size(); ++i) {
    Value& value = arguments.named[i].second;
    value = either(arena, value, others.named[i].second);
  }
}

// Takes what it says out of the explanations.
void agree(std::vector<Explanation>& all, double bound, CallLines& lines) {
  for (size_t u = 0; u < lines.units.size(); ++u) {
    UnitLine& line = lines.units[u];
    PlacedCall* first = nullptr;
    bool same_line = true;
    bool same_chain = true;
    bool has_arguments = true;
    for (Explanation& explanation : all) {
      if (explanation.cost > bound) continue;
      PlacedCall& placement = explanation.placements[u];
      if (!placement.is_placed || placement.chain.empty()) {
        line.why = Abstained::Unexplained;
        if (!placement.chain.empty()) line.near = placement.chain.back();
        first = nullptr;
        break;
      }
      same_chain = same_chain && !placement.is_wrapped;
      if (first == nullptr) {
        first = &placement;
        continue;
      }
      same_line = same_line && is_same_line(*first, placement);
      same_chain = same_chain && first->chain == placement.chain;
      has_arguments = has_arguments && is_same_shape(first->arguments, placement.arguments);
      if (has_arguments) join(*lines.arenas.front(), first->arguments, placement.arguments);
    }
    if (first == nullptr) continue;
    if (!same_line) {
      line.why = Abstained::Ambiguous;
      continue;
    }
    line.why = Abstained::No;
    line.is_chain = same_chain;
    line.chain = same_chain ? std::move(first->chain) : std::vector{first->chain.back()};
    line.has_arguments = has_arguments;
    if (has_arguments) line.arguments = std::move(first->arguments);
  }
}

// What forward returns in all of them; null if that is no container or object.
Value result_of(const std::vector<Explanation>& all, double bound, Arena& arena) {
  Value result = nullptr;
  for (const Explanation& explanation : all) {
    if (explanation.cost > bound) continue;
    result = result == nullptr ? kept(arena, explanation.result)
                               : common_result(arena, result, explanation.result);
  }
  return result != nullptr && is_holder(result) ? result : nullptr;
}

// The innermost statement at which the furthest run stopped that is not unexplained yet; no file if
// there is none.
Statement next_unexplained(const Explorer& explorer, const ModuleCallTask& task) {
  for (auto at = explorer.furthest().rbegin(); at != explorer.furthest().rend(); ++at) {
    if (at->node != kNone && !task.unexplained.contains(*at)) return *at;
  }
  return {};
}

}  // namespace

CallLines search(PythonSources& sources, Caches& caches, ModuleCallTask task, Arena* results) {
  CallLines lines;
  const size_t count = task.graph->calls()[task.call].units.size();
  lines.units.resize(count);
  const auto abstain = [&](Abstained why) {
    for (UnitLine& line : lines.units) line.why = why;
  };
  for (size_t attempt = 0; attempt <= kMaxUnexplained; ++attempt) {
    Explorer explorer(sources, caches, task, task.most_steps - lines.steps, results != nullptr);
    const bool is_whole = explorer.explore() || explorer.explore_narrowly();
    lines.runs += explorer.runs();
    lines.steps += explorer.steps();
    if (!is_whole) {
      abstain(Abstained::Limit);
      break;
    }
    if (!explorer.explanations().empty()) {
      lines.arenas = explorer.take_arenas();
      if (results != nullptr)
        lines.result = result_of(explorer.explanations(), explorer.bound(), *results);
      agree(explorer.explanations(), explorer.bound(), lines);
      const bool is_used =
          std::any_of(lines.units.begin(), lines.units.end(), [](const auto& line) {
            return !line.arguments.positional.empty() || !line.arguments.named.empty();
          });
      if (!is_used) lines.arenas.clear();
      break;
    }
    abstain(lines.steps < task.most_steps ? Abstained::NoExplanation : Abstained::Limit);
    if (lines.steps >= task.most_steps) break;
    // It may have used any units: what stands behind it is explained without it.
    const Statement next = next_unexplained(explorer, task);
    if (next.file == nullptr) break;
    task.unexplained.insert(next);
    lines.unexplained.push_back(next);
  }
  return lines;
}

}  // namespace etlens::recover
