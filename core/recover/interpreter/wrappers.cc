// SPDX-License-Identifier: Apache-2.0
#include "core/recover/interpreter/wrappers.h"

#include <algorithm>
#include <vector>

#include "core/recover/interpreter/definitions.h"

namespace etlens::recover {
namespace {

using K = PythonKind;
using F = PythonField;

constexpr int kMaxWrappers = 16;

// One look at a wrapper's text.
class Wrapper {
 public:
  Wrapper(Evaluator& run, const payload::Function& function)
      : run_(run), tree_(*function.file->tree), function_(function) {}

  uint32_t passing_call() {
    if (!read_parameters() || !find_wrapped_name()) return kNone;
    const uint32_t body = tree_.child(function_.node, F::Body);
    if (body == kNone || !is_idle(body, function_.node)) return kNone;
    return call_;
  }

 private:
  // (self, x, *args, **kwargs): names in order. True if everything given has a name.
  bool read_parameters() {
    const uint32_t parameters = tree_.child(function_.node, F::Parameters);
    if (parameters == kNone || tree_[function_.node].kind != K::FunctionDefinition) return false;
    for (uint32_t p = tree_[parameters].first_child; p != kNone; p = tree_[p].next) {
      uint32_t name = p;
      if (tree_[name].kind == K::TypedParameter) name = tree_[name].first_child;
      if (name == kNone) return false;
      if (tree_[name].kind == K::ListSplatPattern) {
        rest_ = tree_.text(tree_[name].first_child);
      } else if (tree_[name].kind == K::DictionarySplatPattern) {
        named_ = tree_.text(tree_[name].first_child);
      } else if (tree_[name].kind == K::Identifier) {
        names_.push_back(tree_.text(name));
      } else {
        return false;
      }
    }
    return !rest_.empty() && !named_.empty();
  }

  bool find_wrapped_name() {
    for (const Environment* e = function_.environment; e != nullptr; e = e->outer) {
      for (const auto& [name, value] : e->names) {
        if (value == function_.wraps) wrapped_ = name;
      }
      if (!wrapped_.empty()) return true;
    }
    return false;
  }

  // func(self, x, *args, **kwargs), with exactly what the wrapper has.
  bool passes_all(uint32_t list) const {
    size_t next = 0;
    bool has_rest = false;
    bool has_named = false;
    for (uint32_t c = tree_[list].first_child; c != kNone; c = tree_[c].next) {
      const uint32_t inner = tree_[c].first_child;
      if (tree_[c].kind == K::ListSplat) {
        has_rest = !has_rest && next == names_.size() && tree_.text(inner) == rest_;
        if (!has_rest) return false;
      } else if (tree_[c].kind == K::DictionarySplat) {
        has_named = has_rest && tree_.text(inner) == named_;
        if (!has_named) return false;
      } else if (next < names_.size() && !has_rest && tree_.text(c) == names_[next]) {
        ++next;
      } else {
        return false;
      }
    }
    return has_rest && has_named && next == names_.size();
  }

  bool is_only_passing(uint32_t call, uint32_t list, uint32_t parent) {
    if (call_ != kNone || !passes_all(list)) return false;
    call_ = call;
    if (tree_[parent].kind == K::ReturnStatement) return true;
    const uint32_t left =
        tree_[parent].kind == K::Assignment ? tree_.child(parent, F::Left) : kNone;
    if (left == kNone || tree_[left].kind != K::Identifier) return false;
    result_ = tree_.text(left);
    return true;
  }

  // Nothing inside takes a tensor of what the wrapper is given, but the call that hands it on.
  bool is_idle(uint32_t node, uint32_t parent) {
    run_.step();
    if (run_.is_stopped()) return false;
    const K kind = tree_[node].kind;
    if (kind == K::Yield || kind == K::Lambda || kind == K::FunctionDefinition) return false;
    if (kind == K::Call) {
      const uint32_t function = tree_.child(node, F::Function);
      const uint32_t list = tree_.child(node, F::Arguments);
      if (function == kNone || list == kNone) return false;
      const std::string_view name = tree_.text(function);
      if (name == wrapped_) return is_only_passing(node, list, parent);
      if (name == "isinstance" || name == "hasattr" || name == "getattr") return true;
    }
    if (kind == K::Attribute) return is_idle_attribute(node);
    if (kind == K::Identifier) return is_idle_name(node, parent);
    for (uint32_t c = tree_[node].first_child; c != kNone; c = tree_[c].next) {
      if (!is_idle(c, node)) return false;
    }
    return true;
  }

  // args[0].__class__, func.__name__, self.config.x, kwargs.pop: facts, and names of arguments.
  bool is_idle_attribute(uint32_t node) {
    const uint32_t object = tree_.child(node, F::Object);
    const std::string_view name = tree_.text(tree_.child(node, F::Attribute));
    if (object == kNone || name.starts_with("__")) return true;
    const std::string_view text = tree_.text(object);
    if (text == wrapped_ || (!result_.empty() && text == result_)) return true;
    if (text == named_) return name == "pop" || name == "get" || name == "keys";
    if (text == rest_) return false;
    if (!names_.empty() && text == names_.front()) return true;
    return is_idle(object, node);
  }

  // kwargs in comparisons, and kwargs["a"] = kwargs["b"].
  bool is_idle_name(uint32_t node, uint32_t parent) const {
    const std::string_view text = tree_.text(node);
    const bool is_given = std::ranges::find(names_, text) != names_.end();
    if (text == rest_ || is_given) return false;
    const K kind = tree_[parent].kind;
    if (!result_.empty() && text == result_)
      return kind == K::ReturnStatement || kind == K::Assignment || kind == K::Subscript;
    if (text != named_) return true;
    return kind == K::ComparisonOperator || kind == K::Subscript;
  }

  Evaluator& run_;
  const PythonTree& tree_;
  const payload::Function& function_;
  std::vector<std::string_view> names_;
  std::string_view rest_;   // *args
  std::string_view named_;  // **kwargs
  std::string_view wrapped_;
  std::string_view result_;  // of the call, if it has a name
  uint32_t call_ = kNone;
};

}  // namespace

uint32_t passing_call(Evaluator& run, Value wrapper) {
  const payload::Function& function = wrapper->function();
  if (function.wraps == nullptr || function.file == nullptr) return kNone;
  return Wrapper(run, function).passing_call();
}

Value innermost_wrapped(Value function) {
  for (int i = 0; i < kMaxWrappers && function->is(ValueKind::Function); ++i) {
    if (function->function().wraps == nullptr) break;
    function = function->function().wraps;
  }
  return function;
}

}  // namespace etlens::recover
