// SPDX-License-Identifier: Apache-2.0
// Attributes of modules of the model, and their classes.
#include <algorithm>
#include <utility>

#include "core/recover/interpreter/attributes.h"
#include "core/recover/interpreter/classes.h"
#include "core/recover/interpreter/evaluator.h"
#include "core/recover/interpreter/iteration.h"

namespace etlens::recover {
namespace {

std::string path_of(Value module, std::string_view name) {
  std::string path;
  path.reserve(module->path().size() + 1 + name.size());
  if (!module->path().empty()) path.append(module->path()).append(1, '.');
  return path.append(name);
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

constexpr size_t kMaxMembers = 16;
constexpr double kUnlikelyMember = 1.2;

}  // namespace

// What a run assigns to an attribute of a module.
void Model::set_module_attribute(Value module, std::string_view name, Value item) {
  module_attributes_[path_of(module, name)] = item;
}

// The class of a module of the model: as the record says, or as the constructor around it makes it.
Value Model::class_of_module(const std::string& path) {
  if (run_.task == nullptr) return nullptr;
  const std::string_view type = run_.task->graph->type_of(path);
  if (const auto at = run_.caches.classes_of_paths.find(path);
      at != run_.caches.classes_of_paths.end())
    return at->second;
  if (!type.empty()) return class_of_type(run_, type);
  if (path.size() > kMaxPath) return nullptr;
  const auto at = instance_modules_.find(path);
  if (at != instance_modules_.end()) return at->second;
  instance_modules_.emplace(path, nullptr);
  if (path.empty()) return nullptr;
  const size_t dot = path.rfind('.');
  const std::string above = dot == std::string::npos ? std::string() : path.substr(0, dot);
  const Value parent = run_.arena.module(above);
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
Value Model::size_of_layer(const std::string& path, std::string_view name) {
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
  const GraphUnits& graph = *run_.task->graph;
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
  if (!row->is_rest) return run_.arena.integer(sizes.sizes[row->place]);
  std::vector<Value> rest;
  for (size_t i = row->place; i < sizes.sizes.size(); ++i)
    rest.push_back(run_.arena.integer(sizes.sizes[i]));
  return run_.arena.tuple(std::move(rest));
}

Value Model::module_attribute(Value module, std::string_view name, uint32_t node) {
  if (run_.task == nullptr) return run_.arena.unknown();
  const GraphUnits& graph = *run_.task->graph;
  if (name == "training") return run_.arena.boolean(false);
  const std::string path = path_of(module, name);
  if (const auto at = module_attributes_.find(path); at != module_attributes_.end())
    return at->second;
  if (graph.has_module(path)) {
    const Value child = run_.arena.module(path);
    module_attributes_[path] = child;
    return child;
  }
  if (const uint32_t value = graph.held(path); value != kNone) {
    const Value tensor = run_.arena.tensor(TensorState::Known, {value});
    module_attributes_[path] = tensor;
    return tensor;
  }
  if (const Value size = size_of_layer(module->path(), name)) return size;
  Value cls = class_of_module(module->path());
  if (cls == nullptr && holds_operators(graph.find_module(module->path()), name))
    return run_.arena.external(held_operator(name));
  if (cls == nullptr) cls = uncalled_class(module, name);
  if (cls == nullptr) return run_.arena.method("container." + std::string(name), module);
  if (const Value member = find_member(run_, cls, name)) {
    // What the constructor assigns stands before what the class says, but for properties.
    const bool is_property = member->is(ValueKind::Function) && member->function().is_property;
    const bool is_assigned = !is_property && run_.sources.changes().assigns_attribute(name);
    const Value initial = is_assigned ? initial_attribute(module, cls, name) : nullptr;
    if (initial == nullptr && member->is(ValueKind::Function))
      return bind_member(run_, member, name, module, cls, node);
    Value value = initial != nullptr ? initial : class_attribute(run_, cls, name, member);
    if (initial == nullptr && run_.sources.changes().changes_member(name, class_names(run_, cls)))
      value = run_.arena.unknown();
    module_attributes_[path] = value;
    return value;
  }
  if (const Value initial = initial_attribute(module, cls, name)) {
    Value& known = module_attributes_[path];
    known = initial;
    if (module_class_given(initial) != nullptr) {
      // Given to several modules: the record lists it under one of its paths.
      known = run_.arena.module(path);
    }
    return known;
  }
  static constexpr std::string_view kModuleMethods[] = {
      "children",      "named_children", "parameters",   "named_parameters", "buffers", "modules",
      "items",         "values",         "keys",         "forward",          "eval",    "append",
      "get_submodule", "get_parameter",  "_conv_forward"};
  if (std::find(std::begin(kModuleMethods), std::end(kModuleMethods), name) !=
      std::end(kModuleMethods)) {
    return run_.arena.method("container." + std::string(name), module);
  }
  const Value open = run_.arena.unknown();
  module_attributes_[path] = open;
  return open;
}

// A member of a module whose name is unknown: the child that is called next, or a method; where
// the name begins with something, one that begins so. Null if it stays open.
Value Model::named_member(Value open, uint32_t node) {
  const auto* const named = origin_of<payload::NamedMember>(open);
  if (named == nullptr || run_.is_quiet() || run_.is_stopped() || !run_.has_choices())
    return nullptr;
  const auto [module, name] = *named;
  if (name->is(ValueKind::Text)) return module_attribute(module, name->text(), node);
  const SourceCall* next = run_.matcher.next_unit();
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
    const std::string_view path = run_.task->graph->calls()[next->child].path;
    const std::string before = module->path().empty() ? std::string() : module->path() + ".";
    if (!path.starts_with(before) || path.find('.', before.size()) != std::string_view::npos)
      return nullptr;
    add(path.substr(before.size()), 0);
  } else if (begin.empty()) {
    return nullptr;
  }
  const Value cls = class_of_module(module->path());
  const std::vector<Value> order =
      cls == nullptr ? std::vector<Value>() : bases_in_order(run_, cls);
  for (const Value base : order) {
    for (const auto& [member, value] : base->attributes) {
      const bool is_method = value->is(ValueKind::Function) && !value->function().is_property;
      if (is_method && !member.starts_with("__") && member != "forward")
        add(member, begin.empty() ? kUnlikelyMember : 0);
    }
  }
  if (names.empty() || names.size() > kMaxMembers) return nullptr;
  const auto pick = run_.choose_or_none(std::move(costs), kUnlikelyMember);
  if (!pick) return nullptr;
  run_.become(name, run_.arena.string(names[*pick]));
  return module_attribute(module, name->text(), node);
}

}  // namespace etlens::recover
