// SPDX-License-Identifier: Apache-2.0
// Iteration, Python's own functions, methods of containers, and what of other libraries has a
// meaning here.
#include <algorithm>
#include <cmath>

#include "core/recover/interpreter.h"
#include "core/recover/operator_names.h"

namespace etlens::recover {
namespace {

using K = PythonKind;
using F = PythonField;

constexpr size_t kMaxItems2 = 4096;
constexpr size_t kMaxOpenRounds = 64;
constexpr double kLibraryUnit = 0.6;
constexpr double kLayerUnit = 0.1;

bool is_finite_number(Value value) {
  return value->is(ValueKind::Int) || value->is(ValueKind::Bool) || value->is(ValueKind::Float);
}

double number_of(Value value) {
  return value->is(ValueKind::Float) ? value->number : static_cast<double>(value->integer);
}

bool is_capital(std::string_view name) {
  const size_t dot = name.rfind('.');
  const std::string_view last = dot == std::string_view::npos ? name : name.substr(dot + 1);
  return !last.empty() && last.front() >= 'A' && last.front() <= 'Z';
}

}  // namespace

bool Interpreter::iterate(Value value, const Each& each) {
  step();
  if (stopped_) return false;
  switch (value->kind) {
    case ValueKind::Tuple:
    case ValueKind::List: {
      // The list may grow while it is walked.
      for (size_t i = 0; i < value->items.size() && i < kMaxItems2; ++i) {
        if (stopped_ || !each(value->items[i])) break;
      }
      return true;
    }
    case ValueKind::Dict: {
      const std::vector<Value> keys = value->items;
      for (const Value key : keys) {
        if (stopped_ || !each(key)) break;
      }
      return true;
    }
    case ValueKind::Text:
      for (size_t i = 0; i < value->text.size() && i < kMaxItems2; ++i) {
        if (stopped_ || !each(arena_.string(std::string_view(value->text).substr(i, 1)))) break;
      }
      return true;
    case ValueKind::Module: {
      const Value cls = class_of_module(value->text);
      if (cls != nullptr && find_member(cls, "__iter__") != nullptr) {
        bool found = false;
        return iterate(call_method_named(value, "__iter__", {}, kNone, found), each);
      }
      const GraphUnits& graph = *problem_->graph;
      const std::string prefix = value->text.empty() ? std::string() : value->text + ".";
      const std::vector<std::string_view> children = graph.children_of(value->text);
      for (const std::string_view name : children) {
        const Value child = arena_.make(ValueKind::Module);
        child->text = prefix + std::string(name);
        if (stopped_ || !each(child)) return true;
      }
      if (!children.empty()) return true;
      for (const std::string_view name : graph.held_below(value->text)) {
        const uint32_t tensor = graph.held(prefix + std::string(name));
        if (stopped_ || !each(arena_.tensor(TensorState::Known, {tensor}))) break;
      }
      return true;
    }
    case ValueKind::Instance: {
      bool found = false;
      const Value made = call_method_named(value, "__iter__", {}, kNone, found);
      if (found) return iterate(made, each);
      if (value->text == "namedtuple") {
        const auto fields = value->attributes;
        for (const auto& [name, item] : fields) {
          if (stopped_ || !each(item)) break;
        }
        return true;
      }
      return false;
    }
    case ValueKind::Lazy:
      return iterate_lazy(value, each);
    case ValueKind::Tensor:
      if (value->is_multiple || value->from_module) {
        const std::vector<uint32_t> parts = value->is_multiple ? value->parts : value->names;
        for (const uint32_t part : parts) {
          if (stopped_ || !each(arena_.tensor(TensorState::Known, {part}))) break;
        }
        return true;
      }
      if (!is_quiet()) {
        Arguments arguments{{value}, {}, false};
        const Value made = torch_call("unbind", arguments, kNone);
        if (!stopped_ && made->is_multiple) return iterate(made, each);
      }
      return false;
    case ValueKind::Unknown: {
      if (is_quiet()) return false;
      size_t before = SIZE_MAX;
      for (size_t round = 0; round < kMaxOpenRounds && !stopped_; ++round) {
        if (before == position_) break;  // a round must use a unit
        before = position_;
        if (next_unit() == nullptr) break;
        if (choose({0.01, 0}) != 0 || stopped_) break;
        const Value item = unknown_attribute(value, arena_.keep("#" + std::to_string(round)));
        if (!each(item)) break;
      }
      return true;
    }
    default:
      return false;
  }
}

bool Interpreter::iterate_lazy(Value value, const Each& each) {
  switch (value->lazy) {
    case LazyKind::Generator:
    case LazyKind::Expression: {
      const PythonTree& tree = *value->file->tree;
      Frame frame;
      frame.file = value->file;
      frame.line = tree[value->node].line + 1;
      Each yield = each;
      frame.on_yield = &yield;
      frame.consumer_frames = frames_.size();
      frame.consumer = scope_;
      if (frames_.size() > 60 || ++depth_ > 350) {
        stop();
        return false;
      }
      Environment* const outer = scope_;
      const Value before = returned_;
      if (value->lazy == LazyKind::Generator) {
        frame.function = tree.text(tree.child(value->node, F::Name));
        frames_.push_back(frame);
        scope_ = value->environment;
        run_block(tree.child(value->node, F::Body));
      } else {
        frame.function = "<genexpr>";
        frames_.push_back(frame);
        scope_ = arena_.environment(value->environment, value->file);
        const uint32_t body = tree.child(value->node, F::Body);
        if (body != kNone) {
          comprehend(tree[body].next, body, [&](Value item) {
            std::vector<Frame> hidden(
                frames_.begin() + static_cast<ptrdiff_t>(frame.consumer_frames), frames_.end());
            frames_.resize(frame.consumer_frames);
            Environment* const inner = scope_;
            scope_ = outer;
            const bool goes_on = each(item);
            scope_ = inner;
            frames_.resize(frame.consumer_frames);
            frames_.insert(frames_.end(), hidden.begin(), hidden.end());
            return goes_on;
          });
        }
      }
      --depth_;
      leaves_generator_ = false;
      returned_ = before;
      frames_.resize(frame.consumer_frames);
      scope_ = outer;
      return true;
    }
    case LazyKind::Map: {
      // One sequence steers; the others are made in advance.
      std::vector<std::vector<Value>> others;
      for (size_t i = 2; i < value->items.size(); ++i) others.push_back(all_of(value->items[i]));
      size_t index = 0;
      return iterate(value->items[1], [&](Value item) {
        Arguments arguments{{item}, {}, false};
        for (const std::vector<Value>& other : others) {
          if (index >= other.size()) return false;
          arguments.positional.push_back(other[index]);
        }
        ++index;
        const Value made = call(value->items[0], arguments, kNone);
        return !stopped_ && each(made);
      });
    }
    case LazyKind::Zip: {
      if (value->items.empty()) return true;
      size_t leader = 0;
      for (size_t i = 0; i < value->items.size(); ++i) {
        if (value->items[i]->is(ValueKind::Lazy)) leader = i;
      }
      if (!value->items[leader]->is(ValueKind::Lazy)) {
        for (size_t i = 0; i < value->items.size(); ++i) {
          if (!value->items[i]->is(ValueKind::Unknown)) leader = i;
        }
      }
      std::vector<std::vector<Value>> others(value->items.size());
      for (size_t i = 0; i < value->items.size(); ++i) {
        if (i != leader && !value->items[i]->is(ValueKind::Unknown))
          others[i] = all_of(value->items[i]);
      }
      size_t index = 0;
      return iterate(value->items[leader], [&](Value item) {
        std::vector<Value> row;
        for (size_t i = 0; i < value->items.size(); ++i) {
          if (i == leader) {
            row.push_back(item);
          } else if (value->items[i]->is(ValueKind::Unknown)) {
            row.push_back(unknown_attribute(value->items[i], "#" + std::to_string(index)));
          } else if (index < others[i].size()) {
            row.push_back(others[i][index]);
          } else {
            return false;
          }
        }
        ++index;
        return each(arena_.sequence(ValueKind::Tuple, std::move(row)));
      });
    }
    case LazyKind::Enumerate: {
      int64_t index = value->integer;
      return iterate(value->items[0], [&](Value item) {
        return each(arena_.sequence(ValueKind::Tuple, {arena_.integer(index++), item}));
      });
    }
    case LazyKind::Filter:
      return iterate(value->items[1], [&](Value item) {
        bool keeps = false;
        if (value->items[0]->is(ValueKind::None)) {
          keeps = truth(item);
        } else {
          Arguments arguments{{item}, {}, false};
          keeps = truth(call(value->items[0], arguments, kNone));
        }
        if (stopped_) return false;
        return !keeps || each(item);
      });
  }
  return false;
}

std::vector<Value> Interpreter::all_of(Value value) {
  std::vector<Value> items;
  iterate(value, [&](Value item) {
    items.push_back(item);
    if (items.size() > kMaxItems2) stop();
    return !stopped_;
  });
  return items;
}

std::vector<Value> Interpreter::unpack(Value value, size_t count, size_t star) {
  std::vector<Value> items;
  if (value->is(ValueKind::Unknown)) {
    for (size_t i = 0; i < count; ++i)
      items.push_back(unknown_attribute(value, "#" + std::to_string(i)));
    return items;
  }
  if (value->is(ValueKind::Tensor) && (value->from_module || value->is_multiple) &&
      (star != SIZE_MAX || !value->is_multiple || value->parts.size() != count)) {
    // Any of the results: the order in a graph is not the order of a return.
    std::vector<uint32_t> any = value->names;
    for (const uint32_t part : value->parts) {
      if (std::find(any.begin(), any.end(), part) == any.end()) any.push_back(part);
    }
    for (size_t i = 0; i < count; ++i) {
      const Value one = arena_.tensor(TensorState::Known, any);
      one->from_module = true;
      items.push_back(one);
    }
    return items;
  }
  if (value->is(ValueKind::Tensor) && is_quiet()) {
    for (size_t i = 0; i < count; ++i) items.push_back(arena_.tensor(TensorState::Any));
    return items;
  }
  std::vector<Value> all = all_of(value);
  if (stopped_) return {};
  if (star != SIZE_MAX && all.size() + 1 >= count) {
    const size_t rest = all.size() + 1 - count;
    for (size_t i = 0; i < star; ++i) items.push_back(all[i]);
    items.push_back(
        arena_.sequence(ValueKind::List, {all.begin() + static_cast<ptrdiff_t>(star),
                                          all.begin() + static_cast<ptrdiff_t>(star + rest)}));
    for (size_t i = star + rest; i < all.size(); ++i) items.push_back(all[i]);
    return items;
  }
  if (all.size() != count) {
    if (!is_quiet()) {
      stop();  // ValueError
      return {};
    }
    items.assign(count, nullptr);
    for (Value& item : items) item = arena_.unknown();
    return items;
  }
  return all;
}

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
    is_known = !value->is(ValueKind::Module);
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
    if (!is_finite_number(value)) return arena_.unknown();
  }
  const double x = number_of(arguments.positional[0]);
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

Value Interpreter::call_builtin(std::string_view name, Arguments& arguments, uint32_t node) {
  const std::vector<Value>& given = arguments.positional;
  const size_t count = given.size();
  if (name == "range") {
    int64_t bounds[3] = {0, 0, 1};
    if (count == 0 || count > 3) return arena_.unknown();
    for (size_t i = 0; i < count; ++i) {
      if (!given[i]->is(ValueKind::Int) && !given[i]->is(ValueKind::Bool)) return arena_.unknown();
      bounds[count == 1 ? 1 : i] = given[i]->integer;
    }
    if (bounds[2] == 0) return arena_.unknown();
    const Value made = arena_.make(ValueKind::Tuple);
    for (int64_t i = bounds[0]; bounds[2] > 0 ? i < bounds[1] : i > bounds[1];) {
      step();
      if (made->items.size() >= kMaxItems2 || stopped_) return arena_.unknown();
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
    if (name == "iter") return given[0];
    if (given[0]->is(ValueKind::Unknown)) return given[0];
    std::vector<Value> items = all_of(given[0]);
    if (name == "reversed") std::reverse(items.begin(), items.end());
    return arena_.sequence(name == "tuple" ? ValueKind::Tuple : ValueKind::List, std::move(items));
  }
  if (name == "dict") {
    const Value made = arena_.make(ValueKind::Dict);
    if (count > 0) {
      if (given[0]->is(ValueKind::Dict)) {
        made->items = given[0]->items;
        made->values = given[0]->values;
      } else {
        for (const Value pair : all_of(given[0])) {
          if (pair->items.size() != 2) return arena_.unknown();
          made->items.push_back(pair->items[0]);
          made->values.push_back(pair->items[1]);
        }
      }
    }
    for (const auto& [key, value] : arguments.named) {
      made->items.push_back(arena_.string(key));
      made->values.push_back(value);
    }
    return made;
  }
  if (name == "enumerate" && count >= 1) {
    const Value lazy = arena_.make(ValueKind::Lazy);
    lazy->lazy = LazyKind::Enumerate;
    lazy->items = {given[0]};
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
    return lazy;
  }
  if (name == "next" && count >= 1) {
    Value first = nullptr;
    iterate(given[0], [&](Value item) {
      first = item;
      return false;
    });
    if (first != nullptr) return first;
    return count > 1 ? given[1] : arena_.unknown();
  }
  if ((name == "sum" || name == "min" || name == "max") && count >= 1) {
    std::vector<Value> items = count == 1 || name == "sum" ? all_of(given[0]) : given;
    if (stopped_ || items.empty()) return name == "sum" ? arena_.integer(0) : arena_.unknown();
    if (name == "sum") {
      Value total = count > 1 ? given[1] : arena_.integer(0);
      for (const Value item : items) total = binary("+", total, item, node);
      return total;
    }
    Value best = items[0];
    for (const Value item : items) {
      if (!is_finite_number(item) || !is_finite_number(best)) return arena_.unknown();
      if (name == "min" ? number_of(item) < number_of(best) : number_of(item) > number_of(best))
        best = item;
    }
    return best;
  }
  if ((name == "all" || name == "any") && count == 1) {
    for (const Value item : all_of(given[0])) {
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
        return arena_.unknown();
      default:
        return arena_.boolean(false);
    }
  }
  if ((name == "getattr" || name == "hasattr") && count >= 2) {
    if (!given[1]->is(ValueKind::Text)) return arena_.unknown();
    const std::string_view key = given[1]->text;
    if (given[0]->is(ValueKind::Module)) {
      const Value value = module_attribute(given[0], key, node);
      const bool is_open =
          value->is(ValueKind::Unknown) ||
          (value->is(ValueKind::Method) && value->items[0]->is(ValueKind::External));
      if (name == "hasattr") return is_open ? arena_.unknown() : arena_.boolean(true);
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
    if (is_finite_number(given[0])) {
      const double x = number_of(given[0]);
      if (name == "float") return arena_.number(x);
      if (name == "bool") return arena_.boolean(x != 0);
      if (name == "abs")
        return given[0]->is(ValueKind::Float)
                   ? arena_.number(std::abs(x))
                   : arena_.integer(given[0]->integer < 0 ? -given[0]->integer : given[0]->integer);
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

Value Interpreter::call_container(std::string_view name, Value self, Arguments& arguments,
                                  uint32_t node) {
  const std::vector<Value>& given = arguments.positional;
  if (self->is(ValueKind::List)) {
    if (name == "append" && given.size() == 1 && self->items.size() < kMaxItems2) {
      self->items.push_back(given[0]);
      return arena_.none();
    }
    if (name == "add" && given.size() == 1 && self->items.size() < kMaxItems2) {
      self->items.push_back(given[0]);
      return arena_.none();
    }
    if (name == "extend" && given.size() == 1) {
      for (const Value item : all_of(given[0])) self->items.push_back(item);
      if (self->items.size() > kMaxItems2) stop();
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
        if (at == std::string_view::npos || parts.size() > kMaxItems2) break;
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
