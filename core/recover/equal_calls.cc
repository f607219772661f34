// SPDX-License-Identifier: Apache-2.0
#include "core/recover/equal_calls.h"

#include <algorithm>

#include "core/base/budget.h"
#include "core/recover/forward_functions.h"

namespace etlens::recover {
namespace {

constexpr int kMaxArgumentDepth = 8;
constexpr int kMaxTreeDepth = 100;  // of modules in modules
// In keys, where numbers of units and frames stand otherwise:
constexpr uint32_t kUnitBegins = kNone;
constexpr uint32_t kAsBefore = kNone - 1;  // the frames of the unit before

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
  switch (value->kind()) {
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
      return value->function().environment != nullptr &&
             value->function().environment->outer == nullptr;
    default:
      return false;
  }
}

bool is_container(Value value) {
  return value->is(ValueKind::Tuple) || value->is(ValueKind::List) || value->is(ValueKind::Dict) ||
         value->is(ValueKind::Slice);
}

bool is_plain_unknown(Value value) {
  return value->is(ValueKind::Unknown) && value->unknown().candidates.empty() &&
         value->attributes.empty() &&
         (std::holds_alternative<std::monostate>(value->unknown().origin) ||
          std::holds_alternative<payload::SizeOf>(value->unknown().origin));
}

// Whether a value can be said of another call: see CarriedArguments.
bool is_movable(Value value, std::string_view module, int depth = 0) {
  go_on();
  if (depth > kMaxArgumentDepth) return false;
  if (is_fixed(value) || is_plain_unknown(value)) return true;
  if (value->is(ValueKind::Tensor)) return value->attributes.empty();
  if (value->is(ValueKind::Module)) return path_below(value->path(), module).has_value();
  if (!is_container(value) || !value->attributes.empty()) return false;
  // What makes its missing values may be any function.
  if (value->is(ValueKind::Dict) && value->dict().factory != nullptr) return false;
  bool is_all = true;
  each_part(*value, [&](Value part) { is_all = is_all && is_movable(part, module, depth + 1); });
  return is_all;
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
  // `key` is written from its beginning, and grows.
  ShapeWriter(const GraphUnits& graph, Numbering& values, StringPool& texts,
              std::vector<uint32_t>& key)
      : graph_(graph), values_(values), texts_(texts), key_(key) {
    values_.begin();
    new_values_.reserve(64);
  }

  void add(uint32_t number) {
    if (used_ == key_.size()) key_.resize(used_ * 2 + 1);
    key_[used_++] = number;
    hash_ = (hash_ ^ number) * 1099511628211ull;
  }
  void add_wide(uint64_t number) {
    add(static_cast<uint32_t>(number));
    add(static_cast<uint32_t>(number >> 32));
  }
  void add_address(const void* at) { add_wide(reinterpret_cast<uintptr_t>(at)); }
  void add_text(std::string_view text) { add(texts_.intern(text).value); }
  // Texts of the record, where one that stands elsewhere may count as another: nothing is hashed.
  void add_place(std::string_view text) {
    add_address(text.empty() ? nullptr : text.data());
    add(static_cast<uint32_t>(text.size()));
  }
  void add_value(uint32_t value) {
    const auto [number, is_new] = values_.number_of(value);
    add(number);
    if (!is_new) return;
    new_values_.push_back(value);
    add(graph_.shape_text(value).value);
    add((graph_.is_lifted(value) ? 1u : 0u) | (graph_.is_held(value) ? 2u : 0u));
  }
  void add_values(std::span<const uint32_t> values) {
    add(static_cast<uint32_t>(values.size()));
    for (const uint32_t value : values) add_value(value);
  }
  // False if it holds something that is not told by its shape.
  bool add_argument(Value value, std::string_view module, int depth = 0);
  CallShape take() {
    const auto end = key_.begin() + static_cast<ptrdiff_t>(used_);
    return {{{key_.begin(), end}, hash_}, std::move(new_values_)};
  }

 private:
  const GraphUnits& graph_;
  Numbering& values_;
  StringPool& texts_;
  std::vector<uint32_t>& key_;
  size_t used_ = 0;
  uint64_t hash_ = 1469598103934665603ull;  // FNV-1a, by words
  std::vector<uint32_t> new_values_;
  std::unordered_map<Value, uint32_t> unknowns_;
};

bool EqualCalls::ShapeWriter::add_argument(Value value, std::string_view module, int depth) {
  if (!is_movable(value, module, depth)) return false;
  add(static_cast<uint32_t>(value->kind()));
  switch (value->kind()) {
    case ValueKind::Bool:
    case ValueKind::Int:
      add_wide(static_cast<uint64_t>(value->integer()));
      return true;
    case ValueKind::Float: {
      uint64_t bits = 0;
      const double number = value->number();
      static_assert(sizeof bits == sizeof number);
      std::copy_n(reinterpret_cast<const char*>(&number), sizeof bits,
                  reinterpret_cast<char*>(&bits));
      add_wide(bits);
      return true;
    }
    case ValueKind::Text:
    case ValueKind::External:
      add_text(label_of(value));
      return true;
    case ValueKind::Class:
    case ValueKind::File:
    case ValueKind::Function:
      add_address(value);
      return true;
    case ValueKind::Module:
      add_text(*path_below(value->path(), module));
      return true;
    case ValueKind::Unknown:
      add(unknowns_.try_emplace(value, static_cast<uint32_t>(unknowns_.size())).first->second);
      if (const auto* const size = origin_of<payload::SizeOf>(value)) {
        add_value(size->value);
        add_wide(size->dim);
      }
      return true;
    case ValueKind::Tensor:
      add(static_cast<uint32_t>(value->tensor().state) | (is_multiple(value) ? 16u : 0u) |
          (is_from_module(value) ? 32u : 0u));
      add_values(value->tensor().names);
      add_values(value->tensor().parts);
      return true;
    default:
      break;
  }
  uint32_t count = 0;
  each_part(*value, [&](Value) { ++count; });
  add(count);
  bool is_all = true;
  each_part(*value, [&](Value part) { is_all = is_all && add_argument(part, module, depth + 1); });
  return is_all;
}

uint32_t EqualCalls::number_of_key(std::span<const uint32_t> key) {
  return keys_.intern({reinterpret_cast<const char*>(key.data()), key.size_bytes()}).value;
}

// One number for all modules that are of one type and hold the same under the same names.
uint32_t EqualCalls::number_of_form(uint32_t module, int depth) {
  if (forms_[module] != kNone) return forms_[module];
  go_on();
  if (depth > kMaxTreeDepth) return number_of_key(std::array{module});  // like no other
  const ModelModule& row = graph_.module(module);
  std::vector<uint32_t> below;
  below.reserve(row.children.size());
  for (const uint32_t child : row.child_modules) below.push_back(number_of_form(child, depth + 1));
  row_ = {number_of(row.type), static_cast<uint32_t>(row.children.size())};
  for (size_t c = 0; c < row.children.size(); ++c)
    row_.insert(row_.end(), {number_of(row.children[c]), below[c]});
  for (size_t h = 0; h < row.held.size(); ++h) {
    row_.insert(row_.end(), {number_of(row.held[h]), graph_.shape_text(row.held_values[h]).value});
  }
  return forms_[module] = number_of_key(row_);
}

// One number for all modules that were made with the same. Equal parents that were made with the
// same make equal children: of these one is asked. Types made in functions do not say that two
// classes are equal, nor does having none.
uint32_t EqualCalls::number_of_made(uint32_t module, int depth) {
  if (made_with_[module] != kNone) return made_with_[module];
  go_on();
  const ModelModule& row = graph_.module(module);
  const auto asked = [&] { return made_with_[module] = number_of(made_(row.path)); };
  if (row.parent == kNone || row.parent == module || depth > kMaxTreeDepth) return asked();
  const uint32_t made_parent = number_of_made(row.parent, depth + 1);
  const std::string_view type = graph_.module(row.parent).type;
  if (is_made_in_function(type) || (type.empty() && made_parent == number_of({}))) return asked();
  const auto [at, is_new] = made_by_parent_.try_emplace(
      {number_of_form(row.parent), made_parent, number_of(last_part(row.path))}, kNone);
  if (is_new) at->second = number_of(made_(row.path));
  return made_with_[module] = at->second;
}

// One number for all modules that are, hold and were made with the same.
uint32_t EqualCalls::number_of_tree(uint32_t module, int depth) {
  if (trees_[module] != kNone) return trees_[module];
  go_on();
  if (depth > kMaxTreeDepth) return number_of_form(module, depth);
  const ModelModule& row = graph_.module(module);
  const bool is_of_torch = row.type.starts_with("torch.");
  std::vector<uint32_t> key;
  key.reserve(2 + row.children.size());
  key.assign({number_of_form(module), is_of_torch ? kNone : number_of_made(module)});
  for (const uint32_t child : row.child_modules) key.push_back(number_of_tree(child, depth + 1));
  return trees_[module] = number_of_key(key);
}

std::optional<CallShape> EqualCalls::shape_of(const ModuleCallTask& task) {
  const ModuleCall& call = graph_.calls()[task.call];
  ShapeWriter shape(graph_, values_, texts_, written_);
  shape.add_address(task.forward);
  shape.add(number_of_tree(call.module));
  shape.add((task.has_arguments ? 1u : 0u) | (task.arguments.has_more ? 2u : 0u));
  shape.add(static_cast<uint32_t>(task.arguments.positional.size()));
  for (const auto& [name, value] : task.arguments.named) shape.add_text(name);
  if (!all_of_arguments(task.arguments,
                        [&](Value value) { return shape.add_argument(value, call.path); })) {
    return std::nullopt;
  }
  if (!add_units(task, shape)) return std::nullopt;
  // Held tensors are among a call's values wherever they are read: by their paths.
  add_held(call.module, shape);
  return shape.take();
}

bool EqualCalls::add_units(const ModuleCallTask& task, ShapeWriter& shape) {
  const ModuleCall& call = graph_.calls()[task.call];
  const EtRecord& record = graph_.record();
  std::span<const KeptFrame> before;
  for (const SourceCall& unit : call.units) {
    go_on();
    shape.add(kUnitBegins);
    if (unit.child != kNoCall) {
      const auto below = path_below(graph_.calls()[unit.child].path, call.path);
      if (!below) return false;
      shape.add_text(*below);
    } else {
      shape.add_place(unit.name);
      shape.add_place(unit.origin);
      shape.add(unit.is_layer ? 1 : 0);
      for (const NodeId id : unit.nodes) {
        const Node& node = record.nodes[id.value];
        shape.add(node.target.value);
        for (const StringId output : record.outputs_of(node))
          shape.add_value(graph_.number_of(output));
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
    if (unit.frames.data() == before.data() && unit.frames.size() == before.size()) {
      shape.add(kAsBefore);
      continue;
    }
    before = unit.frames;
    const size_t outer = std::min(task.outer_frames, unit.frames.size());
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
  if (!kept_.try_emplace(std::move(shape.key), call).second) return;
  std::vector<PlacedValue>& values = kept_values_[call];
  values.reserve(shape.values.size());
  for (const uint32_t value : shape.values)
    values.push_back({value, static_cast<uint32_t>(values.size())});
  std::ranges::sort(values, {}, &PlacedValue::value);
}

Arguments CarriedArguments::of(const Arguments& arguments, Arena& arena) {
  Arguments result = arguments;
  for (Value& value : result.positional) value = moved(value, arena);
  for (auto& [name, value] : result.named) value = moved(value, arena);
  return result;
}

std::vector<uint32_t> CarriedArguments::moved(const std::vector<uint32_t>& names) const {
  std::vector<uint32_t> result;
  result.reserve(names.size());
  for (const uint32_t name : names) {
    const auto at = std::ranges::lower_bound(before_, name, {}, &PlacedValue::value);
    const bool is_moved = at != before_.end() && at->value == name && at->place < after_.size();
    result.push_back(is_moved ? after_[at->place] : name);
  }
  return result;
}

Value CarriedArguments::moved(Value value, Arena& arena) {
  go_on();
  if (is_fixed(value)) return value;
  Value& copy = copies_[value];
  if (copy != nullptr) return copy;
  copy = arena.unknown();
  const Value made = copy;
  if (const auto* const size = origin_of<payload::SizeOf>(value))
    made->unknown().origin = payload::SizeOf{moved(std::vector{size->value})[0], size->dim};
  if (value->is(ValueKind::Unknown)) return made;
  *made = *value;
  made->is_shared = false;
  if (value->is(ValueKind::Module))
    made->path() = path_inside(to_, *path_below(value->path(), from_));
  if (made->is(ValueKind::Tensor)) {
    made->tensor().names = moved(made->tensor().names);
    made->tensor().parts = moved(made->tensor().parts);
  }
  each_part(*made, [&](Value& part) { part = moved(part, arena); });
  return made;
}

}  // namespace etlens::recover
