// SPDX-License-Identifier: Apache-2.0
// Methods of lists, dictionaries, texts, and of modules that hold others.
#include <algorithm>

#include "core/base/text.h"
#include "core/recover/interpreter/interpreter.h"

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

}  // namespace

Value Interpreter::list_method(std::string_view name, Value self, const std::vector<Value>& given,
                               uint32_t node) {
  if (name == "numel" && given.empty()) {
    Value total = arena_.integer(1);
    const std::vector<Value> sizes = self->items();  // what multiplies may change it
    for (const Value item : sizes) total = binary("*", total, item, node);
    return total;
  }
  if (name == "index" && given.size() == 1) {
    for (size_t i = 0; i < self->items().size(); ++i) {
      if (known_equal(self->items()[i], given[0]) == true)
        return arena_.integer(static_cast<int64_t>(i));
    }
  }
  if (!self->is(ValueKind::List) || !may_write(self)) return arena_.unknown();
  if (name == "append" && given.size() == 1 && self->items().size() < kMaxItems) {
    self->items().push_back(given[0]);
    return arena_.none();
  }
  if (name == "add" && given.size() == 1 && self->items().size() < kMaxItems) {
    for (const Value item : self->items()) {
      const std::optional<bool> equal = known_equal(item, given[0]);
      if (equal == true) return arena_.none();
      if (equal == false) continue;
      forget(self);  // once or twice
      return arena_.none();
    }
    self->items().push_back(given[0]);
    return arena_.none();
  }
  if (name == "extend" && given.size() == 1) {
    extend(self, given[0]);
    return arena_.none();
  }
  if (name == "insert" && given.size() == 2 && given[0]->is(ValueKind::Int) &&
      self->items().size() < kMaxItems) {
    const auto size = static_cast<int64_t>(self->items().size());
    int64_t i = given[0]->integer() < 0 ? given[0]->integer() + size : given[0]->integer();
    i = std::clamp<int64_t>(i, 0, size);
    self->items().insert(self->items().begin() + i, given[1]);
    return arena_.none();
  }
  if (name == "pop" && !self->items().empty()) {
    const auto size = static_cast<int64_t>(self->items().size());
    int64_t i = size - 1;
    if (!given.empty()) {
      if (!given[0]->is(ValueKind::Int)) {
        forget(self);
        return arena_.unknown();
      }
      i = given[0]->integer() < 0 ? given[0]->integer() + size : given[0]->integer();
    }
    if (i < 0 || i >= size) {
      if (!is_quiet()) stop();
      return arena_.unknown();
    }
    const Value item = self->items()[static_cast<size_t>(i)];
    self->items().erase(self->items().begin() + i);
    return item;
  }
  if (name == "reverse") {
    std::reverse(self->items().begin(), self->items().end());
    return arena_.none();
  }
  if (name == "copy") return arena_.list(self->items());
  if (name == "clear") {
    self->items().clear();
    return arena_.none();
  }
  if (!keeps_content(name)) forget(self);
  return arena_.unknown();
}

// A list grows item by item: what makes the items sees those that came before.
void Interpreter::extend(Value list, Value items) {
  if (!may_write(list)) return;
  if (!items->is(ValueKind::Lazy)) {
    const std::optional<std::vector<Value>> more = exactly_all_of(items);
    if (!more) return forget(list);
    if (!list->is(ValueKind::List)) return;
    list->items().insert(list->items().end(), more->begin(), more->end());
    if (list->items().size() > kMaxItems) stop();
    return;
  }
  iterate(items, [&](Value item) {
    if (!list->is(ValueKind::List)) return false;  // what makes the items changes it
    list->items().push_back(item);
    if (list->items().size() > kMaxItems) stop();
    return !stopped_;
  });
}

void Interpreter::put(Value dict, Value key, Value item) {
  if (!may_write(dict) || !dict->is(ValueKind::Dict)) return;
  auto& [keys, values, factory, is_open] = dict->dict();
  for (size_t i = 0; i < keys.size() && i < values.size(); ++i) {
    step();
    const std::optional<bool> equal = known_equal(keys[i], key);
    if (!equal.has_value()) values[i] = any_returned({values[i]}, item);
    if (equal != true) continue;
    values[i] = item;
    return;
  }
  keys.push_back(key);
  values.push_back(item);
}

void Interpreter::put_all(Value dict, Value others) {
  const std::vector<Value> keys = others->dict().keys;
  for (size_t i = 0; i < keys.size() && i < others->dict().values.size() && !stopped_; ++i)
    put(dict, keys[i], others->dict().values[i]);
}

void Interpreter::merge(Value dict, Value others) {
  if (!may_write(dict) || !dict->is(ValueKind::Dict)) return;
  if (others->is(ValueKind::Dict)) {
    put_all(dict, others);
    dict->dict().is_open |= others->dict().is_open;
    return;
  }
  for (Value& item : dict->dict().values) item = likely(item);
  dict->dict().is_open = true;
}

Value Interpreter::held_dict(Value instance) {
  return instance->is(ValueKind::Instance) ? instance->instance().held : nullptr;
}

Value Interpreter::dict_method(std::string_view name, Value self, const Arguments& arguments,
                               uint32_t node) {
  if (!self->is(ValueKind::Dict)) return arena_.unknown();  // of an object that may have others
  const std::vector<Value>& given = arguments.positional;
  auto& [keys, values, factory, is_open_dict] = self->dict();
  if (name == "get" && !given.empty()) {
    bool is_open = given[0]->is(ValueKind::Unknown);
    for (size_t i = 0; i < keys.size() && i < values.size(); ++i) {
      const std::optional<bool> equal = known_equal(keys[i], given[0]);
      if (equal == true) return values[i];
      if (!equal.has_value()) is_open = true;
    }
    if (is_open) return subscript(self, {given[0]}, node);
    if (is_open_dict) return arena_.unknown();
    return given.size() > 1 ? given[1] : arena_.none();
  }
  if (name == "items") {
    std::vector<Value> pairs;
    for (size_t i = 0; i < keys.size() && i < values.size(); ++i)
      pairs.push_back(arena_.tuple({keys[i], values[i]}));
    return arena_.list(std::move(pairs));
  }
  if (name == "values") return arena_.list(values);
  if (name == "keys") return arena_.list(keys);
  if (name == "copy") {
    const Value copy = arena_.dict();
    merge(copy, self);
    return copy;
  }
  if (name == "update") {
    if (given.size() == 1) merge(self, given[0]);
    for (const auto& [key, item] : arguments.named) put(self, arena_.string(key), item);
    return arena_.none();
  }
  if (name == "pop" && !given.empty() && may_write(self)) {
    for (size_t i = 0; i < keys.size() && i < values.size(); ++i) {
      if (known_equal(keys[i], given[0]) != true) continue;
      const Value item = values[i];
      keys.erase(keys.begin() + static_cast<ptrdiff_t>(i));
      values.erase(values.begin() + static_cast<ptrdiff_t>(i));
      return item;
    }
    return given.size() > 1 && !given[0]->is(ValueKind::Unknown)
               ? is_open_dict ? arena_.unknown() : given[1]
               : subscript(self, {given[0]}, node);
  }
  if (name == "setdefault" && given.size() == 2) {
    const auto has = [&](Value key) { return known_equal(key, given[0]) == true; };
    if (given[0]->is(ValueKind::Text) && std::none_of(keys.begin(), keys.end(), has)) {
      put(self, given[0], given[1]);
      return given[1];
    }
    const bool is_there = std::any_of(keys.begin(), keys.end(), has);
    const Value item = subscript(self, {given[0]}, node);
    if (!is_there) forget(self);  // it may hold a key more
    return item;
  }
  if (!keeps_content(name)) forget(self);
  return arena_.unknown();
}

Value Interpreter::holder_method(std::string_view name, Value self, Arguments& arguments) {
  const std::vector<Value>& given = arguments.positional;
  if (name == "items" || name == "named_children" || name == "values" || name == "children" ||
      name == "keys") {
    std::vector<Value> made;
    const bool pairs = name == "items" || name == "named_children";
    const std::string prefix = self->path().empty() ? std::string() : self->path() + ".";
    const ModelModule* const row = problem_->graph->find_module(self->path());
    for (const std::string_view child :
         row == nullptr ? std::span<const std::string_view>() : row->children) {
      const Value module = arena_.module(prefix + std::string(child));
      if (pairs) {
        made.push_back(arena_.tuple({arena_.string(child), module}));
      } else {
        made.push_back(name == "keys" ? arena_.string(child) : module);
      }
    }
    return arena_.list(std::move(made));
  }
  if (name == "forward") {
    // Of a container of torch: its children one behind the other.
    Value value = given.empty() ? arena_.unknown() : given[0];
    std::vector<Value> children = all_of(self);
    std::erase_if(children, [](Value child) { return !child->is(ValueKind::Module); });
    if (children.empty()) return call_library(arguments, kLayerUnit);  // of a layer
    for (const Value child : children) {
      Arguments one{{value}, {}, false};
      value = call_module(child, one);
      if (stopped_) break;
    }
    return value;
  }
  return arena_.unknown();
}

Value Interpreter::call_convolution(Value module, Arguments& arguments, uint32_t node) {
  for (const Value base : bases_in_order(class_of_module(module->path()))) {
    if (base->is(ValueKind::External) && base->name().starts_with("torch.nn.Conv"))
      return torch_call(base->name().ends_with("1d")   ? "conv1d"
                        : base->name().ends_with("2d") ? "conv2d"
                                                       : "conv3d",
                        arguments, node);
  }
  return arena_.unknown();
}

Value Interpreter::call_container(std::string_view name, Value self, Arguments& arguments,
                                  uint32_t node) {
  switch (self->kind()) {
    case ValueKind::List:
    case ValueKind::Tuple:
      return list_method(name, self, arguments.positional, node);
    case ValueKind::Dict:
      return dict_method(name, self, arguments, node);
    case ValueKind::Text: {
      if (name == "join" && arguments.positional.size() == 1) {
        std::string text;
        bool is_first = true;
        const auto items = exactly_all_of(arguments.positional[0]);
        if (!items) return arena_.unknown();
        for (const Value item : *items) {
          if (!item->is(ValueKind::Text) || text.size() > kMaxText) return arena_.unknown();
          if (!is_first) text += self->text();
          text += item->text();
          is_first = false;
        }
        return made_text(text);
      }
      const Value made = text_method(arena_, name, self->text(), arguments.positional);
      return made == nullptr ? arena_.unknown() : made;
    }
    case ValueKind::Module:
      // Of torch's own classes, whose methods the project's call.
      if (name == "__call__") return call_module(self, arguments);
      if (name == "_conv_forward") return call_convolution(self, arguments, node);
      if (problem_ != nullptr) return holder_method(name, self, arguments);
      break;
    case ValueKind::Instance:
      if (const Value dict = held_dict(self)) {
        const std::vector<Value>& given = arguments.positional;
        if (name == "__getitem__" && given.size() == 1) return subscript(dict, given, node);
        if (name == "__setitem__" && given.size() == 2) {
          put(dict, given[0], given[1]);
          return arena_.none();
        }
        if (name != "__init__") return dict_method(name, dict, arguments, node);
        const Value made = call_builtin("dict", arguments, node);
        if (made->is(ValueKind::Dict)) merge(dict, made);
      }
      break;
    default:
      break;
  }
  if (name == "__init__" || name == "__init_subclass__") return arena_.none();
  return arena_.unknown();
}

}  // namespace etlens::recover
