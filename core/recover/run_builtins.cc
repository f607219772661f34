// SPDX-License-Identifier: Apache-2.0
// Python's own functions.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/recover/interpreter.h"

namespace etlens::recover {
namespace {

bool is_before(Value a, Value b) {
  return a->is(ValueKind::Text) ? a->text < b->text : as_double(a) < as_double(b);
}

}  // namespace

bool Interpreter::is_instance(Value value, Value cls, bool& is_known) {
  is_known = true;
  if (cls->is(ValueKind::Tuple)) {
    bool all_known = true;
    for (const Value one : cls->items) {
      bool known = true;
      if (is_instance(value, one, known)) return true;
      all_known &= known;
    }
    is_known = all_known;
    return false;
  }
  if (value->is(ValueKind::Unknown) || cls->is(ValueKind::Unknown)) {
    is_known = false;
    return false;
  }
  const std::string& name = cls->text;
  if (cls->is(ValueKind::External)) {
    if (name == "torch.Tensor") return value->is(ValueKind::Tensor);
    if (name == "builtins.int") return value->is(ValueKind::Int) || value->is(ValueKind::Bool);
    if (name == "builtins.float") return value->is(ValueKind::Float);
    if (name == "builtins.bool") return value->is(ValueKind::Bool);
    if (name == "builtins.str") return value->is(ValueKind::Text);
    if (name == "builtins.tuple") return value->is(ValueKind::Tuple) || value->text == "namedtuple";
    if (name == "builtins.list") return value->is(ValueKind::List);
    if (name == "builtins.dict") return value->is(ValueKind::Dict);
    if (name.starts_with("torch.nn.") && value->is(ValueKind::Module) && problem_ != nullptr) {
      const std::string_view type = problem_->graph->type_of(value->text);
      const std::string_view last = std::string_view(name).substr(name.rfind('.') + 1);
      if (last == "Module") return true;
      if (type.starts_with("torch.nn.")) return type.substr(type.rfind('.') + 1) == last;
      is_known = false;
      return false;
    }
    is_known = !value->is(ValueKind::Module) && !value->is(ValueKind::Instance);
    return false;
  }
  const Value own = class_of(value);
  if (own == nullptr) {
    const bool is_layer = value->is(ValueKind::Module) && problem_ != nullptr &&
                          problem_->graph->type_of(value->text).starts_with("torch.nn.");
    is_known = is_layer || !value->is(ValueKind::Module);
    return false;
  }
  const std::vector<Value> order = bases_in_order(own);
  return std::find(order.begin(), order.end(), cls) != order.end();
}

Value Interpreter::call_math(std::string_view name, Arguments& arguments) {
  if (arguments.positional.empty()) return arena_.unknown();
  if (name == "prod" && (arguments.positional[0]->is(ValueKind::Tuple) ||
                         arguments.positional[0]->is(ValueKind::List))) {
    Value total = arena_.integer(1);
    for (const Value item : arguments.positional[0]->items) total = binary("*", total, item, kNone);
    return total;
  }
  for (const Value value : arguments.positional) {
    if (!is_number(value)) return arena_.unknown();
  }
  const double x = as_double(arguments.positional[0]);
  if (name == "sqrt") return x < 0 ? arena_.unknown() : arena_.number(std::sqrt(x));
  if (name == "log" && arguments.positional.size() == 1) return arena_.number(std::log(x));
  if (name == "log2") return arena_.number(std::log2(x));
  if (name == "exp") return arena_.number(std::exp(x));
  if (std::abs(x) < 1e15) {
    if (name == "floor") return arena_.integer(static_cast<int64_t>(std::floor(x)));
    if (name == "ceil") return arena_.integer(static_cast<int64_t>(std::ceil(x)));
  }
  return arena_.unknown();
}

// What items are compared by: all numbers, or all texts. Nullopt if that is not known.
std::optional<std::vector<Value>> Interpreter::sort_keys(const std::vector<Value>& items,
                                                         const Arguments& arguments,
                                                         uint32_t node) {
  std::vector<Value> keys = items;
  for (const auto& [name, function] : arguments.named) {
    if (name != "key") continue;
    for (Value& key : keys) {
      Arguments one{{key}, {}, false};
      key = call(function, one, node);
      if (stopped_) return std::nullopt;
    }
  }
  const auto is_text = [](Value key) { return key->is(ValueKind::Text); };
  const auto is_ordered = [](Value key) { return is_number(key) && !std::isnan(as_double(key)); };
  if (!std::all_of(keys.begin(), keys.end(), is_ordered) &&
      !std::all_of(keys.begin(), keys.end(), is_text)) {
    return std::nullopt;
  }
  return keys;
}

// False if nobody knows the order.
bool Interpreter::sort(std::vector<Value>& items, const Arguments& arguments, uint32_t node) {
  bool is_reversed = false;
  for (const auto& [name, value] : arguments.named) {
    if (name != "reverse") continue;
    const std::optional<bool> truth = known_truth(value);
    if (!truth) return false;
    is_reversed = *truth;
  }
  const std::optional<std::vector<Value>> keys = sort_keys(items, arguments, node);
  if (!keys) return items.size() < 2;
  std::vector<size_t> order(items.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return is_reversed ? is_before((*keys)[b], (*keys)[a]) : is_before((*keys)[a], (*keys)[b]);
  });
  std::vector<Value> sorted;
  for (const size_t at : order) sorted.push_back(items[at]);
  items = std::move(sorted);
  return true;
}

Value Interpreter::call_builtin(std::string_view name, Arguments& arguments, uint32_t node) {
  std::vector<Value>& given = arguments.positional;
  const size_t count = given.size();
  if (name == "range") {
    int64_t bounds[3] = {0, 0, 1};
    if (count == 0 || count > 3) return arena_.unknown();
    for (size_t i = 0; i < count; ++i) {
      if (!given[i]->is(ValueKind::Int) && !given[i]->is(ValueKind::Bool)) {
        const Value open = arena_.unknown();
        // Where it ends, nobody knows: it counts all the same.
        if (count == i + 1 && count < 3)
          open->attributes.emplace_back(kFirst, arena_.integer(bounds[0]));
        return open;
      }
      bounds[count == 1 ? 1 : i] = given[i]->integer;
    }
    if (bounds[2] == 0) return arena_.unknown();
    const Value made = arena_.make(ValueKind::Tuple);
    for (int64_t i = bounds[0]; bounds[2] > 0 ? i < bounds[1] : i > bounds[1];) {
      step();
      if (made->items.size() >= kMaxItems || stopped_) return arena_.unknown();
      made->items.push_back(arena_.integer(i));
      if (__builtin_add_overflow(i, bounds[2], &i)) break;
    }
    return made;
  }
  if (name == "len" && count == 1) {
    const Value value = given[0];
    if (value->is(ValueKind::Tuple) || value->is(ValueKind::List) || value->is(ValueKind::Dict))
      return arena_.integer(static_cast<int64_t>(value->items.size()));
    if (value->is(ValueKind::Text)) return arena_.integer(static_cast<int64_t>(value->text.size()));
    if (value->is(ValueKind::Tensor)) {
      if (value->is_multiple) return arena_.integer(static_cast<int64_t>(value->parts.size()));
      const Value sizes = size_of(value, nullptr);
      if (sizes->is(ValueKind::Tuple) && !sizes->items.empty()) return sizes->items[0];
      return arena_.unknown();
    }
    bool found = false;
    const Value made = call_method_named(value, "__len__", {}, node, found);
    if (found) return made;
    if (value->is(ValueKind::Module))
      return arena_.integer(static_cast<int64_t>(all_of(value).size()));
    return unknown_attribute(value, "__len__");
  }
  if ((name == "list" || name == "tuple" || name == "set" || name == "sorted" ||
       name == "frozenset" || name == "reversed" || name == "iter")) {
    if (count == 0) return arena_.make(name == "tuple" ? ValueKind::Tuple : ValueKind::List);
    if (name == "iter") return iterator_of(given[0]);
    if (given[0]->is(ValueKind::Unknown)) return given[0];
    std::optional<std::vector<Value>> items = exactly_all_of(given[0]);
    if (!items || (name == "sorted" && !sort(*items, arguments, node))) return arena_.unknown();
    if (name == "reversed") {
      std::reverse(items->begin(), items->end());
      return iterator_over(std::move(*items));
    }
    return arena_.sequence(name == "tuple" ? ValueKind::Tuple : ValueKind::List, std::move(*items));
  }
  if (name == "dict") {
    const Value made = arena_.make(ValueKind::Dict);
    if (count > 0) {
      if (const Value inner = held_dict(given[0])) given[0] = inner;
      if (given[0]->is(ValueKind::Dict) || given[0]->is(ValueKind::Unknown)) {
        merge(made, given[0]);
      } else {
        for (const Value pair : all_of(given[0])) {
          if (pair->items.size() != 2) return arena_.unknown();
          made->items.push_back(pair->items[0]);
          made->values.push_back(pair->items[1]);
        }
      }
    }
    for (const auto& [key, value] : arguments.named) put(made, arena_.string(key), value);
    made->is_open |= arguments.has_more;
    return made;
  }
  if (name == "enumerate" && count >= 1) {
    const Value lazy = arena_.make(ValueKind::Lazy);
    lazy->lazy = LazyKind::Enumerate;
    lazy->items = {iterator_of(given[0])};
    const Value start = count > 1                 ? given[1]
                        : arguments.named.empty() ? nullptr
                                                  : arguments.named[0].second;
    if (start != nullptr && start->is(ValueKind::Int)) lazy->integer = start->integer;
    return lazy;
  }
  if (name == "zip" || (name == "map" && count >= 2) || (name == "filter" && count == 2)) {
    const Value lazy = arena_.make(ValueKind::Lazy);
    lazy->lazy = name == "zip" ? LazyKind::Zip : name == "map" ? LazyKind::Map : LazyKind::Filter;
    lazy->items = given;
    for (size_t i = name == "zip" ? 0 : 1; i < count; ++i) lazy->items[i] = iterator_of(given[i]);
    return lazy;
  }
  if (name == "next" && count >= 1) {
    if (const Value next = next_of(given[0])) return next;
    if (count > 1) return given[1];
    if (!is_quiet() && given[0]->is(ValueKind::Lazy)) stop();  // StopIteration
    return arena_.unknown();
  }
  if (name == "sum" && count >= 1) {
    // Each item is added before the next one is made.
    Value total = count > 1 ? given[1] : arena_.integer(0);
    const bool is_whole = iterate_exactly(given[0], [&](Value item) {
      total = binary("+", total, item, node);
      return !stopped_;
    });
    return is_whole ? total : arena_.unknown();
  }
  if ((name == "min" || name == "max") && count >= 1) {
    std::vector<Value> items = given;
    if (count == 1) {
      std::optional<std::vector<Value>> all = exactly_all_of(given[0]);
      if (!all) return arena_.unknown();
      items = std::move(*all);
    }
    if (stopped_ || items.empty()) return arena_.unknown();
    const std::optional<std::vector<Value>> keys = sort_keys(items, arguments, node);
    if (!keys) return arena_.unknown();
    size_t best = 0;
    for (size_t i = 1; i < items.size(); ++i) {
      if (name == "min" ? is_before((*keys)[i], (*keys)[best])
                        : is_before((*keys)[best], (*keys)[i]))
        best = i;
    }
    return items[best];
  }
  if ((name == "all" || name == "any") && count == 1) {
    const std::optional<std::vector<Value>> items = exactly_all_of(given[0]);
    if (!items) return arena_.unknown();
    for (const Value item : *items) {
      const std::optional<bool> known = known_truth(item);
      if (!known.has_value()) return arena_.unknown();
      if (*known == (name == "any")) return arena_.boolean(name == "any");
    }
    return arena_.boolean(name == "all");
  }
  if (name == "isinstance" && count == 2) {
    bool is_known = true;
    const bool is = is_instance(given[0], given[1], is_known);
    if (is_known) return arena_.boolean(is);
    if (is_quiet()) return arena_.unknown();
    return arena_.boolean(remembered_choice(given[0], "isinstance " + given[1]->text));
  }
  if (name == "callable" && count == 1) {
    switch (given[0]->kind) {
      case ValueKind::Function:
      case ValueKind::Method:
      case ValueKind::Partial:
      case ValueKind::Class:
      case ValueKind::Module:
        return arena_.boolean(true);
      case ValueKind::Unknown:
      case ValueKind::External:
        return arena_.unknown();
      default:
        return arena_.boolean(false);
    }
  }
  if ((name == "getattr" || name == "hasattr") && count >= 2) {
    given[1] = settled(given[1]);
    if (given[1]->is(ValueKind::Unknown) && is_quiet() && name == "getattr") {
      const Value open = arena_.unknown();
      for (const Value one : candidates_of(given[1])) {
        if (one->is(ValueKind::Text)) open->items.push_back(attribute(given[0], one->text, node));
      }
      return open;
    }
    if (name == "getattr" && given[0]->is(ValueKind::Module) && given[1]->is(ValueKind::Unknown) &&
        !is_quiet() && !stopped_) {
      const Value open = arena_.unknown();  // what it is, its call says
      open->attributes.emplace_back(kMemberOf, given[0]);
      open->attributes.emplace_back(kMemberName, given[1]);
      return open;
    }
    if (!given[1]->is(ValueKind::Text) || stopped_) return arena_.unknown();
    const std::string_view key = given[1]->text;
    if (given[0]->is(ValueKind::Module)) {
      const Value value = module_attribute(given[0], key, node);
      const bool is_open =
          value->is(ValueKind::Unknown) ||
          (value->is(ValueKind::Method) && value->items[0]->is(ValueKind::External));
      // What was not made may be None, or no attribute at all.
      if (name == "hasattr")
        return is_open || value->is(ValueKind::None) ? arena_.unknown() : arena_.boolean(true);
      if (is_open && count > 2) return arena_.unknown();
      return value;
    }
    if (given[0]->is(ValueKind::Instance)) {
      const Value cls = given[0]->items[0];
      const bool has = std::any_of(given[0]->attributes.begin(), given[0]->attributes.end(),
                                   [&](const auto& row) { return row.first == key; }) ||
                       find_member(cls, key) != nullptr;
      if (name == "hasattr") return arena_.boolean(has);
      if (!has && count > 2) return given[2];
    }
    if (name == "hasattr") return arena_.unknown();
    return attribute(given[0], key, node);
  }
  if (name == "setattr" && count == 3) {
    if (given[1]->is(ValueKind::Text))
      set_attribute(given[0], arena_.keep(given[1]->text), given[2]);
    return arena_.none();
  }
  if (name == "super") {
    Environment* e = scope_;
    while (e != nullptr && (e->self == nullptr || e->owner == nullptr)) e = e->outer;
    if (count == 2) return arena_.sequence(ValueKind::Super, {given[0], given[1]});
    if (e == nullptr) return arena_.unknown();
    return arena_.sequence(ValueKind::Super, {e->owner, e->self});
  }
  if ((name == "int" || name == "float" || name == "bool" || name == "abs" || name == "round") &&
      count >= 1) {
    if (is_number(given[0])) {
      const double x = as_double(given[0]);
      if (name == "float") return arena_.number(x);
      if (name == "bool") return arena_.boolean(x != 0);
      if (name == "abs") {
        const int64_t integer = given[0]->integer;
        if (given[0]->is(ValueKind::Float)) return arena_.number(std::abs(x));
        if (integer == INT64_MIN) return arena_.unknown();
        return arena_.integer(integer < 0 ? -integer : integer);
      }
      if (std::abs(x) < 1e15 && count == 1)
        return arena_.integer(
            static_cast<int64_t>(name == "int" ? std::trunc(x) : std::nearbyint(x)));
      return arena_.unknown();
    }
    if (name == "abs" || name == "round") return torch_call(name, arguments, node);
    if (name == "float" && given[0]->is(ValueKind::Text)) {
      if (given[0]->text == "-inf") return arena_.number(-HUGE_VAL);
      if (given[0]->text == "inf") return arena_.number(HUGE_VAL);
    }
    return arena_.unknown();
  }
  if (name == "pow" && count == 2) return binary("**", given[0], given[1], node);
  if (name == "divmod" && count == 2)
    return arena_.sequence(ValueKind::Tuple, {binary("//", given[0], given[1], node),
                                              binary("%", given[0], given[1], node)});
  if (name == "slice") {
    Value parts[3] = {arena_.none(), arena_.none(), arena_.none()};
    for (size_t i = 0; i < std::min<size_t>(count, 3); ++i) parts[count == 1 ? 1 : i] = given[i];
    return arena_.sequence(ValueKind::Slice, {parts[0], parts[1], parts[2]});
  }
  if (name == "type" && count == 1) {
    const Value cls = class_of(given[0]);
    return cls != nullptr ? cls : arena_.unknown();
  }
  if (name == "str" && count == 1 && given[0]->is(ValueKind::Text)) return given[0];
  if (name == "str" && count == 1 && given[0]->is(ValueKind::Int))
    return arena_.string(std::to_string(given[0]->integer));
  return arena_.unknown();
}

}  // namespace etlens::recover
