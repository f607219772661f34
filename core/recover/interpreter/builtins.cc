// SPDX-License-Identifier: Apache-2.0

#include "core/recover/interpreter/builtins.h"

#include <algorithm>
#include <array>
#include <cmath>
#include "core/recover/interpreter/attributes.h"
#include "core/recover/interpreter/calls.h"
#include "core/recover/interpreter/classes.h"
#include "core/recover/interpreter/containers.h"
#include "core/recover/interpreter/evaluator.h"
#include "core/recover/interpreter/expressions.h"
#include "core/recover/interpreter/iteration.h"
#include "core/recover/interpreter/libraries.h"
#include "core/recover/interpreter/operators.h"

namespace etlens::recover {

namespace {

// No NaN either.
bool is_exact(double x) { return std::abs(x) < kMostExact; }

// What was not made may be None, or no attribute at all.
bool may_be_missing(Value member) {
  return member->is(ValueKind::Unknown) ||
         (member->is(ValueKind::Method) && member->method().function->is(ValueKind::External));
}

}  // namespace

Value ItemBuiltins::call() {
  static constexpr auto kRows = std::to_array<Row<ItemBuiltins>>({
      {"range", 1, 3, &ItemBuiltins::range},
      {"len", 1, 1, &ItemBuiltins::length},
      {"list", 0, kAny, &ItemBuiltins::container},
      {"tuple", 0, kAny, &ItemBuiltins::container},
      {"set", 0, kAny, &ItemBuiltins::container},
      {"frozenset", 0, kAny, &ItemBuiltins::container},
      {"sorted", 0, kAny, &ItemBuiltins::container},
      {"reversed", 0, kAny, &ItemBuiltins::reversed},
      {"iter", 0, kAny, &ItemBuiltins::iterator},
      {"dict", 0, kAny, &ItemBuiltins::dictionary},
      {"enumerate", 1, kAny, &ItemBuiltins::enumerated},
      {"zip", 0, kAny, &ItemBuiltins::zipped},
      {"map", 2, kAny, &ItemBuiltins::zipped},
      {"filter", 2, 2, &ItemBuiltins::zipped},
      {"next", 1, kAny, &ItemBuiltins::next},
      {"sum", 1, kAny, &ItemBuiltins::sum},
      {"min", 1, kAny, &ItemBuiltins::extreme},
      {"max", 1, kAny, &ItemBuiltins::extreme},
      {"all", 1, 1, &ItemBuiltins::all_or_any},
      {"any", 1, 1, &ItemBuiltins::all_or_any},
  });
  return call_row(*this, kRows);
}

Value ItemBuiltins::range() {
  const size_t count = given_.size();
  int64_t bounds[3] = {0, 0, 1};
  for (size_t i = 0; i < count; ++i) {
    if (!given_[i]->is(ValueKind::Int) && !given_[i]->is(ValueKind::Bool)) {
      // Its end is unknown: it counts all the same.
      if (count == i + 1 && count < 3)
        return arena_.unknown_from(payload::Counting{arena_.integer(bounds[0])});
      return unknown();
    }
    bounds[count == 1 ? 1 : i] = given_[i]->integer();
  }
  if (bounds[2] == 0) return unknown();
  std::vector<Value> made;
  for (int64_t i = bounds[0]; bounds[2] > 0 ? i < bounds[1] : i > bounds[1];) {
    run_.step();
    if (made.size() >= kMaxItems || run_.is_stopped()) return unknown();
    made.push_back(arena_.integer(i));
    if (__builtin_add_overflow(i, bounds[2], &i)) break;
  }
  return arena_.tuple(std::move(made));
}

Value ItemBuiltins::length() {
  const Value value = given_[0];
  if (is_sequence(value)) return arena_.integer(static_cast<int64_t>(value->items().size()));
  if (value->is(ValueKind::Dict) && !value->dict().is_open)
    return arena_.integer(static_cast<int64_t>(value->dict().keys.size()));
  if (value->is(ValueKind::Text) && is_plain(value->text()))
    return arena_.integer(static_cast<int64_t>(value->text().size()));
  if (value->is(ValueKind::Tensor)) {
    if (is_multiple(value))
      return arena_.integer(static_cast<int64_t>(value->tensor().parts.size()));
    const Value sizes = run_.matcher.size_of(value, nullptr);
    return sizes->is(ValueKind::Tuple) && !sizes->items().empty() ? sizes->items()[0] : unknown();
  }
  bool found = false;
  const Value made = call_method_named(run_, value, "__len__", {}, node_, found);
  if (found) return made;
  if (value->is(ValueKind::Module))
    return arena_.integer(static_cast<int64_t>(all_of(run_, value).size()));
  return unknown_attribute(run_, value, "__len__");
}

// A list, a tuple or a set; sorted or not.
Value ItemBuiltins::container() {
  const ValueKind kind = is_named("tuple") ? ValueKind::Tuple : ValueKind::List;
  if (given_.empty()) return arena_.sequence(kind, {});
  if (given_[0]->is(ValueKind::Unknown)) return given_[0];
  std::optional<std::vector<Value>> items = exactly_all_of(run_, given_[0]);
  if (!items || (is_named("sorted") && !sort(run_, *items, arguments_, node_))) return unknown();
  const Value made = arena_.sequence(kind, std::move(*items));
  return is_named("set") || is_named("frozenset") ? set_of(run_, made) : made;
}

Value ItemBuiltins::iterator() {
  return given_.empty() ? arena_.list() : iterator_of(run_, given_[0]);
}

Value ItemBuiltins::reversed() {
  if (given_.empty()) return arena_.list();
  if (given_[0]->is(ValueKind::Unknown)) return given_[0];
  std::optional<std::vector<Value>> items = exactly_all_of(run_, given_[0]);
  if (!items) return unknown();
  std::ranges::reverse(*items);
  return iterator_over(run_, std::move(*items));
}

Value ItemBuiltins::dictionary() {
  const Value made = arena_.dict();
  if (!given_.empty()) {
    if (const Value inner = held_dict(given_[0])) given_[0] = inner;
    if (given_[0]->is(ValueKind::Dict) || given_[0]->is(ValueKind::Unknown)) {
      merge(run_, made, given_[0]);
    } else {
      for (const Value pair : all_of(run_, given_[0])) {
        if (!is_sequence(pair) || pair->items().size() != 2) return unknown();
        made->dict().keys.push_back(pair->items()[0]);
        made->dict().values.push_back(pair->items()[1]);
      }
    }
  }
  for (const auto& [key, value] : arguments_.named) put(run_, made, arena_.string(key), value);
  made->dict().is_open |= arguments_.has_more;
  return made;
}

Value ItemBuiltins::enumerated() {
  payload::Lazy lazy{.kind = LazyKind::Enumerate, .items = {iterator_of(run_, given_[0])}};
  Value start = nullptr;
  if (given_.size() > 1) start = given_[1];
  else if (!arguments_.named.empty()) start = arguments_.named[0].second;
  if (start == nullptr) return arena_.make(std::move(lazy));
  const bool is_known = start->is(ValueKind::Int) && std::abs(as_double(start)) < kMostExact;
  if (is_known) lazy.next = start->integer();
  lazy.is_open = !is_known;
  return arena_.make(std::move(lazy));
}

// Of zip all are walked through; of map and filter all but the function.
Value ItemBuiltins::zipped() {
  payload::Lazy lazy{.kind = LazyKind::Zip, .items = given_};
  if (is_named("map")) lazy.kind = LazyKind::Map;
  if (is_named("filter")) lazy.kind = LazyKind::Filter;
  for (size_t i = is_named("zip") ? 0 : 1; i < given_.size(); ++i)
    lazy.items[i] = iterator_of(run_, given_[i]);
  return arena_.make(std::move(lazy));
}

Value ItemBuiltins::next() {
  if (const Value next = next_of(run_, given_[0])) return next;
  if (given_.size() > 1) return given_[1];
  if (!run_.is_quiet() && given_[0]->is(ValueKind::Lazy)) run_.stop();  // StopIteration
  return unknown();
}

// Each item is added before the next one is made.
Value ItemBuiltins::sum() {
  Value total = given_.size() > 1 ? given_[1] : arena_.integer(0);
  const bool is_whole = iterate_exactly(run_, given_[0], [&](Value item) {
    total = binary(run_, "+", total, item, node_);
    return !run_.is_stopped();
  });
  return is_whole ? total : unknown();
}

Value ItemBuiltins::extreme() {
  std::vector<Value> items = given_;
  if (given_.size() == 1) {
    std::optional<std::vector<Value>> all = exactly_all_of(run_, given_[0]);
    if (!all) return unknown();
    items = std::move(*all);
  }
  if (run_.is_stopped() || items.empty()) return unknown();
  const std::optional<std::vector<Value>> keys = sort_keys(run_, items, arguments_, node_);
  if (!keys) return unknown();
  size_t best = 0;
  for (size_t i = 1; i < items.size(); ++i) {
    if (is_named("min") ? is_before((*keys)[i], (*keys)[best])
                        : is_before((*keys)[best], (*keys)[i]))
      best = i;
  }
  return items[best];
}

Value ItemBuiltins::all_or_any() {
  const std::optional<std::vector<Value>> items = exactly_all_of(run_, given_[0]);
  if (!items) return unknown();
  for (const Value item : *items) {
    const std::optional<bool> known = known_truth(run_, item);
    if (!known.has_value()) return unknown();
    if (*known == is_named("any")) return arena_.boolean(is_named("any"));
  }
  return arena_.boolean(is_named("all"));
}

Value ObjectBuiltins::call() {
  static constexpr auto kRows = std::to_array<Row<ObjectBuiltins>>({
      {"isinstance", 2, 2, &ObjectBuiltins::is_instance},
      {"callable", 1, 1, &ObjectBuiltins::is_callable},
      {"getattr", 2, kAny, &ObjectBuiltins::get_attribute},
      {"hasattr", 2, kAny, &ObjectBuiltins::has_attribute},
      {"setattr", 3, 3, &ObjectBuiltins::set_attribute},
      {"super", 0, kAny, &ObjectBuiltins::super},
      {"type", 1, 1, &ObjectBuiltins::type},
  });
  return call_row(*this, kRows);
}

Value ObjectBuiltins::is_instance() {
  bool is_known = true;
  const bool is = recover::is_instance(run_, given_[0], given_[1], is_known);
  if (is_known) return arena_.boolean(is);
  if (run_.is_quiet()) return unknown();
  return arena_.boolean(
      remembered_choice(run_, given_[0], "isinstance " + std::string(label_of(given_[1]))));
}

Value ObjectBuiltins::is_callable() {
  switch (given_[0]->kind()) {
    case ValueKind::Function:
    case ValueKind::Method:
    case ValueKind::Partial:
    case ValueKind::Class:
    case ValueKind::Module:
      return arena_.boolean(true);
    case ValueKind::Unknown:
    case ValueKind::External:
      return unknown();
    default:
      return arena_.boolean(false);
  }
}

// Of an unknown name; null if it is known by now.
Value ObjectBuiltins::open_member() {
  given_[1] = run_.model.settled(given_[1]);
  if (!given_[1]->is(ValueKind::Unknown)) return nullptr;
  if (run_.is_quiet()) {
    std::vector<Value> members;
    for (const Value one : run_.model.candidates_of(given_[1])) {
      if (one->is(ValueKind::Text))
        members.push_back(attribute(run_, given_[0], one->text(), node_));
    }
    return arena_.one_of(std::move(members));
  }
  if (!given_[0]->is(ValueKind::Module) || run_.is_stopped()) return unknown();
  return arena_.unknown_from(payload::NamedMember{given_[0], given_[1]});  // its call says what
}

Value ObjectBuiltins::get_attribute() {
  if (const Value open = open_member()) return open;
  if (!given_[1]->is(ValueKind::Text) || run_.is_stopped()) return unknown();
  const std::string_view key = given_[1]->text();
  if (given_[0]->is(ValueKind::Module)) {
    const Value value = run_.model.module_attribute(given_[0], key, node_);
    const bool is_open = may_be_missing(value) && given_.size() > 2;
    return is_open && !run_.model.is_always_set(given_[0], key) ? unknown() : value;
  }
  if (given_.size() > 2 && given_[0]->is(ValueKind::Instance) && !has_member(run_, given_[0], key))
    return given_[2];
  if (given_.size() > 2 && given_[0]->is(ValueKind::None) && !key.starts_with("__"))
    return given_[2];
  return attribute(run_, given_[0], key, node_);
}

Value ObjectBuiltins::has_attribute() {
  given_[1] = run_.model.settled(given_[1]);
  if (!given_[1]->is(ValueKind::Text) || run_.is_stopped()) return unknown();
  const std::string_view key = given_[1]->text();
  if (given_[0]->is(ValueKind::Module)) {
    const Value value = run_.model.module_attribute(given_[0], key, node_);
    if (run_.model.is_always_set(given_[0], key)) return arena_.boolean(true);
    const bool is_open = may_be_missing(value) || value->is(ValueKind::None);
    return is_open ? unknown() : arena_.boolean(true);
  }
  if (given_[0]->is(ValueKind::None) && !key.starts_with("__")) return arena_.boolean(false);
  if (!given_[0]->is(ValueKind::Instance)) return unknown();
  return arena_.boolean(has_member(run_, given_[0], key));
}

Value ObjectBuiltins::set_attribute() {
  if (given_[1]->is(ValueKind::Text))
    recover::set_attribute(run_, given_[0], arena_.keep(given_[1]->text()), given_[2]);
  return arena_.none();
}

Value ObjectBuiltins::super() {
  if (given_.size() == 2) return arena_.make(payload::Super{given_[0], given_[1]});
  const Environment* e = run_.scope();
  while (e != nullptr && (e->self == nullptr || e->owner == nullptr)) e = e->outer;
  return e == nullptr ? unknown() : arena_.make(payload::Super{e->owner, e->self});
}

Value ObjectBuiltins::type() {
  if (given_[0]->is(ValueKind::None)) return arena_.external(kTypeOfNone);
  const Value cls = class_of(run_, given_[0]);
  return cls != nullptr ? cls : unknown();
}

Value ValueBuiltins::call() {
  static constexpr auto kRows = std::to_array<Row<ValueBuiltins>>({
      {"int", 1, kAny, &ValueBuiltins::number},
      {"float", 1, kAny, &ValueBuiltins::number},
      {"bool", 1, kAny, &ValueBuiltins::number},
      {"abs", 1, kAny, &ValueBuiltins::rounded},
      {"round", 1, kAny, &ValueBuiltins::rounded},
      {"pow", 2, 2, &ValueBuiltins::power},
      {"divmod", 2, 2, &ValueBuiltins::divided},
      {"slice", 0, kAny, &ValueBuiltins::slice},
      {"str", 1, 1, &ValueBuiltins::text},
  });
  return call_row(*this, kRows);
}

// int, float and bool.
Value ValueBuiltins::number() {
  if (is_number(given_[0])) {
    const double x = as_double(given_[0]);
    if (is_named("float")) return arena_.number(x);
    if (is_named("bool")) return arena_.boolean(x != 0);
    if (!is_exact(x) || given_.size() > 1) return unknown();
    return arena_.integer(static_cast<int64_t>(std::trunc(x)));
  }
  if (is_named("float") && given_[0]->is(ValueKind::Text)) {
    if (given_[0]->text() == "-inf") return arena_.number(-HUGE_VAL);
    if (given_[0]->text() == "inf") return arena_.number(HUGE_VAL);
  }
  return unknown();
}

// abs and round, which tensors have as well.
Value ValueBuiltins::rounded() {
  if (!is_number(given_[0])) return run_.matcher.torch_call(name_, arguments_, node_);
  const double x = as_double(given_[0]);
  if (is_named("abs")) {
    if (given_[0]->is(ValueKind::Float)) return arena_.number(std::abs(x));
    const int64_t integer = given_[0]->integer();
    if (integer == INT64_MIN) return unknown();
    return arena_.integer(integer < 0 ? -integer : integer);
  }
  if (!is_exact(x) || given_.size() > 1) return unknown();
  return arena_.integer(static_cast<int64_t>(std::nearbyint(x)));
}

Value ValueBuiltins::power() { return binary(run_, "**", given_[0], given_[1], node_); }

Value ValueBuiltins::divided() {
  const Value quotient = binary(run_, "//", given_[0], given_[1], node_);
  return arena_.tuple({quotient, binary(run_, "%", given_[0], given_[1], node_)});
}

Value ValueBuiltins::slice() {
  const size_t count = given_.size();
  Value parts[3] = {arena_.none(), arena_.none(), arena_.none()};
  for (size_t i = 0; i < std::min<size_t>(count, 3); ++i) parts[count == 1 ? 1 : i] = given_[i];
  return arena_.make(payload::Slice{parts[0], parts[1], parts[2]});
}

Value ValueBuiltins::text() {
  if (given_[0]->is(ValueKind::Text)) return given_[0];
  if (given_[0]->is(ValueKind::Int)) return arena_.string(std::to_string(given_[0]->integer()));
  return unknown();
}

Value call_builtin(Evaluator& run, std::string_view name, Arguments& arguments, uint32_t node) {
  const BuiltinCall call(run, name, arguments, node);
  if (const Value made = ItemBuiltins(call).call()) return made;
  if (const Value made = ObjectBuiltins(call).call()) return made;
  if (const Value made = ValueBuiltins(call).call()) return made;
  return run.arena.unknown();
}

}  // namespace etlens::recover
