// SPDX-License-Identifier: Apache-2.0
#include "core/recover/equal_calls.h"

#include <algorithm>

#include "core/base/budget.h"

namespace etlens::recover {
namespace {

constexpr int kMaxArgumentDepth = 8;

// "" for the module itself; nullopt outside of it.
std::optional<std::string_view> path_below(std::string_view path, std::string_view module) {
  if (module.empty()) return path;
  if (path == module) return std::string_view();
  if (path.size() <= module.size() || !path.starts_with(module) || path[module.size()] != '.')
    return std::nullopt;
  return path.substr(module.size() + 1);
}

std::string path_inside(std::string_view module, std::string_view below) {
  if (below.empty() || module.empty()) return std::string(module.empty() ? below : module);
  return std::string(module) + "." + std::string(below);
}

// A value that means the same wherever it stands.
bool is_fixed(Value value) {
  switch (value->kind) {
    case ValueKind::None:
    case ValueKind::Bool:
    case ValueKind::Int:
    case ValueKind::Float:
    case ValueKind::Text:
    case ValueKind::Ellipsis:
    case ValueKind::Class:
    case ValueKind::External:
    case ValueKind::File:
      return true;
    case ValueKind::Function:  // of a file: a closure holds values of its maker
      return value->environment != nullptr && value->environment->outer == nullptr;
    default:
      return false;
  }
}

bool is_container(Value value) {
  return value->is(ValueKind::Tuple) || value->is(ValueKind::List) || value->is(ValueKind::Dict) ||
         value->is(ValueKind::Slice);
}

bool is_plain_unknown(Value value) {
  return value->is(ValueKind::Unknown) && value->items.empty() && value->values.empty() &&
         value->attributes.empty() && !value->is_parameter && value->owner == nullptr;
}

// Whether a value can be said of another call: see Mover.
bool is_movable(Value value, std::string_view module, int depth = 0) {
  go_on();
  if (depth > kMaxArgumentDepth) return false;
  if (is_fixed(value) || is_plain_unknown(value)) return true;
  if (value->is(ValueKind::Tensor)) return value->attributes.empty();
  if (value->is(ValueKind::Module)) return path_below(value->text, module).has_value();
  if (!is_container(value) || !value->attributes.empty()) return false;
  const auto movable = [&](Value one) { return is_movable(one, module, depth + 1); };
  return std::all_of(value->items.begin(), value->items.end(), movable) &&
         std::all_of(value->values.begin(), value->values.end(), movable);
}

template <typename Each>
bool all_of_arguments(const Arguments& arguments, const Each& each) {
  return std::all_of(arguments.positional.begin(), arguments.positional.end(), each) &&
         std::all_of(arguments.named.begin(), arguments.named.end(),
                     [&](const auto& row) { return each(row.second); });
}

// Numbers values in the order in which they are met.
class ShapeWriter {
 public:
  explicit ShapeWriter(const GraphUnits& graph) : graph_(graph) {}

  void add(uint32_t number) { shape_.key.push_back(number); }
  void add_wide(uint64_t number) {
    add(static_cast<uint32_t>(number));
    add(static_cast<uint32_t>(number >> 32));
  }
  void add_address(const void* at) { add_wide(reinterpret_cast<uintptr_t>(at)); }
  void add_value(uint32_t value) {
    const auto [at, is_new] =
        numbers_.try_emplace(value, static_cast<uint32_t>(shape_.values.size()));
    add(at->second);
    if (!is_new) return;
    shape_.values.push_back(value);
    add(graph_.shape_text(value).value);
    add((graph_.is_lifted(value) ? 1u : 0u) | (graph_.is_held(value) ? 2u : 0u));
  }
  void add_values(const std::vector<uint32_t>& values) {
    add(static_cast<uint32_t>(values.size()));
    for (const uint32_t value : values) add_value(value);
  }
  uint32_t number_of_unknown(Value unknown) {
    return unknowns_.try_emplace(unknown, static_cast<uint32_t>(unknowns_.size())).first->second;
  }
  CallShape take() { return std::move(shape_); }

 private:
  const GraphUnits& graph_;
  CallShape shape_;
  std::unordered_map<uint32_t, uint32_t> numbers_;
  std::unordered_map<Value, uint32_t> unknowns_;
};

// Copies values of one call as those of an equal one.
struct Mover {
  Arena& arena;
  const std::unordered_map<uint32_t, uint32_t>& values;
  std::string_view from;
  std::string_view to;
  std::unordered_map<Value, Value> copies;

  std::vector<uint32_t> moved(const std::vector<uint32_t>& names) const {
    std::vector<uint32_t> result;
    for (const uint32_t name : names) {
      const auto at = values.find(name);
      result.push_back(at == values.end() ? name : at->second);
    }
    return result;
  }

  Value moved(Value value) {
    go_on();
    if (is_fixed(value)) return value;
    Value& copy = copies[value];
    if (copy != nullptr) return copy;
    copy = arena.make(value->kind);
    const Value made = copy;
    if (value->is(ValueKind::Unknown)) return made;
    *made = *value;
    made->is_shared = false;
    if (value->is(ValueKind::Module)) made->text = path_inside(to, *path_below(value->text, from));
    made->names = moved(value->names);
    made->parts = moved(value->parts);
    for (Value& item : made->items) item = moved(item);
    for (Value& item : made->values) item = moved(item);
    return made;
  }
};

// False if it holds something that is not told by its shape.
bool add_argument(ShapeWriter& shape, Value value, std::string_view module,
                  const auto& number_of_text, int depth = 0) {
  if (!is_movable(value, module, depth)) return false;
  shape.add(static_cast<uint32_t>(value->kind));
  switch (value->kind) {
    case ValueKind::Bool:
    case ValueKind::Int:
      shape.add_wide(static_cast<uint64_t>(value->integer));
      return true;
    case ValueKind::Float: {
      uint64_t bits = 0;
      static_assert(sizeof bits == sizeof value->number);
      std::copy_n(reinterpret_cast<const char*>(&value->number), sizeof bits,
                  reinterpret_cast<char*>(&bits));
      shape.add_wide(bits);
      return true;
    }
    case ValueKind::Text:
    case ValueKind::External:
      shape.add(number_of_text(value->text));
      return true;
    case ValueKind::Class:
    case ValueKind::File:
    case ValueKind::Function:
      shape.add_address(value);
      return true;
    case ValueKind::Module:
      shape.add(number_of_text(std::string(*path_below(value->text, module))));
      return true;
    case ValueKind::Unknown:
      shape.add(shape.number_of_unknown(value));
      return true;
    case ValueKind::Tensor:
      shape.add(static_cast<uint32_t>(value->state) | (value->is_multiple ? 16u : 0u) |
                (value->from_module ? 32u : 0u));
      shape.add_values(value->names);
      shape.add_values(value->parts);
      return true;
    default:
      break;
  }
  shape.add(static_cast<uint32_t>(value->items.size()));
  shape.add(static_cast<uint32_t>(value->values.size()));
  const auto add = [&](Value one) {
    return add_argument(shape, one, module, number_of_text, depth + 1);
  };
  return std::all_of(value->items.begin(), value->items.end(), add) &&
         std::all_of(value->values.begin(), value->values.end(), add);
}

}  // namespace

size_t EqualCalls::KeyHash::operator()(const std::vector<uint32_t>& key) const {
  uint64_t hash = 1469598103934665603ull;
  for (const uint32_t word : key) hash = (hash ^ word) * 1099511628211ull;
  return hash;
}

uint32_t EqualCalls::number_of(const std::string& text) {
  return numbers_.try_emplace(text, static_cast<uint32_t>(numbers_.size())).first->second;
}

// One number for all modules that hold the same under the same names.
uint32_t EqualCalls::number_of_tree(const std::string& path) {
  if (const auto at = trees_.find(path); at != trees_.end()) return at->second;
  go_on();
  std::string text(graph_.type_of(path));
  trees_.emplace(path, 0);  // paths hold no circles: this only ends the impossible
  for (const std::string_view child : graph_.children_of(path)) {
    text += '\n';
    text += child;
    text += ' ' + std::to_string(number_of_tree(path_inside(path, child)));
  }
  for (const std::string_view name : graph_.held_below(path)) {
    const uint32_t value = graph_.held(path_inside(path, name));
    text += "\n=";
    text += name;
    text += ' ' + std::to_string(graph_.shape_text(value).value);
  }
  return trees_[path] = number_of(text);
}

std::optional<CallShape> EqualCalls::shape_of(const Problem& problem) {
  const ModuleCall& call = graph_.calls()[problem.call];
  const EtRecord& record = graph_.record();
  ShapeWriter shape(graph_);
  const auto number_of_text = [&](const std::string& text) { return number_of(text); };
  shape.add_address(problem.forward);
  shape.add(number_of_tree(call.path));
  shape.add((problem.has_arguments ? 1u : 0u) | (problem.arguments.has_more ? 2u : 0u));
  shape.add(static_cast<uint32_t>(problem.arguments.positional.size()));
  for (const auto& [name, value] : problem.arguments.named) shape.add(number_of(std::string(name)));
  if (!all_of_arguments(problem.arguments, [&](Value value) {
        return add_argument(shape, value, call.path, number_of_text);
      })) {
    return std::nullopt;
  }
  for (const Unit& unit : call.units) {
    go_on();
    shape.add(kNone);  // a unit begins
    if (unit.child != kNoCall) {
      const auto below = path_below(graph_.calls()[unit.child].path, call.path);
      if (!below) return std::nullopt;
      shape.add(number_of(std::string(*below)));
    } else {
      shape.add(number_of(unit.name));
      shape.add(number_of(unit.origin));
      for (const NodeId id : unit.nodes) {
        const Node& node = record.nodes[id.value];
        shape.add(node.target.value);
        for (const StringId output : record.outputs_of(node)) shape.add_value(output.value);
        for (const ConstantArgument& row : record.constants_of(node)) {
          shape.add(row.name.value);
          for (const int64_t number : record.values_of(row))
            shape.add_wide(static_cast<uint64_t>(number));
        }
      }
    }
    shape.add_values(unit.inputs);
    shape.add_values(unit.outputs);
    shape.add_values(unit.results);
    const size_t outer = std::min(problem.outer_frames, unit.frames.size());
    shape.add(static_cast<uint32_t>(unit.frames.size() - outer));
    for (size_t f = outer; f < unit.frames.size(); ++f) {
      shape.add(unit.frames[f].file.value);
      shape.add(unit.frames[f].function.value);
      shape.add(unit.frames[f].line);
    }
  }
  // Held tensors are among a call's values wherever they are read: by their paths.
  std::vector<std::string> open{call.path};
  while (!open.empty()) {
    go_on();
    const std::string path = std::move(open.back());
    open.pop_back();
    for (const std::string_view name : graph_.held_below(path))
      shape.add_value(graph_.held(path_inside(path, name)));
    for (const std::string_view child : graph_.children_of(path))
      open.push_back(path_inside(path, child));
  }
  return shape.take();
}

uint32_t EqualCalls::find(const CallShape& shape) const {
  const auto at = kept_.find(shape.key);
  return at == kept_.end() ? kNoCall : at->second.call;
}

void EqualCalls::keep(CallShape shape, uint32_t call, const CallLines& lines) {
  const std::string& path = graph_.calls()[call].path;
  for (const UnitLine& line : lines.units) {
    if (!all_of_arguments(line.arguments, [&](Value value) { return is_movable(value, path); }))
      return;
  }
  kept_.try_emplace(std::move(shape.key), Kept{call, std::move(shape.values)});
}

CallLines EqualCalls::carry_over(uint32_t from, uint32_t to, const CallLines& lines,
                                 const CallShape& shape, Arena& arena) const {
  const std::vector<uint32_t>& before = kept_.at(shape.key).values;
  std::unordered_map<uint32_t, uint32_t> values;
  for (size_t i = 0; i < before.size() && i < shape.values.size(); ++i)
    values.emplace(before[i], shape.values[i]);
  Mover mover{arena, values, graph_.calls()[from].path, graph_.calls()[to].path, {}};
  CallLines result;
  result.unexplained = lines.unexplained;
  result.units = lines.units;
  for (UnitLine& line : result.units) {
    for (Value& value : line.arguments.positional) value = mover.moved(value);
    for (auto& [name, value] : line.arguments.named) value = mover.moved(value);
  }
  return result;
}

}  // namespace etlens::recover
