// SPDX-License-Identifier: Apache-2.0
// Attributes: of plain objects, tensors and modules of the model.
#include <algorithm>
#include <cmath>

#include "core/base/budget.h"
#include "core/recover/interpreter/interpreter.h"
#include "core/recover/interpreter/operator_names.h"

namespace etlens::recover {
namespace {

using K = PythonKind;
using F = PythonField;

std::string path_of(Value module, std::string_view name) {
  std::string path;
  path.reserve(module->path().size() + 1 + name.size());
  if (!module->path().empty()) path.append(module->path()).append(1, '.');
  return path.append(name);
}

bool is_likely_constant(const payload::Unknown& value) {
  return std::ranges::all_of(value.candidates, is_constant);
}

// FloatFunctional, whose methods are operators: it holds what quantization puts there, or nothing.
bool holds_operators(const ModelModule* module, std::string_view name) {
  static constexpr std::string_view kMethods[] = {"add", "add_scalar", "cat",
                                                  "mul", "mul_scalar", "matmul"};
  return module != nullptr && module->type.empty() && module->held.empty() &&
         std::ranges::all_of(
             module->children,
             [](std::string_view child) { return child == "activation_post_process"; }) &&
         std::ranges::find(kMethods, name) != std::end(kMethods);
}

// The operator that a method of FloatFunctional calls.
std::string held_operator(std::string_view method) {
  return "torch." + std::string(method.substr(0, method.find("_scalar")));
}

bool is_method_of_dict(std::string_view name) {
  static constexpr std::string_view kMethods[] = {
      "clear", "copy", "get", "items", "keys", "pop", "update", "values", "setdefault", "popitem"};
  return std::ranges::find(kMethods, name) != std::end(kMethods);
}

constexpr size_t kMaxMembers = 16;
constexpr double kUnlikelyMember = 1.2;

}  // namespace

Value Interpreter::unknown_attribute(Value value, std::string_view name) {
  if (const Value known = own_attribute(value, name)) return known;
  const Value open = arena_.unknown();
  if (may_write(value)) value->attributes.emplace_back(arena_.keep(std::string(name)), open);
  return open;
}

// What the member is of those objects that the unknown may be.
void Interpreter::add_members(Value unknown, std::string_view name, Value open) {
  std::vector<Value>& found = open->unknown().candidates;
  for (const Value object : unknown->unknown().candidates) {
    const Value member = object->is(ValueKind::Instance) ? own_attribute(object, name) : nullptr;
    if (member == nullptr) continue;
    if (!member->is(ValueKind::Unknown)) {
      found.push_back(member);
    } else if (has_candidates(member)) {
      const std::vector<Value>& more = member->unknown().candidates;
      found.insert(found.end(), more.begin(), more.end());
    }
  }
}

// One of the tensors in what a child returned: which one, its first use says.
Value Interpreter::field_of(Value result) {
  std::vector<uint32_t> any = result->tensor().names;
  for (const uint32_t part : result->tensor().parts) {
    if (std::find(any.begin(), any.end(), part) == any.end()) any.push_back(part);
  }
  const Value field = arena_.tensor(TensorState::Known, std::move(any));
  field->tensor().from_module = true;
  field->tensor().is_field = true;
  return field;
}

Value Interpreter::class_of(Value value) {
  if (value->is(ValueKind::Instance)) return value->instance().cls;
  if (value->is(ValueKind::Module)) return class_of_module(value->path());
  return nullptr;
}

// An attribute of the object itself, or a member of its class.
bool Interpreter::has_member(Value instance, std::string_view name) {
  return own_attribute(instance, name) != nullptr ||
         find_member(instance->instance().cls, name) != nullptr;
}

// Names of a class and its bases.
std::vector<std::string_view> Interpreter::class_names(Value cls) {
  std::vector<std::string_view> names;
  for (const Value base : bases_in_order(cls)) {
    if (base->is(ValueKind::Class)) names.push_back(base->cls().name);
  }
  return names;
}

// What a class says of a name, if nothing says otherwise later.
Value Interpreter::class_attribute(Value cls, std::string_view name, Value member) {
  if (runs_file_ || !sources_.changes().changes_attribute(name, class_names(cls)))
    return local(member);
  return open_value(member, name);
}

// The unknown that stands for what a name has by now, one in a run.
Value Interpreter::open_value(const void* owner, std::string_view name) {
  Value& open = open_values_[{owner, std::string(name)}];
  if (open == nullptr) open = arena_.unknown();
  return open;
}

Value Interpreter::name_of_file(const Environment& scope, std::string_view name, Value value) {
  if (runs_file_ || !scope.is_shared || !sources_.changes().changes_name(name)) return local(value);
  return open_value(&scope, name);
}

// What others may have changed of objects that a run finds made.
void Interpreter::forget_changes(Value value, std::set<Value>& seen) {
  step();
  if (stopped_ || !may_write(value)) return;
  const bool is_container = value->is(ValueKind::Tuple) || value->is(ValueKind::List) ||
                            value->is(ValueKind::Dict) || value->is(ValueKind::Instance);
  if (!is_container || seen.size() > kMaxItems || !seen.insert(value).second) return;
  if (value->is(ValueKind::Instance) && value->instance().cls->is(ValueKind::Class)) {
    const std::vector<std::string_view> classes = class_names(value->instance().cls);
    for (auto& [name, item] : value->attributes) {
      if (sources_.changes().changes_attribute(name, classes)) item = arena_.unknown();
    }
  }
  each_part(*value, [&](Value part) { forget_changes(part, seen); });
  for (const auto& [name, item] : value->attributes) forget_changes(item, seen);
}

Value Interpreter::bind_member(Value member, std::string_view name, Value self, Value cls,
                               uint32_t node) {
  if (!member->is(ValueKind::Function)) return class_attribute(cls, name, member);
  if (member->function().is_property) {
    Arguments arguments{{self}, {}, false};
    at(node);
    return call(member, arguments, node);
  }
  if (member->function().is_static) return member;
  return arena_.method(member, member->function().is_class_method ? cls : self);
}

Value Interpreter::attribute(Value value, std::string_view name, uint32_t node) {
  step();
  switch (value->kind()) {
    case ValueKind::Unknown:
      if (!value->unknown().candidates.empty() && !is_quiet() && may_write(value) &&
          !is_likely_constant(value->unknown())) {
        // One of several values: which one, is asked first.
        const std::vector<Value> candidates = std::move(value->unknown().candidates);
        std::vector<double> costs(candidates.size(), 0);
        const size_t pick = choices_ == nullptr ? 0 : choices_->choose(costs);
        value->unknown().candidates.clear();
        if (pick < candidates.size() && !candidates[pick]->is(ValueKind::Unknown)) {
          become(value, local(candidates[pick]));
          return attribute(value, name, node);
        }
      }
      if (problem_ != nullptr && problem_->is_second_look && find_object(value, name, true))
        return attribute(value, name, node);
      if (stopped_) return arena_.unknown();
      {
        const Value open = unknown_attribute(value, name);
        if (!may_write(open)) return open;
        if (!open->is(ValueKind::Unknown)) return open;
        payload::Unknown& unknown = open->unknown();
        if (is_quiet() && unknown.candidates.empty()) add_members(value, name, open);
        if (std::holds_alternative<std::monostate>(unknown.origin) && !is_tensor_fact(name))
          unknown.origin = payload::MemberOf{value, std::string(name)};
        return open;
      }
    case ValueKind::Instance:
      return instance_attribute(value, name, node);
    case ValueKind::Class: {
      const Value member = find_member(value, name);
      if (member == nullptr) return unknown_attribute(value, name);
      if (member->is(ValueKind::Function))
        return member->function().is_class_method ? arena_.method(member, value) : member;
      const Value one = is_enumeration(value) ? enum_member(value, name) : nullptr;
      return one != nullptr ? one : class_attribute(value, name, member);
    }
    case ValueKind::Super: {
      const auto [behind, self] = value->super();
      const Value cls = class_of(self);
      std::vector<Value> order = bases_in_order(cls != nullptr ? cls : behind);
      const auto own = std::find(order.begin(), order.end(), behind);
      for (auto base = own == order.end() ? order.begin() : own + 1; base != order.end(); ++base) {
        if (!(*base)->is(ValueKind::Class)) continue;
        const Value member = own_attribute(*base, name);
        if (member != nullptr) return bind_member(member, name, self, *base, node);
      }
      return arena_.method("super." + std::string(name), self);
    }
    case ValueKind::Module:
      return module_attribute(value, name, node);
    case ValueKind::Tensor:
      return tensor_attribute(value, name, node);
    case ValueKind::File: {
      SourceFile* const file = value->file();
      run_file(file);
      if (const Value member = file->globals->find(name))
        return name_of_file(*file->globals, name, member);
      if (file->is_package) {
        SourceFile* inner = sources_.find_relative(*file, 1, name);
        if (inner != nullptr) {
          run_file(inner);
          return inner->value;
        }
      }
      return arena_.unknown();
    }
    case ValueKind::External: {
      const std::string full = value->name() + "." + std::string(name);
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
      return arena_.method("container." + std::string(name), value);
    case ValueKind::Function:
    case ValueKind::Method:
    case ValueKind::Partial:
      if (const Value known = own_attribute(value, name)) return known;
      if (name == "func" && value->is(ValueKind::Partial)) return value->partial().function;
      if (name == "__name__" && value->is(ValueKind::Function))
        return arena_.string(value->function().name);
      return arena_.unknown();
    default:
      return arena_.unknown();
  }
}

Value Interpreter::instance_attribute(Value value, std::string_view name, uint32_t node) {
  // What a member of an enumeration holds is of all runs.
  if (const Value own = own_attribute(value, name)) return is_enum_member(value) ? local(own) : own;
  const Value cls = value->instance().cls;
  if (is_operator_holder(value)) return arena_.external(held_operator(name));
  if (cls->is(ValueKind::External)) return unknown_attribute(value, name);
  if (const Value member = find_member(cls, name))
    return bind_member(member, name, value, cls, node);
  const bool is_dict_method = held_dict(value) != nullptr && is_method_of_dict(name);
  if (!is_dict_method && !name.starts_with("__")) {
    bool found = false;
    const Value asked =
        call_method_named(value, "__getattr__", {{arena_.string(name)}, {}, false}, node, found);
    if (stopped_ || (found && !asked->is(ValueKind::Unknown))) return asked;
  }
  if (held_dict(value) != nullptr && name != "__class__") {
    return arena_.method("container." + std::string(name), value);
  }
  bool is_open = false;
  for (const Value base : bases_in_order(cls)) {
    if (!base->is(ValueKind::Class)) is_open |= !label_of(base).starts_with("builtins.object");
  }
  if (find_member(cls, "__getattr__") != nullptr) is_open = true;
  if (const Value init = find_member(cls, "__init__");
      init != nullptr && init->is(ValueKind::Function))
    is_open |= init->function().is_wrapped;
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
    return sizes->is(ValueKind::Tuple) ? arena_.integer(static_cast<int64_t>(sizes->items().size()))
                                       : arena_.unknown();
  }
  if (name == "dtype" && value->tensor().state == TensorState::Known &&
      value->tensor().names.size() == 1 && problem_ != nullptr) {
    const TensorSizes& sizes = problem_->graph->sizes_of(value->tensor().names[0]);
    if (sizes.is_known && !sizes.dtype.empty())
      return arena_.external("torch." + std::string(sizes.dtype));
  }
  if (is_tensor_fact(name)) return unknown_attribute(value, name);
  if (value->tensor().is_multiple && (name == "values" || name == "indices")) {
    const size_t i = name == "values" ? 0 : 1;
    if (i < value->tensor().parts.size())
      return arena_.tensor(TensorState::Known, {value->tensor().parts[i]});
  }
  if (const Value own = own_attribute(value, name)) return own;
  return arena_.method("Tensor." + std::string(name), value);
}

void Interpreter::set_attribute(Value value, std::string_view name, Value item) {
  if (value->is(ValueKind::Module)) {
    module_attributes_[path_of(value, name)] = item;
    return;
  }
  if (value->is(ValueKind::File) || value->is(ValueKind::External) || !may_write(value)) return;
  if (const Value dict = held_dict(value)) {
    const Value cls = value->instance().cls;
    if (find_member(cls, "__setattr__") != nullptr && find_member(cls, "__getattr__") != nullptr) {
      put(dict, arena_.string(name), item);
      return;
    }
  }
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
  if (const auto at = caches_.classes_of_paths.find(path); at != caches_.classes_of_paths.end())
    return at->second;
  if (!type.empty()) return class_of_type(type);
  if (path.size() > kMaxPath) return nullptr;
  const auto at = instance_modules_.find(path);
  if (at != instance_modules_.end()) return at->second;
  instance_modules_.emplace(path, nullptr);
  if (path.empty()) return nullptr;
  const size_t dot = path.rfind('.');
  const std::string above = dot == std::string::npos ? std::string() : path.substr(0, dot);
  const Value parent = arena_.module(above);
  const Value cls = class_of_module(above);
  if (cls == nullptr) return nullptr;
  const std::string name = dot == std::string::npos ? path : path.substr(dot + 1);
  const Value made = initial_attribute(parent, cls, name);
  if (made != nullptr && made->is(ValueKind::Instance) &&
      made->instance().cls->is(ValueKind::Class)) {
    instance_modules_[path] = made->instance().cls;
  } else if (made != nullptr && made->is(ValueKind::Module)) {
    instance_modules_[path] = class_of_module(made->path());  // shared
  } else if (made != nullptr) {
    instance_modules_[path] = module_class_given(made);
  }
  return instance_modules_[path];
}

// What the weight of one of torch's layers says of its sizes; null if it is none of that.
Value Interpreter::size_of_layer(const std::string& path, std::string_view name) {
  struct Size {
    std::string_view layer;  // begin of its class
    std::string_view attribute;
    size_t place;  // among the sizes of the weight; all from there on where `is_rest`
    bool is_rest;
  };
  static constexpr Size kSizes[] = {
      {"Linear", "out_features", 0, false},       {"Linear", "in_features", 1, false},
      {"Embedding", "num_embeddings", 0, false},  {"Embedding", "embedding_dim", 1, false},
      {"ConvTranspose", "in_channels", 0, false}, {"ConvTranspose", "kernel_size", 2, true},
      {"Conv", "out_channels", 0, false},         {"Conv", "kernel_size", 2, true},
      {"LayerNorm", "normalized_shape", 0, true}, {"RMSNorm", "normalized_shape", 0, true},
      {"GroupNorm", "num_channels", 0, false},    {"BatchNorm", "num_features", 0, false}};
  const GraphUnits& graph = *problem_->graph;
  const std::string_view type = graph.type_of(path);
  if (!type.starts_with("torch.nn.")) return nullptr;
  const std::string_view layer = type.substr(type.rfind('.') + 1);
  const auto row = std::ranges::find_if(kSizes, [&](const Size& size) {
    return size.attribute == name && layer.starts_with(size.layer);
  });
  if (row == std::end(kSizes) || layer.starts_with("Lazy")) return nullptr;
  if (row->layer == "Conv" && layer.starts_with("ConvTranspose")) return nullptr;
  const uint32_t weight = graph.held(path + ".weight");
  if (weight == kNone) return nullptr;
  const TensorSizes& sizes = graph.sizes_of(weight);
  if (!sizes.is_known || sizes.sizes.size() <= row->place) return nullptr;
  if (!row->is_rest) return arena_.integer(sizes.sizes[row->place]);
  std::vector<Value> rest;
  for (size_t i = row->place; i < sizes.sizes.size(); ++i)
    rest.push_back(arena_.integer(sizes.sizes[i]));
  return arena_.tuple(std::move(rest));
}

Value Interpreter::module_attribute(Value module, std::string_view name, uint32_t node) {
  if (problem_ == nullptr) return arena_.unknown();
  const GraphUnits& graph = *problem_->graph;
  if (name == "training") return arena_.boolean(false);
  const std::string path = path_of(module, name);
  if (const auto at = module_attributes_.find(path); at != module_attributes_.end())
    return at->second;
  if (graph.has_module(path)) {
    const Value child = arena_.module(path);
    module_attributes_[path] = child;
    return child;
  }
  if (const uint32_t value = graph.held(path); value != kNone) {
    const Value tensor = arena_.tensor(TensorState::Known, {value});
    module_attributes_[path] = tensor;
    return tensor;
  }
  if (const Value size = size_of_layer(module->path(), name)) return size;
  Value cls = class_of_module(module->path());
  if (cls == nullptr && holds_operators(graph.find_module(module->path()), name))
    return arena_.external(held_operator(name));
  if (cls == nullptr) cls = uncalled_class(module, name);
  if (cls == nullptr) return arena_.method("container." + std::string(name), module);
  if (const Value member = find_member(cls, name)) {
    // What the constructor assigns stands before what the class says, but for properties.
    const bool is_property = member->is(ValueKind::Function) && member->function().is_property;
    const bool is_assigned = !is_property && sources_.changes().assigns_attribute(name);
    const Value initial = is_assigned ? initial_attribute(module, cls, name) : nullptr;
    if (initial == nullptr && member->is(ValueKind::Function))
      return bind_member(member, name, module, cls, node);
    Value value = initial != nullptr ? initial : class_attribute(cls, name, member);
    if (initial == nullptr && sources_.changes().changes_member(name, class_names(cls)))
      value = arena_.unknown();
    module_attributes_[path] = value;
    return value;
  }
  if (const Value initial = initial_attribute(module, cls, name)) {
    Value& known = module_attributes_[path];
    known = initial;
    if (module_class_given(initial) != nullptr) {
      // Given to several modules: the record lists it under one of its paths.
      known = arena_.module(path);
    }
    return known;
  }
  static constexpr std::string_view kModuleMethods[] = {
      "children",      "named_children", "parameters",   "named_parameters", "buffers", "modules",
      "items",         "values",         "keys",         "forward",          "eval",    "append",
      "get_submodule", "get_parameter",  "_conv_forward"};
  if (std::find(std::begin(kModuleMethods), std::end(kModuleMethods), name) !=
      std::end(kModuleMethods)) {
    return arena_.method("container." + std::string(name), module);
  }
  const Value open = arena_.unknown();
  module_attributes_[path] = open;
  return open;
}

// A member of a module whose name nobody knows: the child that is called next, or a method; where
// the name begins with something, one that begins so. Null if it stays open.
Value Interpreter::named_member(Value open, uint32_t node) {
  const auto* const named = origin_of<payload::NamedMember>(open);
  if (named == nullptr || is_quiet() || stopped_ || choices_ == nullptr) return nullptr;
  const auto [module, name] = *named;
  if (name->is(ValueKind::Text)) return module_attribute(module, name->text(), node);
  const Unit* next = next_unit();
  if (!name->is(ValueKind::Unknown) || next == nullptr) return nullptr;
  const auto* const beginning = origin_of<payload::Beginning>(name);
  const std::string_view begin = beginning == nullptr ? std::string_view() : beginning->text;
  std::vector<std::string_view> names;
  std::vector<double> costs;
  const auto add = [&](std::string_view one, double cost) {
    if (!one.starts_with(begin)) return;
    names.push_back(one);
    costs.push_back(cost);
  };
  if (next->child != kNoCall) {
    const std::string_view path = problem_->graph->calls()[next->child].path;
    const std::string before = module->path().empty() ? std::string() : module->path() + ".";
    if (!path.starts_with(before) || path.find('.', before.size()) != std::string_view::npos)
      return nullptr;
    add(path.substr(before.size()), 0);
  } else if (begin.empty()) {
    return nullptr;
  }
  const Value cls = class_of_module(module->path());
  const std::vector<Value> order = cls == nullptr ? std::vector<Value>() : bases_in_order(cls);
  for (const Value base : order) {
    for (const auto& [member, value] : base->attributes) {
      const bool is_method = value->is(ValueKind::Function) && !value->function().is_property;
      if (is_method && !member.starts_with("__") && member != "forward")
        add(member, begin.empty() ? kUnlikelyMember : 0);
    }
  }
  if (names.empty() || names.size() > kMaxMembers) return nullptr;
  const auto pick = choose_or_none(std::move(costs), kUnlikelyMember);
  if (!pick) return nullptr;
  become(name, arena_.string(names[*pick]));
  return module_attribute(module, name->text(), node);
}

}  // namespace etlens::recover
