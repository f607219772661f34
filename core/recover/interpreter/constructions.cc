// SPDX-License-Identifier: Apache-2.0
// Where a module is made: what the constructor around it gives to its own is known of this one
// module, whatever others give who make one of its class.
#include "core/recover/interpreter/constructions.h"

#include <charconv>

#include "core/base/budget.h"
#include "core/recover/interpreter/calls.h"
#include "core/recover/interpreter/classes.h"
#include "core/recover/interpreter/evaluator.h"
#include "core/recover/interpreter/tree_names.h"

namespace etlens::recover {
namespace {

using F = PythonField;

constexpr int kMaxMadeDepth = 6;         // of values in each other
constexpr size_t kMaxWritten = 1 << 16;  // bytes of what tells one from others

// What it was made with is known.
bool is_construction(Value value) {
  if (!value->is(ValueKind::Instance)) return false;
  const payload::Instance& instance = value->instance();
  return instance.positional != nullptr && instance.positional->is(ValueKind::Tuple) &&
         instance.named->is(ValueKind::Dict);
}

// Element of a container of torch's that is made of its arguments; null if it is no such.
Value element_of(Value container, std::string_view name) {
  const payload::Instance& instance = container->instance();
  const std::string& type = instance.cls->name();
  size_t index = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), index);
  if (error != std::errc() || end != name.data() + name.size()) return nullptr;
  if (!is_construction(container) || !instance.named->dict().keys.empty()) return nullptr;
  const std::vector<Value>* made = &instance.positional->items();
  if (type == "torch.nn.ModuleList") {
    if (made->size() != 1 || !is_sequence(made->front())) return nullptr;
    made = &made->front()->items();
  } else if (type != "torch.nn.Sequential") {
    return nullptr;
  }
  return index < made->size() ? (*made)[index] : nullptr;
}

// The constructor gives the name another value itself.
bool is_reassigned(const PythonTree& tree, uint32_t body, std::string_view name) {
  for (uint32_t n = body; n < tree[body].end_child; ++n) {
    const PythonKind kind = tree[n].kind;
    if (kind != PythonKind::Assignment && kind != PythonKind::AugmentedAssignment) continue;
    if (is_assigned(tree, tree.child(n, F::Left), name)) return true;
  }
  return false;
}

bool is_closure(Value value) {
  if (!value->is(ValueKind::Function)) return false;
  const Environment* const environment = value->function().environment;
  return environment != nullptr && environment->outer != nullptr;
}

void write_number(std::string& text, uint64_t number) {
  text += ' ';
  text += std::to_string(number);
}

// A value of which modules are made. Unknowns are told apart by what they are parameters of; what
// is not written whole is like no other.
void write_made(Value value, std::string& text, int depth) {
  go_on();
  if (value == nullptr) return;  // a parameter of a function that has no default
  text += '(';
  text += std::to_string(static_cast<int>(value->kind()));
  text += label_of(value);
  if (is_number(value)) text += ' ' + std::to_string(as_double(value));
  if (is_number(value) && !value->is(ValueKind::Float)) write_number(text, value->integer());
  if (value->is(ValueKind::Class)) {
    write_number(text, reinterpret_cast<uintptr_t>(value->cls().file));
    write_number(text, value->cls().node);
  } else if (value->is(ValueKind::Function)) {
    write_number(text, reinterpret_cast<uintptr_t>(value->function().file));
    write_number(text, value->function().node);
  }
  const std::vector<Value> parts = parts_of(value);
  const bool has_parts =
      !parts.empty() || (!value->attributes.empty() && !value->is(ValueKind::Class));
  if (text.size() > kMaxWritten || is_closure(value) || value->is(ValueKind::Lazy) ||
      (has_parts && depth >= kMaxMadeDepth)) {
    write_number(text, reinterpret_cast<uintptr_t>(value));
  } else if (!value->is(ValueKind::Class)) {
    for (const Value part : parts) write_made(part, text, depth + 1);
    for (const auto& [name, item] : value->attributes) {
      text += name;
      write_made(item, text, depth + 1);
    }
  }
  text += ')';
}

}  // namespace

void keep_arguments(Evaluator& run, Value made, const Arguments& arguments) {
  if (arguments.has_more) return;
  payload::Dict named;
  for (const auto& [name, value] : arguments.named) {
    named.keys.push_back(run.arena.string(name));
    named.values.push_back(value);
  }
  made->instance().positional = run.arena.tuple(arguments.positional);
  made->instance().named = run.arena.make(std::move(named));
}

Value Model::construction_of(const std::string& path) {
  if (path.size() > kMaxPath) return nullptr;
  const auto [at, is_new] = run_.caches.constructions.try_emplace(path, nullptr);
  if (!is_new || path.empty() || run_.task == nullptr) return at->second;
  const size_t dot = path.rfind('.');
  const std::string above = dot == std::string::npos ? std::string() : path.substr(0, dot);
  const std::string name = dot == std::string::npos ? path : path.substr(dot + 1);
  const Value around = construction_of(above);
  Value made = nullptr;
  if (around != nullptr && around->instance().cls->is(ValueKind::External)) {
    made = element_of(around, name);
  } else {
    Evaluator apart(run_.sources, run_.caches, run_.sources.arena(), run_.task, nullptr);
    apart.begin_apart(nullptr);
    const Value cls = apart.model.class_of_module(above);
    if (cls == nullptr) return nullptr;
    made = apart.model.initial_attribute(apart.arena.module(above), cls, name);
  }
  if (made == nullptr || !is_construction(made)) return nullptr;
  return at->second = made;
}

std::string Model::construction_text(const std::string& path) {
  const Value made = construction_of(path);
  if (made == nullptr) return {};
  std::string text;
  write_made(made->instance().cls, text, 0);
  write_made(made->instance().positional, text, 0);
  write_made(made->instance().named, text, 0);
  return text;
}

// Puts what the module was made with under the names of its constructor's parameters, but for those
// that it assigns anew and those of which nothing is known.
bool Model::bind_construction(Value module, Value init, Environment* scope) {
  const Value cls = class_of_module(module->path());
  if (cls == nullptr || find_member(run_, cls, "__init__") != init) return false;
  const Value made = construction_of(module->path());
  if (made == nullptr || made->instance().cls != cls) return false;
  Arguments arguments;
  arguments.positional.push_back(module);
  for (const Value value : made->instance().positional->items())
    arguments.positional.push_back(run_.local(value));
  const payload::Dict& named = made->instance().named->dict();
  for (size_t i = 0; i < named.keys.size(); ++i)
    arguments.named.emplace_back(label_of(named.keys[i]), run_.local(named.values[i]));
  if (!bind(run_, init, arguments, scope)) return false;
  const PythonTree& tree = *init->function().file->tree;
  const uint32_t body = tree.child(init->function().node, F::Body);
  std::erase_if(scope->names, [&](const auto& row) {
    const Value value = row.second;
    const bool is_unknown = value->is(ValueKind::Unknown) && value->unknown().candidates.empty() &&
                            origin_of<payload::Parameter>(value) == nullptr;
    return is_unknown || (body != kNone && is_reassigned(tree, body, row.first));
  });
  return true;
}

}  // namespace etlens::recover
