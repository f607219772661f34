// SPDX-License-Identifier: Apache-2.0
// Attributes: of plain objects, tensors and modules of the model.
#include <algorithm>
#include <cmath>

#include "core/base/budget.h"
#include "core/recover/interpreter.h"
#include "core/recover/operator_names.h"

namespace etlens::recover {
namespace {

using K = PythonKind;
using F = PythonField;

constexpr size_t kMaxCandidates = 16;

Value own_attribute(Value value, std::string_view name) {
  for (const auto& [known, item] : value->attributes) {
    if (known == name) return item;
  }
  return nullptr;
}

bool makes_module(Value value) {
  return value != nullptr && value->is(ValueKind::Instance) &&
         (value->items[0]->is(ValueKind::External) &&
          value->items[0]->text.starts_with("torch.nn."));
}

}  // namespace

Value Interpreter::unknown_attribute(Value value, std::string_view name) {
  if (const Value known = own_attribute(value, name)) return known;
  const Value open = arena_.unknown();
  value->attributes.emplace_back(arena_.keep(std::string(name)), open);
  return open;
}

Value Interpreter::class_of(Value value) {
  if (value->is(ValueKind::Instance)) return value->items[0];
  if (value->is(ValueKind::Module)) return class_of_module(value->text);
  return nullptr;
}

Value Interpreter::bind_member(Value member, Value self, Value cls, uint32_t node) {
  if (!member->is(ValueKind::Function)) return local(member);
  if (member->is_property) {
    Arguments arguments{{self}, {}, false};
    at(node);
    return call(member, arguments, node);
  }
  if (member->is_static) return member;
  return arena_.sequence(ValueKind::Method, {member, member->is_class_method ? cls : self});
}

Value Interpreter::attribute(Value value, std::string_view name, uint32_t node) {
  step();
  switch (value->kind) {
    case ValueKind::Unknown:
      if (!value->items.empty() && !is_quiet()) {
        // One of several values: which one, is asked first.
        const std::vector<Value> candidates = value->items;
        std::vector<double> costs(candidates.size(), 0);
        const size_t pick = choices_ == nullptr ? 0 : choices_->choose(costs);
        value->items.clear();
        if (pick < candidates.size() && !candidates[pick]->is(ValueKind::Unknown)) {
          become(value, candidates[pick]);
          return attribute(value, name, node);
        }
      }
      {
        const Value open = unknown_attribute(value, name);
        if (open->is(ValueKind::Unknown) && open->owner == nullptr && !is_tensor_fact(name)) {
          open->owner = value;  // called, it is a method
          open->text = name;
        }
        return open;
      }
    case ValueKind::Instance:
      return instance_attribute(value, name, node);
    case ValueKind::Class: {
      const Value member = find_member(value, name);
      if (member == nullptr) return unknown_attribute(value, name);
      if (member->is(ValueKind::Function))
        return member->is_class_method ? arena_.sequence(ValueKind::Method, {member, value})
                                       : member;
      for (const Value base : bases_in_order(value)) {
        if (!base->is(ValueKind::External) || !base->text.starts_with("enum.")) continue;
        // Members of an enumeration are objects of their own, one each.
        const Value known = own_attribute(value, "enum " + std::string(name));
        if (known != nullptr) return known;
        const Value made = sources_.arena().make(ValueKind::Instance);
        made->items = {value};
        made->attributes = {{"value", member}, {"name", sources_.arena().string(name)}};
        value->attributes.emplace_back(sources_.arena().keep("enum " + std::string(name)), made);
        return made;
      }
      return local(member);
    }
    case ValueKind::Super: {
      const Value cls = class_of(value->items[1]);
      std::vector<Value> order = bases_in_order(cls != nullptr ? cls : value->items[0]);
      const auto own = std::find(order.begin(), order.end(), value->items[0]);
      for (auto base = own == order.end() ? order.begin() : own + 1; base != order.end(); ++base) {
        if (!(*base)->is(ValueKind::Class)) continue;
        const Value member = own_attribute(*base, name);
        if (member != nullptr) return bind_member(member, value->items[1], *base, node);
      }
      return arena_.sequence(ValueKind::Method,
                             {arena_.external("super." + std::string(name)), value->items[1]});
    }
    case ValueKind::Module:
      return module_attribute(value, name, node);
    case ValueKind::Tensor:
      return tensor_attribute(value, name, node);
    case ValueKind::File: {
      run_file(value->file);
      if (const Value member = value->file->globals->find(name)) return local(member);
      if (value->file->is_package) {
        SourceFile* inner = sources_.find_relative(*value->file, 1, name);
        if (inner != nullptr) {
          run_file(inner);
          return inner->value;
        }
      }
      return arena_.unknown();
    }
    case ValueKind::External: {
      const std::string full = value->text + "." + std::string(name);
      if (full == "math.pi" || full == "numpy.pi" || full == "torch.pi")
        return arena_.number(3.14159265358979323846);
      if (full == "math.inf" || full == "torch.inf") return arena_.number(HUGE_VAL);
      return arena_.external(full);
    }
    case ValueKind::None:
      if (!is_quiet()) stop();  // AttributeError
      return arena_.unknown();
    case ValueKind::Text:
    case ValueKind::List:
    case ValueKind::Tuple:
    case ValueKind::Dict:
    case ValueKind::Lazy:
      if (const Value known = own_attribute(value, name)) return known;
      return arena_.sequence(ValueKind::Method,
                             {arena_.external("container." + std::string(name)), value});
    case ValueKind::Function:
    case ValueKind::Method:
    case ValueKind::Partial:
      if (const Value known = own_attribute(value, name)) return known;
      if (name == "func" && value->is(ValueKind::Partial)) return value->items[0];
      if (name == "__name__" && value->is(ValueKind::Function)) return arena_.string(value->text);
      return arena_.unknown();
    default:
      return arena_.unknown();
  }
}

Value Interpreter::instance_attribute(Value value, std::string_view name, uint32_t node) {
  if (const Value own = own_attribute(value, name)) return own;
  const Value cls = value->items[0];
  if (cls->is(ValueKind::External)) return unknown_attribute(value, name);
  if (const Value member = find_member(cls, name)) return bind_member(member, value, cls, node);
  bool is_open = false;
  for (const Value base : bases_in_order(cls)) {
    if (!base->is(ValueKind::Class)) is_open |= !base->text.starts_with("builtins.object");
  }
  if (find_member(cls, "__getattr__") != nullptr) is_open = true;
  if (name == "__class__") return cls;
  if (name == "__dict__") return arena_.unknown();
  if (name == "_replace" || name == "_asdict") return arena_.unknown();
  if (!is_open && !is_quiet()) {
    stop();  // AttributeError
    return arena_.unknown();
  }
  return unknown_attribute(value, name);
}

Value Interpreter::tensor_attribute(Value value, std::string_view name, uint32_t node) {
  if (name == "T" || name == "mT" || name == "H" || name == "mH" || name == "real" ||
      name == "imag") {
    Arguments arguments{{value}, {}, false};
    return torch_call("get", arguments, node);
  }
  if (name == "data") return value;
  if (name == "shape") return size_of(value, nullptr);
  if (name == "ndim") {
    const Value sizes = size_of(value, nullptr);
    return sizes->is(ValueKind::Tuple) ? arena_.integer(static_cast<int64_t>(sizes->items.size()))
                                       : arena_.unknown();
  }
  if (name == "dtype" && value->state == TensorState::Known && value->names.size() == 1 &&
      problem_ != nullptr) {
    const TensorSizes sizes = problem_->graph->sizes_of(value->names[0]);
    if (sizes.is_known && !sizes.dtype.empty())
      return arena_.external("torch." + std::string(sizes.dtype));
  }
  if (is_tensor_fact(name)) return unknown_attribute(value, name);
  if (value->is_multiple && (name == "values" || name == "indices")) {
    const size_t i = name == "values" ? 0 : 1;
    if (i < value->parts.size()) return arena_.tensor(TensorState::Known, {value->parts[i]});
  }
  if (const Value own = own_attribute(value, name)) return own;
  return arena_.sequence(ValueKind::Method,
                         {arena_.external("Tensor." + std::string(name)), value});
}

void Interpreter::set_attribute(Value value, std::string_view name, Value item) {
  if (value->is(ValueKind::Module)) {
    module_attributes_[{value->text, std::string(name)}] = item;
    return;
  }
  if (value->is(ValueKind::File) || value->is(ValueKind::External)) return;
  for (auto& [known, old] : value->attributes) {
    if (known == name) {
      old = item;
      return;
    }
  }
  value->attributes.emplace_back(name, item);
}

// The class of a module of the model: as the record says, or as the constructor around it makes it.
Value Interpreter::class_of_module(const std::string& path) {
  if (problem_ == nullptr) return nullptr;
  const std::string_view type = problem_->graph->type_of(path);
  if (!type.empty()) return class_of_type(type);
  const auto at = instance_modules_.find(path);
  if (at != instance_modules_.end()) return at->second;
  instance_modules_.emplace(path, nullptr);
  if (path.empty()) return nullptr;
  const size_t dot = path.rfind('.');
  const Value parent = arena_.make(ValueKind::Module);
  parent->text = dot == std::string::npos ? std::string() : path.substr(0, dot);
  const Value cls = class_of_module(parent->text);
  if (cls == nullptr) return nullptr;
  const std::string name = dot == std::string::npos ? path : path.substr(dot + 1);
  const Value made = initial_attribute(parent, cls, name);
  if (made != nullptr && made->is(ValueKind::Instance) && made->items[0]->is(ValueKind::Class))
    instance_modules_[path] = made->items[0];
  return instance_modules_[path];
}

Value Interpreter::module_attribute(Value module, std::string_view name, uint32_t node) {
  if (problem_ == nullptr) return arena_.unknown();
  const GraphUnits& graph = *problem_->graph;
  const std::string path =
      module->text.empty() ? std::string(name) : module->text + "." + std::string(name);
  if (name == "training") return arena_.boolean(false);
  const std::pair<std::string, std::string> key(module->text, std::string(name));
  if (const auto at = module_attributes_.find(key); at != module_attributes_.end())
    return at->second;
  if (graph.has_module(path)) {
    const Value child = arena_.make(ValueKind::Module);
    child->text = path;
    module_attributes_[key] = child;
    return child;
  }
  if (const uint32_t value = graph.held(path); value != kNone) {
    const Value tensor = arena_.tensor(TensorState::Known, {value});
    module_attributes_[key] = tensor;
    return tensor;
  }
  const Value cls = class_of_module(module->text);
  if (cls == nullptr)
    return arena_.sequence(ValueKind::Method,
                           {arena_.external("container." + std::string(name)), module});
  if (const Value member = find_member(cls, name)) {
    if (member->is(ValueKind::Function)) return bind_member(member, module, cls, node);
    // What the constructor assigns stands before what the class says.
    const Value initial = initial_attribute(module, cls, name);
    const Value value = initial != nullptr ? initial : copy_of(arena_, member);
    module_attributes_[key] = value;
    return value;
  }
  if (const Value initial = initial_attribute(module, cls, name)) {
    module_attributes_[key] = initial;
    return initial;
  }
  static constexpr std::string_view kModuleMethods[] = {
      "children",      "named_children", "parameters", "named_parameters", "buffers", "modules",
      "items",         "values",         "keys",       "forward",          "eval",    "append",
      "get_submodule", "get_parameter"};
  if (std::find(std::begin(kModuleMethods), std::end(kModuleMethods), name) !=
      std::end(kModuleMethods)) {
    return arena_.sequence(ValueKind::Method,
                           {arena_.external("container." + std::string(name)), module});
  }
  const Value open = arena_.unknown();
  module_attributes_[key] = open;
  return open;
}

// A name inside a constructor of which nothing is run: parameters are unknowns, other names what
// their only assignment says.
Value Interpreter::initial_name(Environment& scope, std::string_view name) {
  const Value init = scope.owner;
  const PythonTree& tree = *scope.file->tree;
  const uint32_t parameters = tree.child(init->node, F::Parameters);
  for (uint32_t n = parameters; parameters != kNone && n < tree[parameters].end_child; ++n) {
    step();
    if (tree[n].kind == K::Identifier && tree.text(n) == name) {
      const Value open = arena_.unknown();
      open->is_parameter = true;
      // Whoever asks for the value itself gets what callers of the class give.
      open->owner = init->owner;
      open->text = name;
      scope.set(name, open);
      return open;
    }
    if (tree[n].kind != K::Parameters && tree[n].kind != K::Identifier)
      if (tree[n].kind == K::DefaultParameter || tree[n].kind == K::TypedDefaultParameter) {
        const uint32_t parameter = tree.child(n, F::Name);
        if (parameter != kNone && tree.text(parameter) != name) n = tree[n].end_child - 1;
      }
  }
  const uint32_t body = tree.child(init->node, F::Body);
  if (body == kNone) return nullptr;
  uint32_t found = kNone;
  uint32_t found_target = kNone;
  size_t count = 0;
  for (uint32_t n = body; n < tree[body].end_child; ++n) {
    step();
    if (tree[n].kind == K::FunctionDefinition || tree[n].kind == K::Lambda) {
      n = tree[n].end_child - 1;
      continue;
    }
    if (tree[n].kind != K::Assignment && tree[n].kind != K::AugmentedAssignment &&
        tree[n].kind != K::ForStatement && tree[n].kind != K::ForInClause) {
      continue;
    }
    const uint32_t left = tree.child(n, F::Left);
    if (left == kNone) continue;
    for (uint32_t t = left; t < tree[left].end_child; ++t) {
      if (tree[t].kind == K::Attribute || tree[t].kind == K::Subscript) {
        t = tree[t].end_child - 1;
      } else if (tree[t].kind == K::Identifier && tree.text(t) == name) {
        if (tree[n].kind != K::ForInClause) ++count;
        if (tree[n].kind == K::Assignment) {
          found = n;
          found_target = left;
        }
      }
    }
  }
  if (count == 0) return nullptr;
  const Value open = arena_.unknown();
  scope.set(name, open);  // also ends a circle
  if (count != 1 || found == kNone) return open;
  Environment* const outer = scope_;
  scope_ = &scope;
  ++quiet_;
  const Value value = eval(tree.child(found, F::Right));
  if (tree[found_target].kind == K::Identifier) {
    scope.set(name, value);
  } else {
    assign(found_target, value);
  }
  --quiet_;
  scope_ = outer;
  const Value known = scope.find(name);
  return known != nullptr ? known : open;
}

// What a constructor assigns to self.name; null if it assigns nothing.
Value Interpreter::initial_attribute(Value module, Value cls, std::string_view name) {
  const std::pair<std::string, std::string> guard(module->text, std::string(name));
  if (!in_progress_.insert(guard).second) return arena_.unknown();
  std::vector<Value> found;
  for (const Value base : bases_in_order(cls)) {
    if (!base->is(ValueKind::Class)) continue;
    const Value init = own_attribute(base, "__init__");
    if (init == nullptr || !init->is(ValueKind::Function)) continue;
    const PythonTree& tree = *init->file->tree;
    const uint32_t body = tree.child(init->node, F::Body);
    if (body == kNone) continue;
    Environment*& scope = initial_scopes_[{module->text, init}];
    if (scope == nullptr) {
      scope = arena_.environment(init->environment, init->file);
      scope->is_initial = true;
      scope->owner = init;
      const uint32_t parameters = tree.child(init->node, F::Parameters);
      if (parameters != kNone && tree[parameters].first_child != kNone)
        scope->set(tree.text(tree[parameters].first_child), module);
    }
    for (uint32_t n = body; n < tree[body].end_child && !stopped_; ++n) {
      step();
      if (tree[n].kind == K::FunctionDefinition || tree[n].kind == K::Lambda) {
        n = tree[n].end_child - 1;
        continue;
      }
      const auto is_own = [&](uint32_t target) {
        if (tree[target].kind != K::Attribute) return false;
        const uint32_t attribute_name = tree.child(target, F::Attribute);
        const uint32_t object = tree.child(target, F::Object);
        if (attribute_name == kNone || object == kNone || tree.text(attribute_name) != name)
          return false;
        const Value self = scope->find(tree.text(object));
        return self != nullptr && self->is(ValueKind::Module) && self->text == module->text;
      };
      if (tree[n].kind == K::Call) {
        // self.register_buffer("name", value): the record holds it, or it is None.
        const uint32_t function = tree.child(n, F::Function);
        const uint32_t list = tree.child(n, F::Arguments);
        if (function == kNone || list == kNone || tree[function].kind != K::Attribute) continue;
        const uint32_t method = tree.child(function, F::Attribute);
        const uint32_t first = tree[list].first_child;
        if (method == kNone || first == kNone || !tree.text(method).starts_with("register_") ||
            tree[first].kind != K::String) {
          continue;
        }
        std::string_view text = tree.text(first);
        if (text.size() >= 2 && text.substr(1, text.size() - 2) == name)
          found.push_back(arena_.none());
        continue;
      }
      if (tree[n].kind != K::Assignment) continue;
      const uint32_t left = tree.child(n, F::Left);
      uint32_t right = tree.child(n, F::Right);
      if (left == kNone || right == kNone) continue;
      size_t index = SIZE_MAX;
      bool is_one = is_own(left);
      if (!is_one && (tree[left].kind == K::PatternList || tree[left].kind == K::TuplePattern)) {
        size_t i = 0;
        for (uint32_t c = tree[left].first_child; c != kNone; c = tree[c].next, ++i) {
          if (is_own(c)) index = i;
        }
      }
      if (!is_one && index == SIZE_MAX) continue;
      while (tree[right].kind == K::Assignment) right = tree.child(right, F::Right);
      Environment* const outer = scope_;
      scope_ = scope;
      ++quiet_;
      Value value = nullptr;
      if (index != SIZE_MAX) {
        if (tree[right].kind == K::ExpressionList || tree[right].kind == K::Tuple) {
          uint32_t c = tree[right].first_child;
          for (size_t i = 0; i < index && c != kNone; ++i) c = tree[c].next;
          value = c == kNone ? arena_.unknown() : eval(c);
        } else {
          const Value all = eval(right);
          value =
              (all->is(ValueKind::Tuple) || all->is(ValueKind::List)) && index < all->items.size()
                  ? all->items[index]
                  : arena_.unknown();
        }
      } else {
        value = eval(right);
      }
      --quiet_;
      scope_ = outer;
      found.push_back(value);
    }
    if (!found.empty()) break;
  }
  in_progress_.erase(guard);
  if (found.empty()) return nullptr;
  // A child that the model does not hold was not made.
  std::vector<Value> candidates;
  const auto add = [&](Value value) {
    const bool is_module =
        makes_module(value) ||
        (value->is(ValueKind::Instance) && value->items[0]->is(ValueKind::Class) &&
         std::any_of(value->items[0]->items.begin(), value->items[0]->items.end(), [](Value b) {
           return b->is(ValueKind::External) && b->text.starts_with("torch.nn.");
         }));
    if (is_module && problem_ != nullptr) {
      const std::string path =
          module->text.empty() ? std::string(name) : module->text + "." + std::string(name);
      if (problem_->graph->has_module(path)) candidates.push_back(value);
      return;
    }
    if (value->is(ValueKind::Instance) && value->items[0]->is(ValueKind::External) &&
        value->items[0]->text == "torch.nn.Parameter") {
      return;
    }
    for (const Value known : candidates) {
      if (is_same_value(known, value)) return;
    }
    candidates.push_back(value);
  };
  for (const Value value : found) {
    if (value->is(ValueKind::Unknown) && !value->items.empty() && value->values.empty()) {
      for (const Value one : value->items) add(one);
    } else {
      add(value);
    }
  }
  if (candidates.empty()) return arena_.none();
  if (candidates.size() == 1) return candidates[0];
  const Value open = arena_.unknown();
  open->items = candidates;
  return open;
}

// What callers of a class in the sources give for a parameter of its constructor, and its default:
// only what can be called.
std::vector<Value> Interpreter::constructor_candidates(Value cls, std::string_view parameter) {
  const auto [at, is_new] =
      caches_.candidates.try_emplace({cls, std::string(parameter)}, std::vector<Value>());
  if (!is_new) return at->second;
  std::vector<Value> found;
  const auto add = [&](Value value, auto&& self) -> void {
    if (value == nullptr || found.size() >= kMaxCandidates) return;
    switch (value->kind) {
      case ValueKind::Unknown:
        if (value->values.empty()) {
          for (const Value one : value->items) self(one, self);
        }
        return;
      case ValueKind::External:
        if (!value->text.starts_with("torch.")) return;
        break;
      case ValueKind::Function:
      case ValueKind::Partial:
        break;
      default:
        return;
    }
    for (const Value known : found) {
      if (is_same_value(known, value)) return;
    }
    found.push_back(value);
  };
  Value owner = nullptr;
  const Value init = find_member(cls, "__init__", &owner);
  if (init == nullptr || !init->is(ValueKind::Function)) return found;
  // The parameter's place among the arguments.
  const PythonTree& own = *init->file->tree;
  const uint32_t parameters = own.child(init->node, F::Parameters);
  size_t place = SIZE_MAX;
  size_t number = 0;
  for (uint32_t p = parameters == kNone ? kNone : own[parameters].first_child; p != kNone;
       p = own[p].next, ++number) {
    uint32_t name = own.child(p, F::Name);
    if (name == kNone) name = own[p].kind == K::TypedParameter ? own[p].first_child : p;
    if (name == kNone || own.text(name) != parameter) continue;
    place = number;
    if (number < init->items.size()) add(init->items[number], add);
  }
  for (SourceFile* file : sources_.opened()) {
    const PythonTree& tree = *file->tree;
    if (tree.document->text().find(cls->text) == std::string::npos) continue;
    for (uint32_t n = 0; n < tree.nodes.size(); ++n) {
      go_on();
      if (tree[n].kind != K::Call) continue;
      uint32_t function = tree.child(n, F::Function);
      if (function != kNone && tree[function].kind == K::Attribute)
        function = tree.child(function, F::Attribute);
      const uint32_t list = tree.child(n, F::Arguments);
      if (function == kNone || list == kNone || tree.text(function) != cls->text) continue;
      size_t position = 1;  // behind self
      for (uint32_t c = tree[list].first_child; c != kNone; c = tree[c].next, ++position) {
        uint32_t expression = kNone;
        if (tree[c].kind == K::KeywordArgument) {
          if (tree.text(tree.child(c, F::Name)) == parameter) expression = tree.child(c, F::Value);
        } else if (position == place) {
          expression = c;
        }
        if (expression == kNone) continue;
        Interpreter apart(sources_, caches_, sources_.arena(), nullptr, nullptr);
        apart.quiet_ = 1;
        apart.scope_ = file->globals;
        add(apart.eval(expression), add);
      }
    }
  }
  caches_.candidates[{cls, std::string(parameter)}] = found;
  return found;
}

}  // namespace etlens::recover
