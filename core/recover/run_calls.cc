// SPDX-License-Identifier: Apache-2.0
// Calls of what the sources define.
#include <algorithm>

#include "core/recover/interpreter.h"
#include "core/recover/operator_names.h"

namespace etlens::recover {
namespace {

using K = PythonKind;
using F = PythonField;

constexpr size_t kMaxFrames = 60;
constexpr size_t kMaxLibraryUnits = 8;
constexpr double kAnotherUnit = 0.05;

bool is_module_class(const std::vector<Value>& order) {
  return std::any_of(order.begin(), order.end(), [](Value base) {
    return base->is(ValueKind::External) && base->text.starts_with("torch.nn.");
  });
}

}  // namespace

Interpreter::Interpreter(PythonSources& sources, Caches& caches, Arena& arena,
                         const Problem* problem, Choices* choices)
    : sources_(sources), caches_(caches), arena_(arena), problem_(problem), choices_(choices) {
  if (problem != nullptr) {
    module_call_ = &problem->graph->calls()[problem->call];
    placements_.resize(module_call_->units.size());
  }
}

bool Interpreter::run() {
  const Value function = problem_->forward;
  const Value self = arena_.make(ValueKind::Module);
  self->text = module_call_->path;
  Arguments arguments;
  arguments.positional.push_back(self);
  if (problem_->has_arguments) {
    for (const Value value : problem_->arguments.positional)
      arguments.positional.push_back(copy_of(arena_, value));
    for (const auto& [name, value] : problem_->arguments.named)
      arguments.named.emplace_back(name, copy_of(arena_, value));
    arguments.has_more = problem_->arguments.has_more;
  } else {
    arguments.has_more = true;
  }
  scope_ = function->is(ValueKind::Function) ? function->file->globals : nullptr;
  if (scope_ == nullptr) return false;
  call_function(function, arguments, kNone);
  return !stopped_ && position_ == module_call_->units.size();
}

Value Interpreter::eval_call(uint32_t node) {
  const PythonTree& tree = this->tree();
  const uint32_t function = tree.child(node, F::Function);
  const uint32_t list = tree.child(node, F::Arguments);
  if (function == kNone || list == kNone) return arena_.unknown();
  const Value callee = eval(function);
  if (stopped_) return arena_.unknown();
  Arguments arguments;
  if (tree[list].kind == K::GeneratorExpression) {
    arguments.positional.push_back(eval(list));
  } else {
    for (uint32_t c = tree[list].first_child; c != kNone; c = tree[c].next) {
      if (tree[c].kind == K::KeywordArgument) {
        const Value value = eval(tree.child(c, F::Value));
        arguments.named.emplace_back(tree.text(tree.child(c, F::Name)), value);
      } else if (tree[c].kind == K::ListSplat) {
        const Value rest = eval(tree[c].first_child);
        if (rest->is(ValueKind::Unknown)) {
          arguments.has_more = true;
        } else {
          for (const Value item : all_of(rest)) arguments.positional.push_back(item);
        }
      } else if (tree[c].kind == K::DictionarySplat) {
        const Value rest = eval(tree[c].first_child);
        if (!rest->is(ValueKind::Dict)) {
          arguments.has_more = true;
        } else {
          for (size_t i = 0; i < rest->items.size() && i < rest->values.size(); ++i) {
            if (rest->items[i]->is(ValueKind::Text))
              arguments.named.emplace_back(rest->items[i]->text, rest->values[i]);
          }
        }
      } else {
        arguments.positional.push_back(eval(c));
      }
      if (stopped_) return arena_.unknown();
    }
  }
  // CPython says the line of the called expression; of `a⏎.b()` that of b.
  const uint32_t name =
      tree[function].kind == K::Attribute ? tree.child(function, F::Attribute) : function;
  at(name == kNone ? function : name);
  return call(callee, arguments, node);
}

Value Interpreter::call(Value callee, Arguments& arguments, uint32_t node) {
  step();
  if (stopped_) return arena_.unknown();
  switch (callee->kind) {
    case ValueKind::Function:
      return call_function(callee, arguments, node);
    case ValueKind::Method: {
      const Value function = callee->items[0];
      const Value self = callee->items[1];
      if (function->is(ValueKind::External)) {
        const std::string& text = function->text;
        if (text.starts_with("Tensor.")) {
          arguments.positional.insert(arguments.positional.begin(), self);
          return torch_call(std::string_view(text).substr(7), arguments, node);
        }
        return call_container(std::string_view(text).substr(text.rfind('.') + 1), self, arguments,
                              node);
      }
      arguments.positional.insert(arguments.positional.begin(), self);
      return call(function, arguments, node);
    }
    case ValueKind::Partial: {
      Arguments all;
      all.positional.assign(callee->items.begin() + 1, callee->items.end());
      all.positional.insert(all.positional.end(), arguments.positional.begin(),
                            arguments.positional.end());
      for (const auto& [name, value] : callee->attributes) {
        const bool is_given =
            std::any_of(arguments.named.begin(), arguments.named.end(),
                        [&, &name = name](const auto& row) { return row.first == name; });
        if (!is_given) all.named.emplace_back(name, value);
      }
      all.named.insert(all.named.end(), arguments.named.begin(), arguments.named.end());
      all.has_more = arguments.has_more;
      return call(local(callee->items[0]), all, node);
    }
    case ValueKind::Class:
      return call_class(callee, arguments, node);
    case ValueKind::Instance: {
      if (callee->items[0]->is(ValueKind::External)) {
        // A layer that the model does not hold: its function runs here.
        const std::string& type = callee->items[0]->text;
        return torch_call(std::string_view(type).substr(type.rfind('.') + 1), arguments, node);
      }
      bool found = false;
      const Value made = call_method_named(callee, "__call__", arguments, node, found);
      if (found || stopped_) return made;
      if (is_module_class(bases_in_order(callee->items[0]))) {
        const Value inner = call_method_named(callee, "forward", arguments, node, found);
        if (found || stopped_) return inner;
      }
      if (!is_quiet()) stop();  // no such thing in Python
      return arena_.unknown();
    }
    case ValueKind::Module:
      return call_module(callee, arguments, node);
    case ValueKind::External:
      return call_external(callee->text, arguments, node);
    case ValueKind::Unknown:
      return call_unknown(callee, arguments, node);
    case ValueKind::None:
    case ValueKind::Int:
    case ValueKind::Float:
    case ValueKind::Bool:
    case ValueKind::Text:
    case ValueKind::Tuple:
    case ValueKind::List:
    case ValueKind::Dict:
      if (!is_quiet()) stop();  // TypeError
      return arena_.unknown();
    default:
      return arena_.unknown();
  }
}

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
bool Interpreter::bind(Value function, Arguments& arguments, Environment* scope) {
  const PythonTree& tree = *function->file->tree;
  const uint32_t parameters = tree.child(function->node, F::Parameters);
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
      const Value value = arguments.has_more ? arena_.unknown()
                                             : arena_.sequence(ValueKind::Tuple, std::move(rest));
      if (inner != kNone) scope->set(tree.text(inner), value);
      only_named = true;
      has_rest = true;
      continue;
    }
    if (kind == K::DictionarySplatPattern) {
      const Value rest = arena_.make(arguments.has_more ? ValueKind::Unknown : ValueKind::Dict);
      for (size_t i = 0; i < arguments.named.size(); ++i) {
        if (is_taken[i]) continue;
        is_taken[i] = true;
        if (!rest->is(ValueKind::Dict)) continue;
        rest->items.push_back(arena_.string(arguments.named[i].first));
        rest->values.push_back(arguments.named[i].second);
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
    if (value == nullptr && number < function->items.size() && function->items[number] != nullptr)
      value = local(function->items[number]);
    if (value == nullptr) return false;
    scope->set(text, value);
  }
  if (!has_rest && next < arguments.positional.size()) return false;
  return has_named_rest || std::all_of(is_taken.begin(), is_taken.end(), [](bool b) { return b; });
}

Value Interpreter::call_function(Value function, Arguments& arguments, uint32_t) {
  if (function->file == nullptr || frames_.size() >= kMaxFrames) {
    stop();
    return arena_.unknown();
  }
  Environment* const scope = arena_.environment(function->environment, function->file);
  scope->owner = function->owner;
  if (!bind(function, arguments, scope)) {
    if (!is_quiet()) stop();
    return arena_.unknown();
  }
  if (!arguments.positional.empty() && function->owner != nullptr)
    scope->self = arguments.positional[0];
  const PythonTree& tree = *function->file->tree;
  if (tree[function->node].kind == K::FunctionDefinition &&
      is_generator(function->file, function->node)) {
    const Value lazy = arena_.make(ValueKind::Lazy);
    lazy->lazy = LazyKind::Generator;
    lazy->items = {function};
    lazy->file = function->file;
    lazy->node = function->node;
    lazy->environment = scope;
    return lazy;
  }
  Environment* const outer = scope_;
  scope_ = scope;
  Frame frame;
  frame.file = function->file;
  frame.function = function->text == "<lambda>" ? std::string_view("<lambda>")
                                                : tree.text(tree.child(function->node, F::Name));
  frame.line = tree[function->node].line + 1;
  frames_.push_back(frame);
  const uint32_t body = tree.child(function->node, F::Body);
  Value result = nullptr;
  if (++depth_ > 350) stop();
  if (tree[function->node].kind == K::Lambda) {
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
  return result;
}

Value Interpreter::call_class(Value cls, Arguments& arguments, uint32_t node) {
  const std::vector<Value> order = bases_in_order(cls);
  const Value made = arena_.make(ValueKind::Instance);
  made->items.push_back(cls);
  if (is_module_class(order)) return made;
  bool is_enum = false;
  bool is_tuple = false;
  for (const Value base : order) {
    if (!base->is(ValueKind::External)) continue;
    is_enum |= base->text.starts_with("enum.");
    is_tuple |= base->text.ends_with("NamedTuple");
  }
  if (is_enum) {
    for (const auto& [name, value] : cls->attributes) {
      if (!arguments.positional.empty() && known_equal(value, arguments.positional[0]) == true)
        return attribute(cls, name, node);
    }
    return arena_.unknown();
  }
  if (is_tuple) made->text = "namedtuple";
  if (find_member(cls, "__init__") != nullptr) {
    bool found = false;
    call_method_named(made, "__init__", arguments, node, found);
    return made;
  }
  // Fields of a dataclass or a named tuple, those of bases first.
  size_t next = 0;
  for (auto base = order.rbegin(); base != order.rend(); ++base) {
    if (!(*base)->is(ValueKind::Class)) continue;
    for (const Value field : (*base)->values) {
      step();
      Value value = nullptr;
      if (next < arguments.positional.size()) {
        value = arguments.positional[next++];
      } else {
        for (const auto& [name, named] : arguments.named) {
          if (name == field->text) value = named;
        }
      }
      if (value == nullptr) value = find_member(cls, field->text);
      if (value == nullptr) value = arena_.unknown();
      made->attributes.emplace_back(field->text, value);
    }
  }
  if (cls->is_static || is_tuple) {
    bool found = false;
    if (find_member(cls, "__post_init__") != nullptr)
      call_method_named(made, "__post_init__", {}, node, found);
  }
  return made;
}

Value Interpreter::call_method_named(Value value, std::string_view name, Arguments arguments,
                                     uint32_t node, bool& found) {
  found = false;
  if (!value->is(ValueKind::Instance) && !value->is(ValueKind::Module)) return arena_.unknown();
  const Value cls = class_of(value);
  const Value member = find_member(cls, name);
  if (member == nullptr) return arena_.unknown();
  found = true;
  if (!member->is(ValueKind::Function)) return call(member, arguments, node);
  if (!member->is_static) arguments.positional.insert(arguments.positional.begin(), value);
  return call(member, arguments, node);
}

Value Interpreter::call_module(Value module, Arguments& arguments, uint32_t node) {
  if (is_quiet() || module_call_ == nullptr) return arena_.tensor(TensorState::Any);
  const std::string& path = module->text;
  const Operands operands = operands_of(arguments);
  const Unit* next = next_unit();
  const GraphUnits& graph = *problem_->graph;
  bool fits = false;
  if (next != nullptr && next->child != kNoCall && graph.calls()[next->child].path == path &&
      frames_fit(*next, false) && !operands.has_dead) {
    fits = operands.known.empty();
    for (const Value tensor : operands.known) {
      for (const uint32_t name : tensor->names)
        fits |= std::find(next->inputs.begin(), next->inputs.end(), name) != next->inputs.end();
    }
    fits |= !operands.unknown.empty();
  }
  const Value cls = class_of_module(path);
  double missing = cls != nullptr ? 1 : 0;
  for (size_t u = 0; u < module_call_->units.size(); ++u) {
    step();
    const Unit& unit = module_call_->units[u];
    if (unit.child == kNoCall || graph.calls()[unit.child].path != path) continue;
    missing = std::max(missing, u < position_ ? 0.5 : 1.5);
  }
  if (fits && choose({0, std::max(2.0, missing)}) == 0) {
    if (stopped_) return arena_.unknown();
    const Unit& unit = *next;
    const Value result = use_unit("", true, &arguments);
    result->from_module = true;
    for (const Value tensor : operands.known) {
      for (const uint32_t name : tensor->names) result->parts.push_back(name);
    }
    (void)unit;
    return result;
  }
  if (stopped_) return arena_.unknown();
  if (!fits) pay(missing);
  (void)node;
  if (!arguments.positional.empty()) return arguments.positional[0];
  return arena_.unknown();
}

Value Interpreter::call_unknown(Value callee, Arguments& arguments, uint32_t node) {
  if (callee->owner != nullptr && !callee->is_parameter) {
    arguments.positional.insert(arguments.positional.begin(), callee->owner);
    return torch_call(callee->text, arguments, node);
  }
  if (callee->is_parameter && callee->owner != nullptr && callee->items.empty() && !is_quiet()) {
    callee->items = constructor_candidates(callee->owner, callee->text);
    callee->owner = nullptr;
  }
  if (!callee->items.empty() && !is_quiet()) {
    // One of several values that an expression of the constructor may give.
    const std::vector<Value> candidates = callee->items;
    std::vector<double> costs(candidates.size(), 0);
    costs.push_back(1.2);
    const size_t pick = choices_ == nullptr ? 0 : choices_->choose(costs);
    if (pick < candidates.size()) {
      become(callee, candidates[pick]);
      if (callee->is(ValueKind::Unknown) && callee->items == candidates) callee->items.clear();
      return call(callee, arguments, node);
    }
    callee->items.clear();
    if (pick > candidates.size()) stop();
  }
  if (is_quiet() || stopped_) return arena_.unknown();
  const Operands operands = operands_of(arguments);
  const Unit* next = next_unit();
  const bool fits = next != nullptr && !operands.has_dead &&
                    frames_fit(*next, next->child == kNoCall) &&
                    data_fits(*next, operands, true, false);
  const double missing = operands.known.empty() ? 0.02 : 1;
  if (fits) {
    const double cost = next->child != kNoCall ? 0 : 0.2;
    if (choose({cost, missing}) == 0) {
      if (stopped_) return arena_.unknown();
      bind_operands(*next, operands);
      const bool is_child = next->child != kNoCall;
      // It may run inside a helper that nobody can see: no line.
      const Value result = use_unit("", false, is_child ? &arguments : nullptr);
      result->from_module = true;
      return result;
    }
    return arena_.unknown();
  }
  pay(missing);
  return arena_.unknown();
}

// A function of a library whose source is not the project's.
Value Interpreter::call_library(Arguments& arguments, double cost) {
  if (is_quiet()) return arena_.unknown();
  const Operands operands = operands_of(arguments);
  if (operands.known.empty() && operands.unknown.empty()) return arena_.unknown();
  const Unit* next = next_unit();
  const bool fits = next != nullptr && !operands.has_dead &&
                    frames_fit(*next, next->child == kNoCall) &&
                    data_fits(*next, operands, true, false);
  const double missing = operands.known.empty() ? 0.02 : 1;
  if (fits && choose({next->child != kNoCall ? 1.5 : cost, missing}) == 0) {
    if (stopped_) return arena_.unknown();
    bind_operands(*next, operands);
    const bool is_child = next->child != kNoCall;
    Value result = use_unit("", true, is_child ? &arguments : nullptr);
    // It may do several things, one with the result of the other.
    for (size_t more = 0; !is_child && more < kMaxLibraryUnits; ++more) {
      const Unit* after = next_unit();
      if (after == nullptr || after->child != kNoCall || !frames_fit(*after, true)) break;
      const bool follows =
          std::any_of(after->inputs.begin(), after->inputs.end(), [&](uint32_t input) {
            return std::find(result->names.begin(), result->names.end(), input) !=
                   result->names.end();
          });
      if (!follows || choose({0, kAnotherUnit}) == 0 || stopped_) break;
      result = use_unit("", true, nullptr);
    }
    result->from_module = true;
    return result;
  }
  if (!fits) pay(missing);
  return arena_.unknown();
}

}  // namespace etlens::recover
