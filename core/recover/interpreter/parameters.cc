// SPDX-License-Identifier: Apache-2.0
// The arguments of a call under the names of parameters.
#include <algorithm>
#include <utility>

#include "core/recover/interpreter/attributes.h"
#include "core/recover/interpreter/calls.h"
#include "core/recover/interpreter/evaluator.h"
#include "core/recover/interpreter/iteration.h"

namespace etlens::recover {
namespace {

using K = PythonKind;
using F = PythonField;

// f(a, *open, b): as many items as parameters are left, where that is sure; else nothing is said of
// what stands behind.
void expand_splat(Evaluator& run, Value function, Arguments& arguments) {
  std::vector<Value>& given = arguments.positional;
  const auto splat = std::find_if(given.begin(), given.end(), is_splat);
  if (splat == given.end()) return;
  const auto place = static_cast<size_t>(splat - given.begin());
  const bool is_only = std::none_of(splat + 1, given.end(), is_splat);
  const Value open = origin_of<payload::Unpacked>(*splat)->values;
  const PythonTree& tree = *function->function().file->tree;
  const uint32_t parameters = tree.child(function->function().node, F::Parameters);
  size_t left = 0;
  bool is_sure = is_only;
  for (uint32_t p = parameters == kNone ? kNone : tree[parameters].first_child; p != kNone;
       p = tree[p].next) {
    run.step();
    const K kind = tree[p].kind;
    if (kind == K::KeywordSeparator || tree.text(p) == "*") break;
    if (kind == K::PositionalSeparator) continue;
    if (tree.text(p).starts_with('*')) {
      is_sure = is_sure && tree.text(p).starts_with("**");
      break;
    }
    uint32_t name = tree.child(p, F::Name);
    if (kind == K::TypedParameter) name = tree[p].first_child;
    const std::string_view text = tree.text(name == kNone ? p : name);
    const bool is_named = std::any_of(arguments.named.begin(), arguments.named.end(),
                                      [&](const auto& row) { return row.first == text; });
    if (is_named) continue;
    ++left;
    is_sure = is_sure && kind != K::DefaultParameter && kind != K::TypedDefaultParameter;
  }
  if (!is_sure || left + 1 < given.size()) {
    given.resize(place);
    return;
  }
  const size_t count = left + 1 - given.size();
  given.erase(given.begin() + static_cast<std::ptrdiff_t>(place));
  for (size_t i = 0; i < count; ++i) {
    given.insert(given.begin() + static_cast<std::ptrdiff_t>(place + i),
                 unknown_attribute(run, open, "#" + std::to_string(i)));
  }
}

// The argument of a name that was not taken yet; null without.
Value take_named(const Arguments& arguments, std::string_view name, std::vector<bool>& is_taken) {
  for (size_t i = 0; i < arguments.named.size(); ++i) {
    if (arguments.named[i].first != name || is_taken[i]) continue;
    is_taken[i] = true;
    return arguments.named[i].second;
  }
  return nullptr;
}

// What *rest is given.
Value positional_rest(Evaluator& run, const Arguments& arguments, size_t first) {
  if (arguments.has_more) return run.arena.unknown();
  const std::vector<Value>& given = arguments.positional;
  const size_t begin = std::min(first, given.size());
  return run.arena.tuple({given.begin() + static_cast<ptrdiff_t>(begin), given.end()});
}

// What **rest is given.
Value named_rest(Evaluator& run, const Arguments& arguments, std::vector<bool>& is_taken) {
  const Value rest = arguments.has_more ? run.arena.unknown() : run.arena.dict();
  for (size_t i = 0; i < arguments.named.size(); ++i) {
    if (is_taken[i]) continue;
    is_taken[i] = true;
    if (!rest->is(ValueKind::Dict)) continue;
    rest->dict().keys.push_back(run.arena.string(arguments.named[i].first));
    rest->dict().values.push_back(arguments.named[i].second);
  }
  return rest;
}

}  // namespace

bool is_splat(Value value) { return origin_of<payload::Unpacked>(value) != nullptr; }

bool bind(Evaluator& run, Value function, Arguments& arguments, Environment* scope) {
  expand_splat(run, function, arguments);
  const std::vector<Value>& defaults = function->function().defaults;
  const PythonTree& tree = *function->function().file->tree;
  const uint32_t parameters = tree.child(function->function().node, F::Parameters);
  size_t next = 0;
  std::vector<bool> is_taken(arguments.named.size(), false);
  bool only_named = false;
  bool has_rest = false;
  bool has_named_rest = false;
  size_t number = 0;
  for (uint32_t p = parameters == kNone ? kNone : tree[parameters].first_child; p != kNone;
       p = tree[p].next, ++number) {
    run.step();
    uint32_t name = p;
    K kind = tree[p].kind;
    if (kind == K::DefaultParameter || kind == K::TypedDefaultParameter)
      name = tree.child(p, F::Name);
    if (kind == K::TypedParameter) {
      name = tree[p].first_child;
      if (name != kNone && tree[name].kind != K::Identifier) kind = tree[name].kind;
    }
    if (kind == K::KeywordSeparator || tree.text(p) == "*") {
      only_named = true;
      continue;
    }
    if (kind == K::PositionalSeparator || name == kNone) continue;
    if (kind == K::ListSplatPattern || kind == K::DictionarySplatPattern) {
      const bool is_list = kind == K::ListSplatPattern;
      const Value rest = is_list ? positional_rest(run, arguments, std::exchange(next, SIZE_MAX))
                                 : named_rest(run, arguments, is_taken);
      const uint32_t inner = tree[name].first_child;
      if (inner != kNone) scope->set(tree.text(inner), rest);
      only_named = only_named || is_list;
      has_rest = has_rest || is_list;
      has_named_rest = has_named_rest || !is_list;
      continue;
    }
    const std::string_view text = tree.text(name);
    Value value = nullptr;
    if (!only_named && next < arguments.positional.size()) {
      value = arguments.positional[next++];
    } else {
      value = take_named(arguments, text, is_taken);
    }
    if (value == nullptr && arguments.has_more) value = run.arena.unknown();
    if (value == nullptr && number < defaults.size() && defaults[number] != nullptr)
      value = run.local(defaults[number]);
    if (value == nullptr) return false;
    scope->set(text, value);
  }
  if (!has_rest && next < arguments.positional.size()) return false;
  return has_named_rest || std::all_of(is_taken.begin(), is_taken.end(), [](bool b) { return b; });
}

}  // namespace etlens::recover
