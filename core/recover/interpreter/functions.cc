// SPDX-License-Identifier: Apache-2.0
// Functions of the sources: their arguments, and their bodies.
#include <algorithm>

#include "core/recover/interpreter/interpreter.h"

namespace etlens::recover {
namespace {

using K = PythonKind;
using F = PythonField;

constexpr size_t kMaxFrames = 60;
constexpr size_t kFewNames = 8;  // of a function, parameters and others

bool is_callable(Value value) {
  return value->is(ValueKind::Function) || value->is(ValueKind::Partial) ||
         value->is(ValueKind::External);
}

}  // namespace

bool Interpreter::is_generator(const SourceFile* file, uint32_t function) {
  const auto [at, is_new] = caches_.is_generator.try_emplace({file, function}, false);
  if (!is_new) return at->second;
  const PythonTree& tree = *file->tree;
  const uint32_t body = tree.child(function, F::Body);
  if (body == kNone) return false;
  for (uint32_t n = body; n < tree[body].end_child; ++n) {
    step();
    const K kind = tree[n].kind;
    if (n != body && (kind == K::FunctionDefinition || kind == K::Lambda)) {
      n = tree[n].end_child - 1;
    } else if (kind == K::Yield) {
      at->second = true;
      break;
    }
  }
  return at->second;
}

// Puts arguments under the names of parameters. False if Python would refuse the call.
bool is_splat(Value value) { return origin_of<payload::Unpacked>(value) != nullptr; }

// f(a, *open, b): as many items as parameters are left, where that is sure; else nothing is said of
// what stands behind.
void Interpreter::expand_splat(Value function, Arguments& arguments) {
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
    step();
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
                 unknown_attribute(open, "#" + std::to_string(i)));
  }
}

bool Interpreter::bind(Value function, Arguments& arguments, Environment* scope) {
  expand_splat(function, arguments);
  const PythonTree& tree = *function->function().file->tree;
  const uint32_t parameters = tree.child(function->function().node, F::Parameters);
  size_t next = 0;
  std::vector<bool> is_taken(arguments.named.size(), false);
  const auto take_named = [&](std::string_view name) -> Value {
    for (size_t i = 0; i < arguments.named.size(); ++i) {
      if (arguments.named[i].first == name && !is_taken[i]) {
        is_taken[i] = true;
        return arguments.named[i].second;
      }
    }
    return nullptr;
  };
  bool only_named = false;
  bool has_rest = false;
  bool has_named_rest = false;
  size_t number = 0;
  for (uint32_t p = parameters == kNone ? kNone : tree[parameters].first_child; p != kNone;
       p = tree[p].next, ++number) {
    step();
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
    if (kind == K::ListSplatPattern) {
      std::vector<Value> rest;
      while (next < arguments.positional.size()) rest.push_back(arguments.positional[next++]);
      const uint32_t inner = tree[name].first_child;
      const Value value = arguments.has_more ? arena_.unknown() : arena_.tuple(std::move(rest));
      if (inner != kNone) scope->set(tree.text(inner), value);
      only_named = true;
      has_rest = true;
      continue;
    }
    if (kind == K::DictionarySplatPattern) {
      const Value rest = arguments.has_more ? arena_.unknown() : arena_.dict();
      for (size_t i = 0; i < arguments.named.size(); ++i) {
        if (is_taken[i]) continue;
        is_taken[i] = true;
        if (!rest->is(ValueKind::Dict)) continue;
        rest->dict().keys.push_back(arena_.string(arguments.named[i].first));
        rest->dict().values.push_back(arguments.named[i].second);
      }
      const uint32_t inner = tree[name].first_child;
      if (inner != kNone) scope->set(tree.text(inner), rest);
      has_named_rest = true;
      continue;
    }
    const std::string_view text = tree.text(name);
    Value value = nullptr;
    if (!only_named && next < arguments.positional.size()) {
      value = arguments.positional[next++];
    } else {
      value = take_named(text);
    }
    if (value == nullptr && arguments.has_more) value = arena_.unknown();
    const std::vector<Value>& defaults = function->function().defaults;
    if (value == nullptr && number < defaults.size() && defaults[number] != nullptr)
      value = local(defaults[number]);
    if (value == nullptr) return false;
    scope->set(text, value);
  }
  if (!has_rest && next < arguments.positional.size()) return false;
  return has_named_rest || std::all_of(is_taken.begin(), is_taken.end(), [](bool b) { return b; });
}

// All that a function returns, if it can all be called: it is asked for one of several by name.
std::vector<Value> Interpreter::returned_callables(Value function, Arguments arguments) {
  const PythonTree& tree = *function->function().file->tree;
  const uint32_t body = tree.child(function->function().node, F::Body);
  if (body == kNone || tree[function->function().node].kind != K::FunctionDefinition) return {};
  Environment* const scope =
      arena_.environment(function->function().environment, function->function().file);
  if (!bind(function, arguments, scope)) return {};
  Environment* const outer = scope_;
  scope_ = scope;
  std::vector<Value> found;
  for (uint32_t n = body; n < tree[body].end_child && !stopped_; ++n) {
    step();
    const K kind = tree[n].kind;
    if (n != body && (kind == K::FunctionDefinition || kind == K::Lambda)) {
      n = tree[n].end_child - 1;
    } else if (kind == K::ImportFromStatement) {
      run_import_from(n);
    } else if (kind == K::ReturnStatement) {
      const uint32_t expression = tree[n].first_child;
      const Value value = expression == kNone ? arena_.none() : eval(expression);
      n = tree[n].end_child - 1;
      found.push_back(value);
      if (!is_callable(value)) break;
    }
  }
  scope_ = outer;
  return !found.empty() && is_callable(found.back()) ? found : std::vector<Value>();
}

// What a constructor may get from a function that it asks for what a text names. Null if it is
// asked for nothing of the kind.
Value Interpreter::named_by_text(Value function, const Arguments& arguments, uint32_t node) {
  std::vector<Value> found;
  const auto add = [&](Value value) {
    const bool is_known = std::any_of(found.begin(), found.end(),
                                      [&](Value one) { return is_same_value(one, value); });
    if (is_callable(value) && !is_known) found.push_back(value);
  };
  Arguments given = arguments;
  bool is_open = false;
  const auto try_all = [&](Value& argument) {
    const Value before = argument;
    is_open = is_open || before->is(ValueKind::Unknown);
    for (const Value candidate : candidates_of(before)) {
      if (!candidate->is(ValueKind::Text)) continue;
      argument = candidate;
      Arguments one = given;
      add(call_function(function, one, node));
    }
    argument = before;
  };
  for (Value& argument : given.positional) try_all(argument);
  for (auto& [name, argument] : given.named) try_all(argument);
  if (found.empty() && is_open) {
    for (const Value value : returned_callables(function, arguments)) add(value);
  }
  if (found.empty()) return nullptr;
  return arena_.one_of(std::move(found));
}

// One of several values, if it is known which; else an unknown.
Value Interpreter::any_returned(std::vector<Value> some, Value last) {
  some.push_back(last);
  std::vector<Value> all;
  for (const Value value : some) {
    const bool is_several = has_candidates(value);
    if (value->is(ValueKind::Unknown) && !is_several) return arena_.unknown();
    const std::vector<Value> each =
        is_several ? value->unknown().candidates : std::vector<Value>{value};
    for (const Value one : each) {
      const bool is_known = std::any_of(all.begin(), all.end(),
                                        [&](Value known) { return is_same_value(known, one); });
      if (!is_known) all.push_back(one);
    }
  }
  return all.size() == 1 ? all[0] : arena_.one_of(std::move(all));
}

Value Interpreter::call_function(Value function, Arguments& arguments, uint32_t node) {
  if (is_quiet() && !stopped_ && naming_ == 0) {
    ++naming_;  // not again inside: what asks itself would be asked twice at every level
    const Value named = named_by_text(function, arguments, node);
    --naming_;
    if (named != nullptr) return named;
  }
  if (function->function().file == nullptr || frames_.size() >= kMaxFrames) {
    stop();
    return arena_.unknown();
  }
  Environment* const scope =
      arena_.environment(function->function().environment, function->function().file);
  scope->owner = function->function().owner;
  scope->names.reserve(kFewNames);
  if (!bind(function, arguments, scope)) {
    if (!is_quiet()) stop();
    return arena_.unknown();
  }
  if (!arguments.positional.empty() && function->function().owner != nullptr)
    scope->self = arguments.positional[0];
  const PythonTree& tree = *function->function().file->tree;
  if (tree[function->function().node].kind == K::FunctionDefinition &&
      is_generator(function->function().file, function->function().node)) {
    payload::Lazy lazy{.kind = LazyKind::Generator, .items = {function}};
    lazy.file = function->function().file;
    lazy.node = function->function().node;
    lazy.environment = scope;
    return arena_.make(std::move(lazy));
  }
  Environment* const outer = scope_;
  scope_ = scope;
  Frame frame;
  frame.file = function->function().file;
  frame.function = function->function().name == "<lambda>"
                       ? std::string_view("<lambda>")
                       : tree.text(tree.child(function->function().node, F::Name));
  frame.line = tree[function->function().node].line + 1;
  frame.is_wrapped = function->function().is_wrapped;
  std::vector<Value> open_returns;
  if (is_quiet()) frame.open_returns = &open_returns;
  frames_.push_back(frame);
  const uint32_t body = tree.child(function->function().node, F::Body);
  Value result = nullptr;
  if (++depth_ > 350) stop();
  if (tree[function->function().node].kind == K::Lambda) {
    result = eval(body);
  } else {
    const Value before = returned_;
    returned_ = nullptr;
    const Flow flow = run_block(body);
    result = flow == Flow::Return && returned_ != nullptr ? returned_ : arena_.none();
    returned_ = before;
  }
  --depth_;
  if (!frames_.empty()) frames_.pop_back();
  scope_ = outer;
  return open_returns.empty() ? result : any_returned(std::move(open_returns), result);
}

}  // namespace etlens::recover
