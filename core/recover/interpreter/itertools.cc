// SPDX-License-Identifier: Apache-2.0
// itertools: what becomes of containers whose items are known; of others nothing is.
#include <algorithm>
#include <numeric>

#include "core/recover/interpreter/calls.h"
#include "core/recover/interpreter/evaluator.h"
#include "core/recover/interpreter/expressions.h"
#include "core/recover/interpreter/iteration.h"
#include "core/recover/interpreter/libraries.h"
#include "core/recover/interpreter/operators.h"
#include "core/recover/interpreter/statements.h"

namespace etlens::recover {
namespace {

constexpr int64_t kMaxPlaces = 16;     // of a product, a combination or a permutation
constexpr size_t kMaxContainers = 64;  // given at once

Value named_argument(const Arguments& arguments, std::string_view name) {
  for (const auto& [key, value] : arguments.named) {
    if (key == name) return value;
  }
  return nullptr;
}

// The next choice of so many of `count` items, in Python's order; false behind the last one.
bool next_combination(std::vector<size_t>& chosen, size_t count, bool is_repeated) {
  for (size_t i = chosen.size(); i-- > 0;) {
    if (chosen[i] >= (is_repeated ? count - 1 : count - chosen.size() + i)) continue;
    ++chosen[i];
    for (size_t later = i + 1; later < chosen.size(); ++later)
      chosen[later] = chosen[later - 1] + (is_repeated ? 0 : 1);
    return true;
  }
  return false;
}

// The next of all ways to take an item of each pool; false behind the last one.
bool next_product(std::vector<size_t>& chosen, const std::vector<std::vector<Value>>& pools) {
  for (size_t i = chosen.size(); i-- > 0;) {
    if (++chosen[i] < pools[i].size()) return true;
    chosen[i] = 0;
  }
  return false;
}

// The next choice of so many of `count` items in any order; false behind the last one.
bool next_permutation(std::vector<size_t>& chosen, size_t count) {
  std::vector<bool> is_taken(count, false);
  for (const size_t one : chosen) is_taken[one] = true;
  const auto first_free = [&](size_t from) {
    while (from < count && is_taken[from]) ++from;
    return from;
  };
  for (size_t i = chosen.size(); i-- > 0;) {
    is_taken[chosen[i]] = false;
    const size_t next = first_free(chosen[i] + 1);
    if (next == count) continue;
    chosen[i] = next;
    is_taken[next] = true;
    for (size_t later = i + 1; later < chosen.size(); ++later) {
      chosen[later] = first_free(0);
      is_taken[chosen[later]] = true;
    }
    return true;
  }
  return false;
}

// The items of the first so many containers; nullopt if some are not known, or these are too many.
std::optional<std::vector<std::vector<Value>>> items_of_each(Evaluator& run,
                                                             const std::vector<Value>& containers,
                                                             size_t count) {
  if (count > kMaxContainers) return std::nullopt;
  std::vector<std::vector<Value>> pools;
  for (size_t i = 0; i < count; ++i) {
    std::optional<std::vector<Value>> items = exactly_all_of(run, containers[i]);
    if (!items || run.is_stopped()) return std::nullopt;
    pools.push_back(std::move(*items));
  }
  return pools;
}

// product(a, b, repeat=n), permutations(items, n), combinations(items, n).
Value tuples_of(Evaluator& run, std::string_view name, Arguments& arguments) {
  const std::vector<Value>& given = arguments.positional;
  const bool is_product = name == "product";
  const bool is_repeated = name == "combinations_with_replacement";
  auto pools = items_of_each(run, given, is_product ? given.size() : 1);
  if (!pools) return run.arena.unknown();
  Value number = named_argument(arguments, is_product ? "repeat" : "r");
  if (!is_product && given.size() > 1) number = given[1];
  size_t places = is_product ? 1 : pools->front().size();
  if (number != nullptr && !number->is(ValueKind::None)) {
    if (!number->is(ValueKind::Int) || number->integer() < 0 || number->integer() > kMaxPlaces)
      return run.arena.unknown();
    places = static_cast<size_t>(number->integer());
  }
  const Value made = run.arena.list();
  std::vector<size_t> chosen;
  if (is_product) {
    places *= pools->size();
    if (places > static_cast<size_t>(kMaxPlaces)) return run.arena.unknown();
    const std::vector<std::vector<Value>> once = *pools;
    while (pools->size() < places) pools->insert(pools->end(), once.begin(), once.end());
    const auto is_empty = [](const std::vector<Value>& pool) { return pool.empty(); };
    if (std::ranges::any_of(*pools, is_empty)) return made;
    chosen.assign(places, 0);
  } else {
    const size_t count = pools->front().size();
    if (places > static_cast<size_t>(kMaxPlaces)) return run.arena.unknown();
    if (places > count && (!is_repeated || count == 0)) return made;
    chosen.assign(places, 0);
    if (!is_repeated) std::iota(chosen.begin(), chosen.end(), size_t{0});
  }
  const auto next = [&] {
    if (is_product) return next_product(chosen, *pools);
    const size_t count = pools->front().size();
    if (name == "permutations") return next_permutation(chosen, count);
    return next_combination(chosen, count, is_repeated);
  };
  do {
    run.step();
    if (run.is_stopped() || made->items().size() >= kMaxItems) return run.arena.unknown();
    std::vector<Value> one;
    for (size_t i = 0; i < chosen.size(); ++i)
      one.push_back((*pools)[is_product ? i : 0][chosen[i]]);
    made->items().push_back(run.arena.tuple(std::move(one)));
  } while (next());
  return made;
}

// accumulate(items, function=operator.add), starmap(function, items).
Value call_with_items(Evaluator& run, std::string_view name, Arguments& arguments, uint32_t node) {
  const std::vector<Value>& given = arguments.positional;
  const bool is_starmap = name == "starmap";
  if (given.size() < (is_starmap ? 2u : 1u)) return run.arena.unknown();
  const std::optional<std::vector<Value>> items = exactly_all_of(run, given[is_starmap ? 1 : 0]);
  if (!items) return run.arena.unknown();
  const Value made = run.arena.list();
  Value function = is_starmap ? given[0] : given.size() > 1 ? given[1] : nullptr;
  if (function == nullptr) function = named_argument(arguments, "func");
  Value total = is_starmap ? nullptr : named_argument(arguments, "initial");
  if (total != nullptr && total->is(ValueKind::None)) total = nullptr;
  if (total != nullptr) made->items().push_back(total);
  for (const Value item : *items) {
    if (run.is_stopped()) return run.arena.unknown();
    if (is_starmap) {
      std::optional<std::vector<Value>> row = exactly_all_of(run, item);
      if (!row) return run.arena.unknown();
      Arguments one{std::move(*row), {}, false};
      made->items().push_back(call(run, function, one, node));
      continue;
    }
    if (total == nullptr) {
      total = item;
    } else if (function == nullptr) {
      total = binary(run, "+", total, item, node);
    } else {
      Arguments pair{{total, item}, {}, false};
      total = call(run, function, pair, node);
    }
    made->items().push_back(total);
  }
  return made;
}

}  // namespace

Value call_itertools(Evaluator& run, std::string_view name, Arguments& arguments, uint32_t node) {
  const std::vector<Value>& given = arguments.positional;
  if (arguments.has_more || given.empty()) return run.arena.unknown();
  if (name == "accumulate" || name == "starmap") return call_with_items(run, name, arguments, node);
  if (name == "product" || name == "permutations" || name.starts_with("combinations"))
    return tuples_of(run, name, arguments);
  if (name == "repeat") {
    const Value times = given.size() > 1 ? given[1] : named_argument(arguments, "times");
    if (times == nullptr || !times->is(ValueKind::Int) ||
        times->integer() > static_cast<int64_t>(kMaxItems))
      return run.arena.unknown();
    const auto count = static_cast<size_t>(std::max<int64_t>(times->integer(), 0));
    return run.arena.list(std::vector<Value>(count, given[0]));
  }
  const int64_t begin = given[0]->is(ValueKind::Lazy) ? given[0]->lazy().next : 0;
  const std::optional<std::vector<std::vector<Value>>> pools =
      items_of_each(run, given, name == "islice" ? 1 : given.size());
  if (!pools) return run.arena.unknown();
  const std::vector<Value>& first = pools->front();
  if (name == "islice" && given.size() > 1) {
    Arguments bounds{{given.begin() + 1, given.end()}, {}, false};
    const Value slice = call_builtin(run, "slice", bounds, node);
    const Value stop = slice->slice().stop;
    if (given[0]->is(ValueKind::Lazy) && given[0]->lazy().kind == LazyKind::Iterator &&
        run.may_write(given[0])) {
      // The others are still to come.
      if (stop->is(ValueKind::Int))
        given[0]->lazy().next = begin + std::clamp<int64_t>(stop->integer(), 0, first.size());
      else if (!stop->is(ValueKind::None)) run.forget(given[0]);
    }
    return subscript(run, run.arena.list(first), {slice}, node);
  }
  std::vector<Value> made;
  if (name == "chain") {
    for (const std::vector<Value>& pool : *pools) made.insert(made.end(), pool.begin(), pool.end());
  } else if (name == "from_iterable") {
    const auto parts = items_of_each(run, first, first.size());
    if (!parts) return run.arena.unknown();
    for (const std::vector<Value>& part : *parts) made.insert(made.end(), part.begin(), part.end());
  } else if (name == "pairwise") {
    for (size_t i = 1; i < first.size(); ++i)
      made.push_back(run.arena.tuple({first[i - 1], first[i]}));
  } else if (name == "zip_longest") {
    const Value fill = named_argument(arguments, "fillvalue");
    size_t longest = 0;
    for (const std::vector<Value>& pool : *pools) longest = std::max(longest, pool.size());
    for (size_t i = 0; i < longest; ++i) {
      std::vector<Value> row;
      for (const std::vector<Value>& pool : *pools)
        row.push_back(i < pool.size() ? pool[i] : fill != nullptr ? fill : run.arena.none());
      made.push_back(run.arena.tuple(std::move(row)));
    }
  } else {
    return run.arena.unknown();  // count, cycle: without an end
  }
  if (made.size() > kMaxItems) return run.arena.unknown();
  return run.arena.list(std::move(made));
}

}  // namespace etlens::recover
