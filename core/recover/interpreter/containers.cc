// SPDX-License-Identifier: Apache-2.0
// Methods of lists, dictionaries, texts, and of modules that hold others.
#include "core/recover/interpreter/containers.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/recover/interpreter/calls.h"
#include "core/recover/interpreter/classes.h"
#include "core/recover/interpreter/evaluator.h"
#include "core/recover/interpreter/expressions.h"
#include "core/recover/interpreter/iteration.h"
#include "core/recover/interpreter/libraries.h"
#include "core/recover/interpreter/operators.h"
#include "core/recover/interpreter/scopes.h"
#include "core/recover/interpreter/torch_methods.h"

namespace etlens::recover {
namespace {

constexpr double kLayerUnit = 0.1;

std::string replaced(std::string_view text, std::string_view what, std::string_view by) {
  std::string result;
  while (true) {
    const size_t at = text.find(what);
    result += text.substr(0, at);
    if (at == std::string_view::npos || result.size() > kMaxText) return result;
    result += by;
    text.remove_prefix(at + what.size());
  }
}

std::vector<std::string_view> parts_of(std::string_view text, std::string_view by) {
  std::vector<std::string_view> parts;
  while (parts.size() < kMaxItems) {
    const size_t at = by.empty() ? text.find_first_of(" \t\n") : text.find(by);
    const std::string_view part = text.substr(0, at);
    if (!by.empty() || !part.empty()) parts.push_back(part);
    if (at == std::string_view::npos) break;
    text.remove_prefix(at + (by.empty() ? 1 : by.size()));
  }
  return parts;
}

std::string_view stripped(std::string_view text, std::string_view name) {
  if (name == "strip") return trim(text);
  const size_t first = name == "lstrip" ? text.find_first_not_of(" \t\n") : 0;
  const size_t last = name == "rstrip" ? text.find_last_not_of(" \t\n") : text.size() - 1;
  if (first == std::string_view::npos || last == std::string_view::npos) return {};
  return text.substr(first, last + 1 - first);
}

// Of a list, a set or a dictionary: what only asks it.
bool keeps_content(std::string_view name) {
  static constexpr std::string_view kAsks[] = {
      "count", "index",        "copy",       "get",      "items",      "keys",       "values",
      "union", "intersection", "difference", "issubset", "issuperset", "isdisjoint", "numel"};
  return name.starts_with("__") || std::ranges::find(kAsks, name) != std::end(kAsks);
}

std::string in_case(std::string text, bool is_lower) {
  for (char& c : text) {
    if (is_lower && c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
    if (!is_lower && c >= 'a' && c <= 'z') c = static_cast<char>(c - 32);
  }
  return text;
}

// Null: not known.
Value text_method(Arena& arena, std::string_view name, std::string_view self,
                  const std::vector<Value>& given) {
  const bool has_texts = std::all_of(given.begin(), given.end(),
                                     [](Value value) { return value->is(ValueKind::Text); });
  if (!has_texts) return nullptr;
  if (given.empty() && (name == "lower" || name == "upper"))
    return arena.string(in_case(std::string(self), name == "lower"));
  if (given.empty() && name.ends_with("strip") && !self.empty())
    return arena.string(stripped(self, name));
  if (given.size() == 1 && name == "startswith")
    return arena.boolean(self.starts_with(given[0]->text()));
  if (given.size() == 1 && name == "endswith")
    return arena.boolean(self.ends_with(given[0]->text()));
  if (given.size() == 2 && name == "replace" && !given[0]->text().empty()) {
    const std::string text = replaced(self, given[0]->text(), given[1]->text());
    return text.size() > kMaxText ? nullptr : arena.string(text);
  }
  if (name == "split" && (given.empty() || (given.size() == 1 && !given[0]->text().empty()))) {
    std::vector<Value> parts;
    for (const std::string_view part :
         parts_of(self, given.empty() ? std::string_view() : given[0]->text()))
      parts.push_back(arena.string(part));
    if (parts.size() >= kMaxItems) return nullptr;
    return arena.list(std::move(parts));
  }
  return nullptr;
}

// list.pop(), or list.pop(place).
Value popped(Evaluator& run, Value self, const std::vector<Value>& given) {
  const auto size = static_cast<int64_t>(self->items().size());
  int64_t i = size - 1;
  if (!given.empty()) {
    if (!given[0]->is(ValueKind::Int)) {
      run.forget(self);
      return run.arena.unknown();
    }
    i = given[0]->integer() < 0 ? given[0]->integer() + size : given[0]->integer();
  }
  if (i < 0 || i >= size) {
    if (!run.is_quiet()) run.stop();
    return run.arena.unknown();
  }
  const Value item = self->items()[static_cast<size_t>(i)];
  self->items().erase(self->items().begin() + i);
  return item;
}

Value list_method(Evaluator& run, std::string_view name, Value self,
                  const std::vector<Value>& given, uint32_t node) {
  if (name == "numel" && given.empty()) {
    Value total = run.arena.integer(1);
    const std::vector<Value> sizes = self->items();  // what multiplies may change it
    for (const Value item : sizes) total = binary(run, "*", total, item, node);
    return total;
  }
  if (name == "index" && given.size() == 1) {
    for (size_t i = 0; i < self->items().size(); ++i) {
      if (known_equal(run, self->items()[i], given[0]) == true)
        return run.arena.integer(static_cast<int64_t>(i));
    }
  }
  if (!self->is(ValueKind::List) || !run.may_write(self)) return run.arena.unknown();
  if (name == "append" && given.size() == 1 && self->items().size() < kMaxItems) {
    self->items().push_back(given[0]);
    return run.arena.none();
  }
  if (name == "add" && given.size() == 1 && self->items().size() < kMaxItems) {
    for (const Value item : self->items()) {
      const std::optional<bool> equal = known_equal(run, item, given[0]);
      if (equal == true) return run.arena.none();
      if (equal == false) continue;
      run.forget(self);  // once or twice
      return run.arena.none();
    }
    self->items().push_back(given[0]);
    return run.arena.none();
  }
  if (name == "extend" && given.size() == 1) {
    extend(run, self, given[0]);
    return run.arena.none();
  }
  if (name == "insert" && given.size() == 2 && given[0]->is(ValueKind::Int) &&
      self->items().size() < kMaxItems) {
    const auto size = static_cast<int64_t>(self->items().size());
    int64_t i = given[0]->integer() < 0 ? given[0]->integer() + size : given[0]->integer();
    i = std::clamp<int64_t>(i, 0, size);
    self->items().insert(self->items().begin() + i, given[1]);
    return run.arena.none();
  }
  if (name == "pop" && !self->items().empty()) return popped(run, self, given);
  if (name == "reverse") {
    std::reverse(self->items().begin(), self->items().end());
    return run.arena.none();
  }
  if (name == "copy") return run.arena.list(self->items());
  if (name == "clear") {
    self->items().clear();
    return run.arena.none();
  }
  if (!keeps_content(name)) run.forget(self);
  return run.arena.unknown();
}

// dict.get(key, otherwise) with an open key: an entry, or what stands for none.
Value got(Evaluator& run, Value dict, Value key, Value otherwise, uint32_t node) {
  const bool is_tried = !run.is_quiet() && run.has_choices();
  if (is_tried && run.choose({0, 0}) == 1) return otherwise;
  if (run.is_stopped()) return run.arena.unknown();
  const Value entry = subscript(run, dict, {key}, node);
  if (is_tried || !has_candidates(entry)) return entry;
  std::vector<Value> all = entry->unknown().candidates;
  all.push_back(otherwise);
  return run.arena.one_of(std::move(all));
}

Value dict_get(Evaluator& run, Value self, const std::vector<Value>& given, uint32_t node) {
  const auto& [keys, values, factory, is_open_dict] = self->dict();
  bool is_open = given[0]->is(ValueKind::Unknown);
  for (size_t i = 0; i < keys.size() && i < values.size(); ++i) {
    const std::optional<bool> equal = known_equal(run, keys[i], given[0]);
    if (equal == true) return values[i];
    if (!equal.has_value()) is_open = true;
  }
  if (is_open && given.size() > 1) return got(run, self, given[0], given[1], node);
  if (is_open) return subscript(run, self, {given[0]}, node);
  if (is_open_dict) return run.arena.unknown();
  return given.size() > 1 ? given[1] : run.arena.none();
}

Value dict_method(Evaluator& run, std::string_view name, Value self, const Arguments& arguments,
                  uint32_t node) {
  if (!self->is(ValueKind::Dict)) return run.arena.unknown();  // of an object that may have others
  const std::vector<Value>& given = arguments.positional;
  auto& [keys, values, factory, is_open_dict] = self->dict();
  if (name == "get" && !given.empty()) return dict_get(run, self, given, node);
  if (name == "items") {
    std::vector<Value> pairs;
    for (size_t i = 0; i < keys.size() && i < values.size(); ++i)
      pairs.push_back(run.arena.tuple({keys[i], values[i]}));
    return run.arena.list(std::move(pairs));
  }
  if (name == "values") return run.arena.list(values);
  if (name == "keys") return run.arena.list(keys);
  if (name == "copy") {
    const Value copy = run.arena.dict();
    merge(run, copy, self);
    return copy;
  }
  if (name == "update") {
    if (given.size() == 1) merge(run, self, given[0]);
    for (const auto& [key, item] : arguments.named) put(run, self, run.arena.string(key), item);
    return run.arena.none();
  }
  if (name == "pop" && !given.empty() && run.may_write(self)) {
    for (size_t i = 0; i < keys.size() && i < values.size(); ++i) {
      if (known_equal(run, keys[i], given[0]) != true) continue;
      const Value item = values[i];
      keys.erase(keys.begin() + static_cast<ptrdiff_t>(i));
      values.erase(values.begin() + static_cast<ptrdiff_t>(i));
      return item;
    }
    return given.size() > 1 && !given[0]->is(ValueKind::Unknown)
               ? is_open_dict ? run.arena.unknown() : given[1]
               : subscript(run, self, {given[0]}, node);
  }
  if (name == "setdefault" && given.size() == 2) {
    const auto has = [&](Value key) { return known_equal(run, key, given[0]) == true; };
    if (given[0]->is(ValueKind::Text) && std::none_of(keys.begin(), keys.end(), has)) {
      put(run, self, given[0], given[1]);
      return given[1];
    }
    const bool is_there = std::any_of(keys.begin(), keys.end(), has);
    const Value item = subscript(run, self, {given[0]}, node);
    if (!is_there) run.forget(self);  // it may hold a key more
    return item;
  }
  if (!keeps_content(name)) run.forget(self);
  return run.arena.unknown();
}

Value holder_method(Evaluator& run, std::string_view name, Value self, Arguments& arguments) {
  const std::vector<Value>& given = arguments.positional;
  if (name == "items" || name == "named_children" || name == "values" || name == "children" ||
      name == "keys") {
    std::vector<Value> made;
    const bool pairs = name == "items" || name == "named_children";
    const std::string prefix = self->path().empty() ? std::string() : self->path() + ".";
    const ModelModule* const row = run.task->graph->find_module(self->path());
    for (const std::string_view child :
         row == nullptr ? std::span<const std::string_view>() : row->children) {
      const Value module = run.arena.module(prefix + std::string(child));
      if (pairs) {
        made.push_back(run.arena.tuple({run.arena.string(child), module}));
      } else {
        made.push_back(name == "keys" ? run.arena.string(child) : module);
      }
    }
    return run.arena.list(std::move(made));
  }
  if (name == "forward") {
    // Of a container of torch: its children one behind the other.
    Value value = given.empty() ? run.arena.unknown() : given[0];
    std::vector<Value> children = all_of(run, self);
    std::erase_if(children, [](Value child) { return !child->is(ValueKind::Module); });
    if (children.empty()) return run.matcher.call_library(arguments, kLayerUnit);  // of a layer
    for (const Value child : children) {
      Arguments one{{value}, {}, false};
      value = run.matcher.call_module(child, one);
      if (run.is_stopped()) break;
    }
    return value;
  }
  return run.arena.unknown();
}

}  // namespace

void extend(Evaluator& run, Value list, Value items) {
  if (!run.may_write(list)) return;
  if (!items->is(ValueKind::Lazy)) {
    const std::optional<std::vector<Value>> more = exactly_all_of(run, items);
    if (!more) return run.forget(list);
    if (!list->is(ValueKind::List)) return;
    list->items().insert(list->items().end(), more->begin(), more->end());
    if (list->items().size() > kMaxItems) run.stop();
    return;
  }
  iterate(run, items, [&](Value item) {
    if (!list->is(ValueKind::List)) return false;  // what makes the items changes it
    list->items().push_back(item);
    if (list->items().size() > kMaxItems) run.stop();
    return !run.is_stopped();
  });
}

void put(Evaluator& run, Value dict, Value key, Value item) {
  if (!run.may_write(dict) || !dict->is(ValueKind::Dict)) return;
  auto& [keys, values, factory, is_open] = dict->dict();
  for (size_t i = 0; i < keys.size() && i < values.size(); ++i) {
    run.step();
    const std::optional<bool> equal = known_equal(run, keys[i], key);
    if (!equal.has_value()) values[i] = any_returned(run, {values[i]}, item);
    if (equal != true) continue;
    values[i] = item;
    return;
  }
  keys.push_back(key);
  values.push_back(item);
}

void put_all(Evaluator& run, Value dict, Value others) {
  const std::vector<Value> keys = others->dict().keys;
  for (size_t i = 0; i < keys.size() && i < others->dict().values.size() && !run.is_stopped(); ++i)
    put(run, dict, keys[i], others->dict().values[i]);
}

void merge(Evaluator& run, Value dict, Value others) {
  if (!run.may_write(dict) || !dict->is(ValueKind::Dict)) return;
  if (others->is(ValueKind::Dict)) {
    put_all(run, dict, others);
    dict->dict().is_open |= others->dict().is_open;
    return;
  }
  for (Value& item : dict->dict().values) item = likely(run, item);
  dict->dict().is_open = true;
}

Value held_dict(Value instance) {
  return instance->is(ValueKind::Instance) ? instance->instance().held : nullptr;
}

Value call_container(Evaluator& run, std::string_view name, Value self, Arguments& arguments,
                     uint32_t node) {
  switch (self->kind()) {
    case ValueKind::List:
    case ValueKind::Tuple:
      return list_method(run, name, self, arguments.positional, node);
    case ValueKind::Dict:
      return dict_method(run, name, self, arguments, node);
    case ValueKind::Text: {
      if (name == "join" && arguments.positional.size() == 1) {
        std::string text;
        bool is_first = true;
        const auto items = exactly_all_of(run, arguments.positional[0]);
        if (!items) return run.arena.unknown();
        for (const Value item : *items) {
          if (!item->is(ValueKind::Text) || text.size() > kMaxText) return run.arena.unknown();
          if (!is_first) text += self->text();
          text += item->text();
          is_first = false;
        }
        return made_text(run, text);
      }
      const Value made = text_method(run.arena, name, self->text(), arguments.positional);
      return made == nullptr ? run.arena.unknown() : made;
    }
    case ValueKind::Module:
      // Of torch's own classes, whose methods the project's call.
      if (name == "__call__") return run.matcher.call_module(self, arguments);
      if (name == "_conv_forward") return call_convolution(run, self, arguments, node);
      if (name == "forward" && run.task != nullptr) {
        if (const Value made = call_layer(run, self, arguments, node)) return made;
      }
      if (run.task != nullptr) return holder_method(run, name, self, arguments);
      break;
    case ValueKind::Instance:
      if (const Value dict = held_dict(self)) {
        const std::vector<Value>& given = arguments.positional;
        if (name == "__getitem__" && given.size() == 1) return subscript(run, dict, given, node);
        if (name == "__setitem__" && given.size() == 2) {
          put(run, dict, given[0], given[1]);
          return run.arena.none();
        }
        if (name != "__init__") return dict_method(run, name, dict, arguments, node);
        const Value made = call_builtin(run, "dict", arguments, node);
        if (made->is(ValueKind::Dict)) merge(run, dict, made);
      }
      break;
    case ValueKind::Class:
      if (name == "apply") return apply_function(run, self, arguments, node);
      break;
    default:
      break;
  }
  if (name == "__init__" || name == "__init_subclass__") return run.arena.none();
  return run.arena.unknown();
}

}  // namespace etlens::recover
