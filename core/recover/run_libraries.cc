// SPDX-License-Identifier: Apache-2.0
// Methods of containers, and what of other libraries has a meaning here.
#include <algorithm>

#include "core/recover/interpreter.h"
#include "core/recover/operator_names.h"

namespace etlens::recover {
namespace {

constexpr double kLibraryUnit = 0.6;
constexpr double kLayerUnit = 0.1;

bool is_capital(std::string_view name) {
  const size_t dot = name.rfind('.');
  const std::string_view last = dot == std::string_view::npos ? name : name.substr(dot + 1);
  return !last.empty() && last.front() >= 'A' && last.front() <= 'Z';
}

}  // namespace

Value Interpreter::call_container(std::string_view name, Value self, Arguments& arguments,
                                  uint32_t node) {
  const std::vector<Value>& given = arguments.positional;
  if (self->is(ValueKind::List)) {
    if (name == "append" && given.size() == 1 && self->items.size() < kMaxItems) {
      self->items.push_back(given[0]);
      return arena_.none();
    }
    if (name == "add" && given.size() == 1 && self->items.size() < kMaxItems) {
      self->items.push_back(given[0]);
      return arena_.none();
    }
    if (name == "extend" && given.size() == 1) {
      for (const Value item : all_of(given[0])) self->items.push_back(item);
      if (self->items.size() > kMaxItems) stop();
      return arena_.none();
    }
    if (name == "insert" && given.size() == 2 && given[0]->is(ValueKind::Int)) {
      const auto size = static_cast<int64_t>(self->items.size());
      int64_t i = given[0]->integer < 0 ? given[0]->integer + size : given[0]->integer;
      i = std::clamp<int64_t>(i, 0, size);
      self->items.insert(self->items.begin() + i, given[1]);
      return arena_.none();
    }
    if (name == "pop" && !self->items.empty()) {
      const auto size = static_cast<int64_t>(self->items.size());
      int64_t i = size - 1;
      if (!given.empty()) {
        if (!given[0]->is(ValueKind::Int)) return arena_.unknown();
        i = given[0]->integer < 0 ? given[0]->integer + size : given[0]->integer;
      }
      if (i < 0 || i >= size) {
        if (!is_quiet()) stop();
        return arena_.unknown();
      }
      const Value item = self->items[static_cast<size_t>(i)];
      self->items.erase(self->items.begin() + i);
      return item;
    }
    if (name == "reverse") {
      std::reverse(self->items.begin(), self->items.end());
      return arena_.none();
    }
    if (name == "copy") return arena_.sequence(ValueKind::List, self->items);
    if (name == "clear") {
      self->items.clear();
      return arena_.none();
    }
  }
  if (self->is(ValueKind::Tuple) || self->is(ValueKind::List)) {
    if (name == "numel" && given.empty()) {
      Value total = arena_.integer(1);
      for (const Value item : self->items) total = binary("*", total, item, node);
      return total;
    }
    if (name == "index" && given.size() == 1) {
      for (size_t i = 0; i < self->items.size(); ++i) {
        if (known_equal(self->items[i], given[0]) == true)
          return arena_.integer(static_cast<int64_t>(i));
      }
    }
    return arena_.unknown();
  }
  if (self->is(ValueKind::Dict)) {
    if (name == "get" && !given.empty()) {
      bool is_open = given[0]->is(ValueKind::Unknown);
      for (size_t i = 0; i < self->items.size() && i < self->values.size(); ++i) {
        const std::optional<bool> equal = known_equal(self->items[i], given[0]);
        if (equal == true) return self->values[i];
        if (!equal.has_value()) is_open = true;
      }
      if (is_open) return subscript(self, {given[0]}, node);
      return given.size() > 1 ? given[1] : arena_.none();
    }
    if (name == "items") {
      std::vector<Value> pairs;
      for (size_t i = 0; i < self->items.size() && i < self->values.size(); ++i)
        pairs.push_back(arena_.sequence(ValueKind::Tuple, {self->items[i], self->values[i]}));
      return arena_.sequence(ValueKind::List, std::move(pairs));
    }
    if (name == "values") return arena_.sequence(ValueKind::List, self->values);
    if (name == "keys") return arena_.sequence(ValueKind::List, self->items);
    if (name == "copy")
      return arena_.sequence(ValueKind::Dict, self->items)->values = self->values, arena_.unknown();
    if (name == "update" && given.size() == 1 && given[0]->is(ValueKind::Dict)) {
      self->items.insert(self->items.end(), given[0]->items.begin(), given[0]->items.end());
      self->values.insert(self->values.end(), given[0]->values.begin(), given[0]->values.end());
      return arena_.none();
    }
    if (name == "pop" && !given.empty()) {
      const Value item = subscript(self, {given[0]}, node);
      return item;
    }
    if (name == "setdefault" && given.size() == 2) return subscript(self, {given[0]}, node);
    return arena_.unknown();
  }
  if (self->is(ValueKind::Text)) {
    if ((name == "startswith" || name == "endswith") && given.size() == 1 &&
        given[0]->is(ValueKind::Text)) {
      return arena_.boolean(name == "startswith" ? self->text.starts_with(given[0]->text)
                                                 : self->text.ends_with(given[0]->text));
    }
    if (name == "lower" || name == "upper") {
      std::string text = self->text;
      for (char& c : text) {
        if (name == "lower" && c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
        if (name == "upper" && c >= 'a' && c <= 'z') c = static_cast<char>(c - 32);
      }
      return arena_.string(text);
    }
    if (name == "split" && given.size() == 1 && given[0]->is(ValueKind::Text) &&
        !given[0]->text.empty()) {
      std::vector<Value> parts;
      std::string_view rest = self->text;
      while (true) {
        const size_t at = rest.find(given[0]->text);
        parts.push_back(arena_.string(rest.substr(0, at)));
        if (at == std::string_view::npos || parts.size() > kMaxItems) break;
        rest.remove_prefix(at + given[0]->text.size());
      }
      return arena_.sequence(ValueKind::List, std::move(parts));
    }
    return arena_.unknown();
  }
  if (self->is(ValueKind::Module) && problem_ != nullptr) {
    if (name == "items" || name == "named_children" || name == "values" || name == "children" ||
        name == "keys") {
      std::vector<Value> made;
      const bool pairs = name == "items" || name == "named_children";
      const std::string prefix = self->text.empty() ? std::string() : self->text + ".";
      for (const std::string_view child : problem_->graph->children_of(self->text)) {
        const Value module = arena_.make(ValueKind::Module);
        module->text = prefix + std::string(child);
        if (pairs) {
          made.push_back(arena_.sequence(ValueKind::Tuple, {arena_.string(child), module}));
        } else {
          made.push_back(name == "keys" ? arena_.string(child) : module);
        }
      }
      return arena_.sequence(ValueKind::List, std::move(made));
    }
    if (name == "forward") {
      // Of a container of torch: its children one behind the other.
      Value value = given.empty() ? arena_.unknown() : given[0];
      const std::vector<Value> children = all_of(self);
      if (children.empty()) return call_library(arguments, kLayerUnit);  // of a layer
      for (const Value child : children) {
        Arguments one{{value}, {}, false};
        value = call_module(child, one, node);
        if (stopped_) break;
      }
      return value;
    }
    return arena_.unknown();
  }
  if (name == "__init__" || name == "__init_subclass__") return arena_.none();
  return arena_.unknown();
}

Value Interpreter::call_external(const std::string& name, Arguments& arguments, uint32_t node) {
  const std::string_view full = name;
  const size_t dot = full.rfind('.');
  const std::string_view last = dot == std::string_view::npos ? full : full.substr(dot + 1);
  std::vector<Value>& given = arguments.positional;
  if (full.starts_with("builtins.")) return call_builtin(last, arguments, node);
  if (full.starts_with("math.") || full.starts_with("numpy.")) return call_math(last, arguments);
  if (full == "functools.partial" && !given.empty()) {
    const Value made = arena_.sequence(ValueKind::Partial, given);
    made->attributes = arguments.named;
    return made;
  }
  if (full == "functools.reduce" && given.size() >= 2) {
    std::vector<Value> items = all_of(given[1]);
    if (given.size() > 2) items.insert(items.begin(), given[2]);
    if (items.empty()) return arena_.unknown();
    Value total = items[0];
    for (size_t i = 1; i < items.size() && !stopped_; ++i) {
      Arguments pair{{total, items[i]}, {}, false};
      total = call(given[0], pair, node);
    }
    return total;
  }
  if (full.starts_with("functools.")) {
    // wraps(fn), lru_cache(…): decorators that leave a function what it is.
    if (last == "lru_cache" || last == "cache" || last == "wraps") {
      if (last != "wraps" && !given.empty() && given[0]->is(ValueKind::Function)) return given[0];
      return arena_.external("functools.identity");
    }
    return given.empty() ? arena_.unknown() : given[0];
  }
  if (full == "torch.utils.checkpoint.checkpoint" && !given.empty()) {
    const Value function = given[0];
    given.erase(given.begin());
    std::erase_if(arguments.named, [](const auto& row) {
      return row.first == "use_reentrant" || row.first == "preserve_rng_state";
    });
    return call(function, arguments, node);
  }
  if (full.starts_with("operator.") && given.size() == 2) {
    static constexpr std::pair<std::string_view, std::string_view> kNames[] = {
        {"add", "+"},       {"sub", "-"}, {"mul", "*"},  {"truediv", "/"},
        {"floordiv", "//"}, {"mod", "%"}, {"pow", "**"}, {"matmul", "@"}};
    for (const auto& [function, op] : kNames) {
      if (function == last) return binary(op, given[0], given[1], node);
    }
    if (last == "getitem") return subscript(given[0], {given[1]}, node);
  }
  if (full == "itertools.chain" || full == "itertools.chain.from_iterable") {
    std::vector<Value> items;
    std::vector<Value> parts = last == "chain" ? given : given.empty() ? given : all_of(given[0]);
    for (const Value part : parts) {
      for (const Value item : all_of(part)) items.push_back(item);
    }
    return arena_.sequence(ValueKind::List, std::move(items));
  }
  if (full == "copy.deepcopy" || full == "copy.copy" || full == "typing.cast")
    return given.empty() ? arena_.unknown() : given.back();
  if (full == "collections.OrderedDict" || full == "collections.defaultdict")
    return call_builtin("dict", arguments, node);
  if (full.starts_with("super.") || full.starts_with("container.") || full.starts_with("typing.") ||
      full.starts_with("logging.") || full.starts_with("warnings."))
    return arena_.unknown();
  if (full.starts_with("torch.")) {
    if (full == "torch.jit.is_scripting" || full == "torch.jit.is_tracing" ||
        full == "torch.onnx.is_in_onnx_export")
      return arena_.boolean(false);
    constexpr std::string_view kOps = "torch.ops.";
    if (full.starts_with(kOps)) {
      // torch.ops.aten.add.Tensor: the operator stands behind the namespace.
      const std::string_view rest = full.substr(kOps.size());
      const std::string_view op = rest.substr(std::min(rest.find('.'), rest.size() - 1) + 1);
      return torch_call(op.substr(0, op.find('.')), arguments, node);
    }
    if (full.starts_with("torch.nn.init.") || full.starts_with("torch.jit.") ||
        full.starts_with("torch.export.") || full.starts_with("torch.compiler.") ||
        full.starts_with("torch.utils.") || full.starts_with("torch.cuda.") ||
        full.starts_with("torch.backends.") || is_no_operator(last)) {
      if (last == "is_tensor" && given.size() == 1 && !given[0]->is(ValueKind::Unknown))
        return arena_.boolean(given[0]->is(ValueKind::Tensor));
      if (last == "numel" && !given.empty())
        return call_container("numel", size_of(given[0], nullptr), arguments, node);
      if (full == "torch.jit.script" || full == "torch.jit.ignore")
        return given.empty() ? arena_.unknown() : given[0];
      return arena_.unknown();
    }
    if (is_capital(full)) {
      if (full == "torch.Size") return given.empty() ? arena_.unknown() : given[0];
      if (full == "torch.nn.Parameter") {
        const Value parameter = arena_.make(ValueKind::Instance);
        parameter->items.push_back(arena_.external(full));
        return parameter;
      }
      if (full.starts_with("torch.nn.")) {
        const Value layer = arena_.make(ValueKind::Instance);
        layer->items.push_back(arena_.external(full));
        return layer;
      }
      return arena_.unknown();
    }
    return torch_call(last, arguments, node);
  }
  return call_library(arguments, kLibraryUnit);
}

}  // namespace etlens::recover
