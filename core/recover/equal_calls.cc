// SPDX-License-Identifier: Apache-2.0
#include "core/recover/equal_calls.h"

#include <algorithm>

#include "core/base/budget.h"

namespace etlens::recover {
namespace {

constexpr int kMaxArgumentDepth = 8;
constexpr int kMaxTreeDepth = 100;  // of modules in modules

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

// Whether a value can be said of another call: see CarriedArguments.
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

}  // namespace

class EqualCalls::ShapeWriter {
 public:
  // `size`: of the key, about.
  ShapeWriter(const GraphUnits& graph, Numbering& values, StringPool& texts, size_t size)
      : graph_(graph), values_(values), texts_(texts) {
    values_.begin();
    shape_.key.reserve(size);
  }

  void add(uint32_t number) { shape_.key.push_back(number); }
  void add_wide(uint64_t number) {
    add(static_cast<uint32_t>(number));
    add(static_cast<uint32_t>(number >> 32));
  }
  void add_address(const void* at) { add_wide(reinterpret_cast<uintptr_t>(at)); }
  void add_text(std::string_view text) { add(texts_.intern(text).value); }
  void add_value(uint32_t value) {
    const auto [number, is_new] = values_.number_of(value);
    add(number);
    if (!is_new) return;
    shape_.values.push_back(value);
    add(graph_.shape_text(value).value);
    add((graph_.is_lifted(value) ? 1u : 0u) | (graph_.is_held(value) ? 2u : 0u));
  }
  void add_values(std::span<const uint32_t> values) {
    add(static_cast<uint32_t>(values.size()));
    for (const uint32_t value : values) add_value(value);
  }
  // False if it holds something that is not told by its shape.
  bool add_argument(Value value, std::string_view module, int depth = 0);
  CallShape take() { return std::move(shape_); }

 private:
  const GraphUnits& graph_;
  Numbering& values_;
  StringPool& texts_;
  CallShape shape_;
  std::unordered_map<Value, uint32_t> unknowns_;
};

bool EqualCalls::ShapeWriter::add_argument(Value value, std::string_view module, int depth) {
  if (!is_movable(value, module, depth)) return false;
  add(static_cast<uint32_t>(value->kind));
  switch (value->kind) {
    case ValueKind::Bool:
    case ValueKind::Int:
      add_wide(static_cast<uint64_t>(value->integer));
      return true;
    case ValueKind::Float: {
      uint64_t bits = 0;
      static_assert(sizeof bits == sizeof value->number);
      std::copy_n(reinterpret_cast<const char*>(&value->number), sizeof bits,
                  reinterpret_cast<char*>(&bits));
      add_wide(bits);
      return true;
    }
    case ValueKind::Text:
    case ValueKind::External:
      add_text(value->text);
      return true;
    case ValueKind::Class:
    case ValueKind::File:
    case ValueKind::Function:
      add_address(value);
      return true;
    case ValueKind::Module:
      add_text(*path_below(value->text, module));
      return true;
    case ValueKind::Unknown:
      add(unknowns_.try_emplace(value, static_cast<uint32_t>(unknowns_.size())).first->second);
      return true;
    case ValueKind::Tensor:
      add(static_cast<uint32_t>(value->state) | (value->is_multiple ? 16u : 0u) |
          (value->from_module ? 32u : 0u));
      add_values(value->names);
      add_values(value->parts);
      return true;
    default:
      break;
  }
  add(static_cast<uint32_t>(value->items.size()));
  add(static_cast<uint32_t>(value->values.size()));
  const auto inner = [&](Value one) { return add_argument(one, module, depth + 1); };
  return std::all_of(value->items.begin(), value->items.end(), inner) &&
         std::all_of(value->values.begin(), value->values.end(), inner);
}

size_t EqualCalls::KeyHash::operator()(const std::vector<uint32_t>& key) const {
  uint64_t hash = 1469598103934665603ull;
  for (const uint32_t word : key) hash = (hash ^ word) * 1099511628211ull;
  return hash;
}

// One number for all modules that hold the same under the same names.
uint32_t EqualCalls::number_of_tree(uint32_t module, int depth) {
  if (trees_[module] != kNone) return trees_[module];
  go_on();
  const ModelModule& row = graph_.module(module);
  if (depth > kMaxTreeDepth) return number_of(row.path);  // like no other
  std::string text(row.type);
  if (!row.type.starts_with("torch.")) text += made_(row.path);
  for (size_t c = 0; c < row.children.size(); ++c) {
    text += '\n';
    text += row.children[c];
    text += ' ' + std::to_string(number_of_tree(row.child_modules[c], depth + 1));
  }
  for (size_t h = 0; h < row.held.size(); ++h) {
    text += "\n=";
    text += row.held[h];
    text += ' ' + std::to_string(graph_.shape_text(row.held_values[h]).value);
  }
  return trees_[module] = number_of(text);
}

std::optional<CallShape> EqualCalls::shape_of(const Problem& problem) {
  const ModuleCall& call = graph_.calls()[problem.call];
  constexpr size_t kWordsOfUnit = 32;
  ShapeWriter shape(graph_, values_, texts_, call.units.size() * kWordsOfUnit);
  shape.add_address(problem.forward);
  shape.add(number_of_tree(call.module));
  shape.add((problem.has_arguments ? 1u : 0u) | (problem.arguments.has_more ? 2u : 0u));
  shape.add(static_cast<uint32_t>(problem.arguments.positional.size()));
  for (const auto& [name, value] : problem.arguments.named) shape.add_text(name);
  if (!all_of_arguments(problem.arguments,
                        [&](Value value) { return shape.add_argument(value, call.path); })) {
    return std::nullopt;
  }
  if (!add_units(problem, shape)) return std::nullopt;
  // Held tensors are among a call's values wherever they are read: by their paths.
  add_held(call.module, shape);
  return shape.take();
}

bool EqualCalls::add_units(const Problem& problem, ShapeWriter& shape) {
  const ModuleCall& call = graph_.calls()[problem.call];
  const EtRecord& record = graph_.record();
  for (const Unit& unit : call.units) {
    go_on();
    shape.add(kNone);  // a unit begins
    if (unit.child != kNoCall) {
      const auto below = path_below(graph_.calls()[unit.child].path, call.path);
      if (!below) return false;
      shape.add_text(*below);
    } else {
      shape.add_text(unit.name);
      shape.add_text(unit.origin);
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
    for (const KeptFrame& frame : unit.frames.subspan(outer)) {
      shape.add(frame.file.value);
      shape.add(frame.function.value);
      shape.add(frame.line);
    }
  }
  return true;
}

void EqualCalls::add_held(uint32_t module, ShapeWriter& shape) const {
  std::vector<uint32_t> open{module};
  while (!open.empty()) {
    go_on();
    const ModelModule& row = graph_.module(open.back());
    open.pop_back();
    for (const uint32_t value : row.held_values) shape.add_value(value);
    open.insert(open.end(), row.child_modules.begin(), row.child_modules.end());
  }
}

uint32_t EqualCalls::find(const CallShape& shape) const {
  const auto at = kept_.find(shape.key);
  return at == kept_.end() ? kNoCall : at->second;
}

void EqualCalls::keep(CallShape shape, uint32_t call, const CallLines& lines) {
  const std::string_view path = graph_.calls()[call].path;
  for (const UnitLine& line : lines.units) {
    if (!all_of_arguments(line.arguments, [&](Value value) { return is_movable(value, path); }))
      return;
  }
  if (kept_.try_emplace(std::move(shape.key), call).second)
    kept_values_.emplace(call, std::move(shape.values));
}

CarriedArguments::CarriedArguments(const ModuleCall& from, const ModuleCall& to,
                                   const std::vector<uint32_t>& before,
                                   const std::vector<uint32_t>& after)
    : from_(from.path), to_(to.path) {
  for (size_t i = 0; i < before.size() && i < after.size(); ++i)
    values_.emplace(before[i], after[i]);
}

Arguments CarriedArguments::of(const Arguments& arguments, Arena& arena) {
  Arguments result = arguments;
  for (Value& value : result.positional) value = moved(value, arena);
  for (auto& [name, value] : result.named) value = moved(value, arena);
  return result;
}

std::vector<uint32_t> CarriedArguments::moved(const std::vector<uint32_t>& names) const {
  std::vector<uint32_t> result;
  for (const uint32_t name : names) {
    const auto at = values_.find(name);
    result.push_back(at == values_.end() ? name : at->second);
  }
  return result;
}

Value CarriedArguments::moved(Value value, Arena& arena) {
  go_on();
  if (is_fixed(value)) return value;
  Value& copy = copies_[value];
  if (copy != nullptr) return copy;
  copy = arena.make(value->kind);
  const Value made = copy;
  if (value->is(ValueKind::Unknown)) return made;
  *made = *value;
  made->is_shared = false;
  if (value->is(ValueKind::Module)) made->text = path_inside(to_, *path_below(value->text, from_));
  made->names = moved(value->names);
  made->parts = moved(value->parts);
  for (Value& item : made->items) item = moved(item, arena);
  for (Value& item : made->values) item = moved(item, arena);
  return made;
}

}  // namespace etlens::recover
