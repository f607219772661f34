// SPDX-License-Identifier: Apache-2.0
#include "core/recover/forward_functions.h"

#include <algorithm>

#include "core/base/budget.h"
#include "core/recover/interpreter/classes.h"
#include "core/recover/interpreter/definitions.h"
#include "core/recover/interpreter/wrappers.h"

namespace etlens::recover {
namespace {

// The last function of a class's own text that is called forward; kNone without.
uint32_t written_forward(const payload::Class& cls) {
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
  const std::string_view name = label_of(base);
  return !name.ends_with(".Module") && !name.starts_with("abc.") && !name.starts_with("typing.") &&
         !name.starts_with("builtins.");
}

// Methods that the forward of torch's layers calls, where the project has its own.
void set_called_by_layer(Evaluator& finder, Value cls, ForwardFunction& forward) {
  const Value convolution = find_member(finder, cls, "_conv_forward");
  if (convolution != nullptr && convolution->is(ValueKind::Function))
    forward.convolution = convolution;
  forward.is_convolution = std::ranges::any_of(bases_in_order(finder, cls), [](Value base) {
    return base->is(ValueKind::External) && base->name().starts_with("torch.nn.Conv");
  });
  for (const std::string_view name : {"_sa_block", "_mha_block", "_ff_block", "merge_masks"})
    forward.is_missing = forward.is_missing || find_member(finder, cls, name) != nullptr;
}

}  // namespace

bool is_made_in_function(std::string_view type) {
  return type.find("<locals>.") != std::string_view::npos;
}

// What the class says that runs for it.
ForwardFunction ForwardFunctions::of_class(Evaluator& finder, Value cls) const {
  ForwardFunction forward;
  Value owner = nullptr;
  const Value found = find_member(finder, cls, "forward", &owner);
  if (cls != nullptr && found == nullptr) {
    // It runs that of a base, which has one only if it is more than torch.nn.Module.
    const std::vector<Value> order = bases_in_order(finder, cls);
    forward.is_missing = std::none_of(order.begin(), order.end(), may_have_forward);
    set_called_by_layer(finder, cls, forward);
  }
  if (found == nullptr || !found->is(ValueKind::Function)) return forward;
  // The record keeps the frame of the function that a decorator wraps.
  const uint32_t written = written_forward(owner->cls());
  const SourceFile& file = written == kNone ? *found->function().file : *owner->cls().file;
  const uint32_t node = written == kNone ? found->function().node : written;
  const PythonTree& tree = *file.tree;
  forward.function = found;
  const Value inner = innermost_wrapped(found);
  if (inner != found && inner->function().file == &file && inner->function().node == node) {
    payload::Function alone = inner->function();
    alone.is_wrapped = true;  // the frames of its wrappers are missing
    forward.unwrapped = sources_.arena().make(std::move(alone));
  }
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
  Evaluator finder(sources_, caches_, scratch, nullptr, nullptr);
  const Value cls = class_of_type(finder, type);
  forward = of_class(finder, cls);
  forward.is_missing = forward.is_missing || (cls == nullptr && sources_.is_project(type));
  return forward;
}

const ForwardFunction& ForwardFunctions::of(const ModuleCall& call, size_t begin_frames) {
  if (is_made_in_function(call.type)) {
    const ForwardFunction* made = made_in_function(call, begin_frames);
    return made != nullptr ? *made : of_type(call.type);
  }
  const ForwardFunction& known = of_type(call.type);
  const bool is_found = known.function != nullptr || call.type.starts_with("torch.");
  return is_found || !find_unknown_base(call, begin_frames) ? known : of_type(call.type);
}

// The class with the forward that the record shows for a call, among those of this name, or all.
// Null if none or several have it.
Value ForwardFunctions::class_shown(Evaluator& finder, const ModuleCall& call, size_t begin_frames,
                                    std::string_view name) {
  const KeptFrame* frame = nullptr;
  for (const SourceCall& unit : call.units) {
    if (frame == nullptr && unit.frames.size() > begin_frames) frame = &unit.frames[begin_frames];
  }
  if (frame == nullptr) return nullptr;
  run_file(finder, sources_.open(std::string(graph_.record().text(frame->file))));
  Value found = nullptr;
  for (const SourceFile* file : sources_.opened()) {
    if (file->globals == nullptr) continue;
    for (const auto& [global, cls] : file->globals->names) {
      go_on();
      if (!cls->is(ValueKind::Class) || cls == found) continue;
      // One that inherits it is not meant where no name is.
      if (name.empty() ? own_attribute(cls, "forward") == nullptr : cls->cls().name != name)
        continue;
      const ForwardFunction forward = of_class(finder, cls);
      if (forward.function == nullptr || forward.file != frame->file ||
          frame->line < forward.first_line || frame->line > forward.last_line) {
        continue;
      }
      if (found != nullptr) return nullptr;
      found = cls;
    }
  }
  return found;
}

// class Model(models[name].Model): the base is the class whose forward the record shows. True if
// that is known now.
bool ForwardFunctions::find_unknown_base(const ModuleCall& call, size_t begin_frames) {
  if (!asked_bases_.insert(call.type).second) return false;
  Arena scratch;
  Evaluator finder(sources_, caches_, scratch, nullptr, nullptr);
  const Value cls = class_of_type(finder, call.type);
  if (cls == nullptr) return false;
  const auto is_unknown = [](Value base) { return base->is(ValueKind::Unknown); };
  std::vector<Value>& bases = cls->cls().bases;
  const auto unknown = std::find_if(bases.begin(), bases.end(), is_unknown);
  if (unknown == bases.end() || std::any_of(unknown + 1, bases.end(), is_unknown)) return false;
  const Value base = class_shown(finder, call, begin_frames, {});
  if (base == nullptr || base == cls) return false;
  const std::vector<Value> order = bases_in_order(finder, base);
  if (std::find(order.begin(), order.end(), cls) != order.end()) return false;
  *unknown = base;
  of_types_.erase(call.type);
  return true;
}

// Of a call whose class was made in a function: the record keeps the frame of its forward, and one
// class of that name runs what stands there. Null if none or several do.
const ForwardFunction* ForwardFunctions::made_in_function(const ModuleCall& call,
                                                          size_t begin_frames) {
  if (const auto at = of_paths_.find(call.path); at != of_paths_.end()) return &at->second;
  Arena scratch;
  Evaluator finder(sources_, caches_, scratch, nullptr, nullptr);
  const std::string_view name = call.type.substr(call.type.rfind('.') + 1);
  const Value found = class_shown(finder, call, begin_frames, name);
  if (found == nullptr) return nullptr;
  caches_.classes_of_paths[std::string(call.path)] = found;
  return &(of_paths_[call.path] = of_class(finder, found));
}

// `module.forward = module.other` in the sources, where the class has that method and only one;
// null without.
Value ForwardFunctions::set_as_forward(std::string_view type) {
  const auto [at, is_new] = set_.try_emplace(type, nullptr);
  if (!is_new) return at->second;
  Arena scratch;
  Evaluator finder(sources_, caches_, scratch, nullptr, nullptr);
  const Value cls = class_of_type(finder, type);
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
          find_member(finder, cls, tree.text(tree.child(right, PythonField::Attribute)));
      if (method == nullptr || !method->is(ValueKind::Function) || method == found) continue;
      if (found != nullptr) return nullptr;
      found = method;
    }
  }
  return set_[type] = found;
}

}  // namespace etlens::recover
