// SPDX-License-Identifier: Apache-2.0
// itertools: what becomes of containers whose items are known; of others nothing is.
#include <algorithm>
#include <numeric>

#include "core/recover/interpreter.h"

namespace etlens::recover {
namespace {

constexpr int64_t kMaxPools = 16;  // of a product

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

bool has_repetition(std::vector<size_t> chosen) {
  std::sort(chosen.begin(), chosen.end());
  return std::adjacent_find(chosen.begin(), chosen.end()) != chosen.end();
}

}  // namespace

Value Interpreter::call_itertools(std::string_view name, Arguments& arguments, uint32_t node) {
  const std::vector<Value>& given = arguments.positional;
  if (arguments.has_more) return arena_.unknown();
  if (name == "repeat") {
    const Value times = given.size() > 1 ? given[1] : named_argument(arguments, "times");
    if (given.empty() || times == nullptr || !times->is(ValueKind::Int) ||
        times->integer > static_cast<int64_t>(kMaxItems))
      return arena_.unknown();
    const auto count = static_cast<size_t>(std::max<int64_t>(times->integer, 0));
    return arena_.sequence(ValueKind::List, std::vector<Value>(count, given[0]));
  }
  if (name == "accumulate" || name == "starmap") return call_with_items(name, arguments, node);

  std::vector<std::vector<Value>> pools;
  const bool takes_number = name.starts_with("combinations") || name == "permutations";
  const size_t containers = takes_number || name == "islice" ? 1 : given.size();
  for (size_t i = 0; i < std::min(containers, given.size()); ++i) {
    std::optional<std::vector<Value>> items = exactly_all_of(given[i]);
    if (!items || stopped_) return arena_.unknown();
    pools.push_back(std::move(*items));
  }
  const Value made = arena_.make(ValueKind::List);
  const auto add = [&](const std::vector<size_t>& chosen) {
    step();
    const Value one = arena_.make(ValueKind::Tuple);
    for (size_t i = 0; i < chosen.size(); ++i)
      one->items.push_back(pools[takes_number ? 0 : i][chosen[i]]);
    made->items.push_back(one);
    return made->items.size() < kMaxItems && !stopped_;
  };

  if (name == "chain") {
    for (const std::vector<Value>& pool : pools)
      made->items.insert(made->items.end(), pool.begin(), pool.end());
  } else if (name == "from_iterable" && pools.size() == 1) {
    for (const Value part : pools[0]) {
      const std::optional<std::vector<Value>> items = exactly_all_of(part);
      if (!items || stopped_) return arena_.unknown();
      made->items.insert(made->items.end(), items->begin(), items->end());
    }
  } else if (name == "product") {
    if (const Value repeat = named_argument(arguments, "repeat")) {
      if (!repeat->is(ValueKind::Int) || repeat->integer < 1 || repeat->integer > kMaxPools)
        return arena_.unknown();
      const std::vector<std::vector<Value>> once = pools;
      for (int64_t i = 1; i < repeat->integer; ++i)
        pools.insert(pools.end(), once.begin(), once.end());
    }
    if (std::ranges::any_of(pools, [](const auto& pool) { return pool.empty(); })) return made;
    std::vector<size_t> chosen(pools.size());
    do {
      if (!add(chosen)) return arena_.unknown();
    } while (next_product(chosen, pools));
  } else if (takes_number && pools.size() == 1) {
    const bool is_ordered = name == "permutations";
    const bool is_repeated = name == "combinations_with_replacement";
    const Value length = given.size() > 1 ? given[1] : named_argument(arguments, "r");
    const size_t count = pools[0].size();
    size_t size = count;
    if (length != nullptr) {
      if (!length->is(ValueKind::Int) || length->integer < 0 || length->integer > kMaxPools)
        return arena_.unknown();
      size = static_cast<size_t>(length->integer);
    } else if (!is_ordered || count > kMaxPools) {
      return arena_.unknown();
    }
    if ((size > count && !is_repeated) || (size > 0 && count == 0)) return made;
    std::vector<size_t> chosen(size);
    if (is_ordered) {
      const std::vector<std::vector<Value>> every(size, pools[0]);
      do {
        step();
        if (stopped_) return arena_.unknown();
        if (!has_repetition(chosen) && !add(chosen)) return arena_.unknown();
      } while (next_product(chosen, every));
      return made;
    }
    if (!is_repeated) std::iota(chosen.begin(), chosen.end(), size_t{0});
    do {
      if (!add(chosen)) return arena_.unknown();
    } while (next_combination(chosen, count, is_repeated));
  } else if (name == "pairwise" && pools.size() == 1) {
    for (size_t i = 1; i < pools[0].size(); ++i)
      made->items.push_back(arena_.sequence(ValueKind::Tuple, {pools[0][i - 1], pools[0][i]}));
  } else if (name == "zip_longest") {
    const Value fill = named_argument(arguments, "fillvalue");
    size_t longest = 0;
    for (const std::vector<Value>& pool : pools) longest = std::max(longest, pool.size());
    for (size_t i = 0; i < longest; ++i) {
      const Value row = arena_.make(ValueKind::Tuple);
      for (const std::vector<Value>& pool : pools)
        row->items.push_back(i < pool.size() ? pool[i] : fill ? fill : arena_.none());
      made->items.push_back(row);
    }
  } else if (name == "islice" && pools.size() == 1 && given.size() > 1) {
    const std::vector<Value> bounds(given.begin() + 1, given.end());
    Arguments slice_arguments{bounds, {}, false};
    const Value slice = call_builtin("slice", slice_arguments, node);
    return subscript(arena_.sequence(ValueKind::List, pools[0]), {slice}, node);
  } else {
    return arena_.unknown();  // count, cycle: without an end
  }
  return made->items.size() <= kMaxItems ? made : arena_.unknown();
}

// accumulate(items, function=operator.add), starmap(function, items).
Value Interpreter::call_with_items(std::string_view name, Arguments& arguments, uint32_t node) {
  const std::vector<Value>& given = arguments.positional;
  const bool is_starmap = name == "starmap";
  if (given.size() < (is_starmap ? 2u : 1u)) return arena_.unknown();
  const std::optional<std::vector<Value>> items = exactly_all_of(given[is_starmap ? 1 : 0]);
  if (!items) return arena_.unknown();
  const Value made = arena_.make(ValueKind::List);
  Value function = is_starmap ? given[0] : given.size() > 1 ? given[1] : nullptr;
  if (function == nullptr) function = named_argument(arguments, "func");
  Value total = is_starmap ? nullptr : named_argument(arguments, "initial");
  if (total != nullptr && total->is(ValueKind::None)) total = nullptr;
  if (total != nullptr) made->items.push_back(total);
  for (const Value item : *items) {
    if (stopped_) return arena_.unknown();
    if (is_starmap) {
      std::optional<std::vector<Value>> row = exactly_all_of(item);
      if (!row) return arena_.unknown();
      Arguments one{std::move(*row), {}, false};
      made->items.push_back(call(function, one, node));
      continue;
    }
    if (total == nullptr) {
      total = item;
    } else if (function == nullptr) {
      total = binary("+", total, item, node);
    } else {
      Arguments pair{{total, item}, {}, false};
      total = call(function, pair, node);
    }
    made->items.push_back(total);
  }
  return made;
}

}  // namespace etlens::recover
