// SPDX-License-Identifier: Apache-2.0
#include "core/recover/forward_functions.h"

#include <algorithm>

#include "core/base/budget.h"

namespace etlens::recover {
namespace {

// The last function of a class's own text that is called forward; kNone without.
uint32_t written_forward(const Object& cls) {
  const PythonTree& tree = *cls.file->tree;
  const uint32_t body = tree.child(cls.node, PythonField::Body);
  uint32_t found = kNone;
  for (uint32_t c = body == kNone ? kNone : tree[body].first_child; c != kNone; c = tree[c].next) {
    const uint32_t definition = tree[c].kind == PythonKind::DecoratedDefinition
                                    ? tree.child(c, PythonField::Definition)
                                    : c;
    if (definition == kNone || tree[definition].kind != PythonKind::FunctionDefinition) continue;
    if (tree.text(tree.child(definition, PythonField::Name)) == "forward") found = definition;
  }
  return found;
}

// A base that no source of the project defines.
bool may_have_forward(Value base) {
  if (base->is(ValueKind::Class)) return false;
  const std::string_view name = base->text;
  return !name.ends_with(".Module") && !name.starts_with("abc.") && !name.starts_with("typing.") &&
         !name.starts_with("builtins.");
}

// Methods that the forward of torch's layers calls, where the project has its own.
void set_called_by_layer(Interpreter& finder, Value cls, ForwardFunction& forward) {
  const Value convolution = finder.find_member(cls, "_conv_forward");
  if (convolution != nullptr && convolution->is(ValueKind::Function))
    forward.convolution = convolution;
  for (const std::string_view name : {"_sa_block", "_mha_block", "_ff_block", "merge_masks"})
    forward.is_missing = forward.is_missing || finder.find_member(cls, name) != nullptr;
}

}  // namespace

bool is_made_in_function(std::string_view type) {
  return type.find("<locals>.") != std::string_view::npos;
}

// What the class says that runs for it.
ForwardFunction ForwardFunctions::of_class(Interpreter& finder, Value cls) const {
  ForwardFunction forward;
  Value owner = nullptr;
  const Value found = finder.find_member(cls, "forward", &owner);
  if (cls != nullptr && found == nullptr) {
    // It runs that of a base, which has one only if it is more than torch.nn.Module.
    const std::vector<Value> order = finder.bases_in_order(cls);
    forward.is_missing = std::none_of(order.begin(), order.end(), may_have_forward);
    set_called_by_layer(finder, cls, forward);
  }
  if (found == nullptr || !found->is(ValueKind::Function)) return forward;
  // The record keeps the frame of the function that a decorator wraps.
  const uint32_t written = written_forward(*owner);
  const SourceFile& file = written == kNone ? *found->file : *owner->file;
  const uint32_t node = written == kNone ? found->node : written;
  const PythonTree& tree = *file.tree;
  forward.function = found;
  forward.file = graph_.record().strings.find(file.recorded_path);
  forward.first_line = tree[node].line + 1;
  forward.last_line =
      static_cast<uint32_t>(tree.document->line_at(std::max<uint32_t>(tree[node].end, 1) - 1) + 1);
  return forward;
}

const ForwardFunction& ForwardFunctions::of_type(std::string_view type) {
  const auto [at, is_new] = of_types_.try_emplace(type);
  ForwardFunction& forward = at->second;
  if (!is_new || type.starts_with("torch.")) return forward;
  Arena scratch;
  Interpreter finder(sources_, caches_, scratch, nullptr, nullptr);
  const Value cls = finder.class_of_type(type);
  forward = of_class(finder, cls);
  forward.is_missing = forward.is_missing || (cls == nullptr && sources_.is_project(type));
  return forward;
}

const ForwardFunction& ForwardFunctions::of(const ModuleCall& call, size_t begin_frames) {
  const ForwardFunction* made = nullptr;
  if (is_made_in_function(call.type)) made = made_in_function(call, begin_frames);
  return made != nullptr ? *made : of_type(call.type);
}

// Of a call whose class was made in a function: the record keeps the frame of its forward, and one
// class of that name runs what stands there. Null if none or several do.
const ForwardFunction* ForwardFunctions::made_in_function(const ModuleCall& call,
                                                          size_t begin_frames) {
  const KeptFrame* frame = nullptr;
  for (const Unit& unit : call.units) {
    if (frame == nullptr && unit.frames.size() > begin_frames) frame = &unit.frames[begin_frames];
  }
  if (frame == nullptr) return nullptr;
  const auto [at, is_new] = of_paths_.try_emplace(call.path);
  if (!is_new) return at->second.function == nullptr ? nullptr : &at->second;
  Arena scratch;
  Interpreter finder(sources_, caches_, scratch, nullptr, nullptr);
  const std::string_view name = call.type.substr(call.type.rfind('.') + 1);
  finder.run_file(sources_.open(std::string(graph_.record().text(frame->file))));
  Value found = nullptr;
  for (const SourceFile* file : sources_.opened()) {
    if (file->globals == nullptr) continue;
    for (const auto& [global, cls] : file->globals->names) {
      go_on();
      if (!cls->is(ValueKind::Class) || cls->text != name || cls == found) continue;
      const ForwardFunction forward = of_class(finder, cls);
      if (forward.function == nullptr || forward.file != frame->file ||
          frame->line < forward.first_line || frame->line > forward.last_line) {
        continue;
      }
      if (found != nullptr) return nullptr;
      found = cls;
    }
  }
  if (found == nullptr) return nullptr;
  at->second = of_class(finder, found);
  caches_.classes_of_paths[std::string(call.path)] = found;
  return &at->second;
}

// `module.forward = module.other` in the sources, where the class has that method and only one;
// null without.
Value ForwardFunctions::set_as_forward(std::string_view type) {
  const auto [at, is_new] = set_.try_emplace(type, nullptr);
  if (!is_new) return at->second;
  Arena scratch;
  Interpreter finder(sources_, caches_, scratch, nullptr, nullptr);
  const Value cls = finder.class_of_type(type);
  Value found = nullptr;
  for (const SourceFile* file : sources_.opened()) {
    const PythonTree& tree = *file->tree;
    if (tree.document->text().find(".forward") == std::string_view::npos) continue;
    for (uint32_t n = 0; n < tree.nodes.size(); ++n) {
      go_on();
      if (tree[n].kind != PythonKind::Assignment) continue;
      const uint32_t left = tree.child(n, PythonField::Left);
      const uint32_t right = tree.child(n, PythonField::Right);
      if (left == kNone || right == kNone || tree[left].kind != PythonKind::Attribute ||
          tree[right].kind != PythonKind::Attribute ||
          tree.text(tree.child(left, PythonField::Attribute)) != "forward") {
        continue;
      }
      const Value method =
          finder.find_member(cls, tree.text(tree.child(right, PythonField::Attribute)));
      if (method == nullptr || !method->is(ValueKind::Function) || method == found) continue;
      if (found != nullptr) return nullptr;
      found = method;
    }
  }
  return set_[type] = found;
}

}  // namespace etlens::recover
