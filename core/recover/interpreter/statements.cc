// SPDX-License-Identifier: Apache-2.0
// Statements.
#include <algorithm>
#include <utility>

#include "core/base/budget.h"
#include "core/recover/interpreter/interpreter.h"

namespace etlens::recover {
namespace {

using K = PythonKind;
using F = PythonField;

constexpr double kRaised = 0.5;     // that the body of a try does not come to its end
constexpr size_t kMaxRounds = 600;  // of one loop, that use no unit

// Python does not come to what stands behind.
bool leaves(const PythonTree& tree, uint32_t clause) {
  for (uint32_t c = tree[clause].first_child; c != kNone; c = tree[c].next) {
    if (tree[c].kind != K::Block) continue;
    for (uint32_t s = tree[c].first_child; s != kNone; s = tree[s].next) {
      const K kind = tree[s].kind;
      if (kind == K::RaiseStatement || kind == K::ReturnStatement || kind == K::BreakStatement ||
          kind == K::ContinueStatement)
        return true;
    }
  }
  return false;
}

bool raises(const PythonTree& tree, uint32_t clause) {
  for (uint32_t c = tree[clause].first_child; c != kNone; c = tree[c].next) {
    if (tree[c].kind == K::Block)
      return tree[c].first_child != kNone && tree[tree[c].first_child].kind == K::RaiseStatement;
  }
  return false;
}

}  // namespace

Flow Interpreter::run_block(uint32_t block) {
  if (block == kNone) return Flow::Next;
  const PythonTree& tree = this->tree();
  if (tree[block].kind != K::Block && tree[block].kind != K::Module) return run_statement(block);
  for (uint32_t c = tree[block].first_child; c != kNone; c = tree[c].next) {
    const Flow flow = run_statement(c);
    if (stopped_ || leaves_generator_) return Flow::Return;
    if (flow != Flow::Next) return flow;
  }
  return Flow::Next;
}

Flow Interpreter::run_statement(uint32_t node) {
  step();
  if (stopped_) return Flow::Return;
  if (!frames_.empty()) frames_.back().statement = node;
  if (!is_quiet() && problem_ != nullptr && !problem_->unexplained.empty() &&
      problem_->unexplained.contains({scope_->file, node})) {
    return run_unexplained(node);
  }
  if (!goes_deeper()) return Flow::Return;
  const Flow flow = run_kind(node);
  --depth_;
  return flow;
}

Flow Interpreter::run_kind(uint32_t node) {
  const PythonTree& tree = this->tree();
  const uint32_t first = tree[node].first_child;
  switch (tree[node].kind) {
    case K::ExpressionStatement:
      for (uint32_t c = first; c != kNone; c = tree[c].next) eval(c);
      return Flow::Next;
    case K::ReturnStatement:
      if (tree[node].next != kNone || first == kNone || tree[first].next == kNone) {
        const Value value = first == kNone ? arena_.none() : eval(first);
        returned_ = value;
      }
      return Flow::Return;
    case K::IfStatement:
      return run_if(node);
    case K::ForStatement:
      return run_for(node);
    case K::WhileStatement:
      return run_while(node);
    case K::WithStatement:
      return run_with(node);
    case K::MatchStatement:
      return run_match(node);
    case K::TryStatement:
      return run_try(node);
    case K::FunctionDefinition:
    case K::ClassDefinition:
    case K::DecoratedDefinition:
      define(node);
      return Flow::Next;
    case K::ImportStatement:
      run_import(node);
      return Flow::Next;
    case K::ImportFromStatement:
      run_import_from(node);
      return Flow::Next;
    case K::BreakStatement:
      return Flow::Break;
    case K::ContinueStatement:
      return Flow::Continue;
    case K::RaiseStatement:
      if (is_quiet()) {
        returned_ = arena_.unknown();
        return Flow::Return;
      }
      stop();
      return Flow::Return;
    case K::AssertStatement: {
      if (first == kNone || is_quiet()) return Flow::Next;
      const Value value = eval(first);
      if (known_truth(value) == false) stop();
      return Flow::Next;
    }
    case K::DeleteStatement:
      run_delete(node);
      return Flow::Next;
    case K::GlobalStatement:
    case K::NonlocalStatement:
      for (uint32_t c = first; c != kNone; c = tree[c].next)
        scope_->outer_names.push_back(tree.text(c));
      return Flow::Next;
    case K::Block:
      return run_block(node);
    default:
      return Flow::Next;
  }
}

// Imports of what is there, and what is only named, raise nothing.
bool Interpreter::may_raise(uint32_t body) {
  const PythonTree& tree = this->tree();
  for (uint32_t n = body; n < tree[body].end_child; ++n) {
    step();
    switch (tree[n].kind) {
      case K::FunctionDefinition:
      case K::Lambda:
        n = tree[n].end_child - 1;
        break;
      case K::Call:
      case K::Attribute:
      case K::Subscript:
      case K::BinaryOperator:
      case K::ComparisonOperator:
      case K::AugmentedAssignment:
      case K::ForStatement:
      case K::RaiseStatement:
      case K::AssertStatement:
        return true;
      case K::ImportStatement:
      case K::ImportFromStatement: {
        const uint32_t from = tree.child(n, F::ModuleName);
        for (uint32_t c = from == kNone ? tree[n].first_child : from; c != kNone;
             c = from == kNone ? tree[c].next : kNone) {
          const uint32_t name = tree[c].kind == K::AliasedImport ? tree.child(c, F::Name) : c;
          const std::string_view dotted = tree.text(name);
          if (dotted.starts_with("torch")) continue;
          const bool is_found =
              tree[c].kind == K::RelativeImport || sources_.find_module(dotted) != nullptr;
          if (!is_found) return true;
        }
        n = tree[n].end_child - 1;
        break;
      }
      default:
        break;
    }
  }
  return false;
}

Flow Interpreter::run_try(uint32_t node) {
  const PythonTree& tree = this->tree();
  const uint32_t body = tree.child(node, F::Body);
  if (body == kNone) return Flow::Next;
  std::vector<uint32_t> handlers;
  uint32_t otherwise = kNone;
  uint32_t last = kNone;
  for (uint32_t c = tree[node].first_child; c != kNone; c = tree[c].next) {
    // One that only raises something else ends here as well.
    if (tree[c].kind == K::ExceptClause && !raises(tree, c)) handlers.push_back(c);
    if (tree[c].kind == K::ElseClause) otherwise = c;
    if (tree[c].kind == K::FinallyClause) last = c;
  }
  const auto run_blocks = [&](uint32_t clause) {
    for (uint32_t b = clause == kNone ? kNone : tree[clause].first_child; b != kNone;
         b = tree[b].next) {
      if (tree[b].kind != K::Block) continue;
      const Flow flow = run_block(b);
      if (flow != Flow::Next) return flow;
    }
    return Flow::Next;
  };
  const bool is_open = !handlers.empty() && may_raise(body);
  size_t way = 0;
  if (is_open && !is_quiet() && choices_ != nullptr) {
    std::vector<double> costs(handlers.size() + 1, kRaised);
    costs[0] = 0;
    way = choices_->choose(costs);
    if (way >= costs.size()) stop();
    if (stopped_) return Flow::Return;
  }
  Flow flow = Flow::Next;
  if (way > 0) {
    forget_targets(body);  // how far it came
    flow = run_blocks(handlers[way - 1]);
  } else {
    flow = run_block(body);
    if (stopped_ || leaves_generator_) return Flow::Return;
    forget_missing_imports(node);
    if (is_open && is_quiet()) {
      for (const uint32_t handler : handlers) {
        note_open_returns(handler);
        if (leaves(tree, handler)) continue;
        forget_targets(body);
        forget_targets(handler);
      }
    }
    if (flow == Flow::Next) flow = run_blocks(otherwise);
  }
  if (stopped_ || leaves_generator_) return Flow::Return;
  // Whatever way Python leaves it; what is returned is made by then.
  const Value result = returned_;
  const Flow end = run_blocks(last);
  if (end != Flow::Next) return end;
  returned_ = result;
  return flow;
}

Flow Interpreter::run_if(uint32_t node) {
  const PythonTree& tree = this->tree();
  const Value condition = eval(tree.child(node, F::Condition));
  if (is_quiet() && !known_truth(condition).has_value()) {
    // Which way is not known, and nothing is gained by trying: only what is not changed stays.
    note_open_returns(node);
    forget_targets(node);
    return Flow::Next;
  }
  if (truth(condition))
    return stopped_ ? Flow::Return : run_block(tree.child(node, F::Consequence));
  for (uint32_t c = tree[node].first_child; c != kNone; c = tree[c].next) {
    if (stopped_) return Flow::Return;
    if (tree[c].kind == K::ElifClause) {
      const Value next = eval(tree.child(c, F::Condition));
      if (is_quiet() && !known_truth(next).has_value()) {
        note_open_returns(node);
        forget_targets(node);
        return Flow::Next;
      }
      if (truth(next)) return stopped_ ? Flow::Return : run_block(tree.child(c, F::Consequence));
    } else if (tree[c].kind == K::ElseClause) {
      return run_block(tree.child(c, F::Body));
    }
  }
  return Flow::Next;
}

Flow Interpreter::run_for(uint32_t node) {
  const PythonTree& tree = this->tree();
  const uint32_t target = tree.child(node, F::Left);
  const uint32_t body = tree.child(node, F::Body);
  const uint32_t right = tree.child(node, F::Right);
  const Value value = eval(right);
  Flow result = Flow::Next;
  bool is_left = false;  // by break
  size_t rounds = 0;
  size_t used = position_;
  Environment* const scope = scope_;
  at(right);
  const bool missed = std::exchange(misses_items_, false);
  misses_rounds_ = false;
  iterate(value, [&](Value item) {
    rounds = position_ == used ? rounds + 1 : 0;
    used = position_;
    if (rounds > kMaxRounds) {
      stop();
      return false;
    }
    if (scope_ != scope) return false;
    assign(target, item);
    const Flow flow = run_block(body);
    if (stopped_ || leaves_generator_) return false;
    if (flow == Flow::Break) {
      is_left = true;
      return false;
    }
    if (flow == Flow::Return) {
      result = Flow::Return;
      return false;
    }
    at(right);  // where the next item is made
    return true;
  });
  const bool is_open = std::exchange(misses_items_, missed) || misses_rounds_;
  misses_rounds_ = false;
  if (is_open && !stopped_ && result == Flow::Next) {
    note_open_returns(node);
    forget_targets(node);
  } else if (!stopped_ && !is_left && result == Flow::Next) {
    result = run_else(node);
  }
  if (stopped_) return Flow::Return;
  return result;
}

// What a loop does that no break left.
Flow Interpreter::run_else(uint32_t node) {
  const PythonTree& tree = this->tree();
  for (uint32_t c = tree[node].first_child; c != kNone; c = tree[c].next) {
    if (tree[c].kind == K::ElseClause) return run_block(tree.child(c, F::Body));
  }
  return Flow::Next;
}

Flow Interpreter::run_while(uint32_t node) {
  const PythonTree& tree = this->tree();
  size_t at_last = SIZE_MAX;
  size_t used = position_;
  for (size_t rounds = 0;; ++rounds) {
    if (position_ != used) rounds = 0;
    used = position_;
    const Value condition = eval(tree.child(node, F::Condition));
    const std::optional<bool> known = known_truth(condition);
    if (!known.has_value() && is_quiet()) {
      note_open_returns(node);
      forget_targets(node);
      return Flow::Next;
    }
    // A round behind an open question must have used a unit, or there is no end to them.
    if (!known.has_value() && at_last == position_) {
      forget_targets(node);
      return Flow::Next;
    }
    if (!known.has_value()) at_last = position_;
    if (!truth(condition)) return stopped_ ? Flow::Return : run_else(node);
    if (stopped_) break;
    if (rounds > kMaxRounds) {
      stop();
      return Flow::Return;
    }
    const Flow flow = run_block(tree.child(node, F::Body));
    if (stopped_ || leaves_generator_ || flow == Flow::Return) return Flow::Return;
    if (flow == Flow::Break) break;
  }
  return stopped_ ? Flow::Return : Flow::Next;
}

Flow Interpreter::run_with(uint32_t node) {
  const PythonTree& tree = this->tree();
  for (uint32_t c = tree[node].first_child; c != kNone; c = tree[c].next) {
    if (tree[c].kind != K::WithClause) continue;
    for (uint32_t item = tree[c].first_child; item != kNone; item = tree[item].next) {
      uint32_t value = tree.child(item, F::Value);
      if (value == kNone) value = tree[item].first_child;
      if (value == kNone) continue;
      if (tree[value].kind == K::AsPattern) {
        const uint32_t what = tree[value].first_child;
        if (what == kNone) continue;
        const Value entered = eval(what);
        const uint32_t alias = tree[what].next;
        if (alias != kNone && tree[alias].first_child != kNone) {
          // What __enter__ gives is given, and of others nobody knows.
          bool found = false;
          const Value given = call_method_named(entered, "__enter__", {}, what, found);
          assign(tree[alias].first_child, found ? given : arena_.unknown());
        }
      } else {
        eval(value);
      }
    }
  }
  return run_block(tree.child(node, F::Body));
}

int Interpreter::fits_pattern(uint32_t pattern, Value subject) {
  const PythonTree& tree = this->tree();
  const std::string_view text = tree.text(pattern);
  if (text == "_") return 1;
  switch (tree[pattern].kind) {
    case K::CasePattern:
      return tree[pattern].first_child == kNone ? 0
                                                : fits_pattern(tree[pattern].first_child, subject);
    case K::UnionPattern: {
      for (uint32_t c = tree[pattern].first_child; c != kNone; c = tree[c].next) {
        if (fits_pattern(c, subject) == 1) return 1;
      }
      return 0;
    }
    case K::DottedName:
      if (text.find('.') == std::string_view::npos) {  // binds
        assign_name(text, subject);
        return 1;
      }
      break;
    default:
      break;
  }
  Value value = nullptr;
  if (tree[pattern].kind == K::DottedName) {
    for (uint32_t c = tree[pattern].first_child; c != kNone; c = tree[c].next)
      value = value == nullptr ? eval(c) : attribute(value, tree.text(c), c);
  } else {
    value = eval(pattern);
  }
  if (value == nullptr) return 0;
  return truth(compare("==", subject, value, pattern)) ? 1 : 0;
}

Flow Interpreter::run_match(uint32_t node) {
  const PythonTree& tree = this->tree();
  const Value subject = eval(tree.child(node, F::Subject));
  std::vector<uint32_t> cases;
  for (uint32_t c = tree[node].first_child; c != kNone; c = tree[c].next) {
    if (tree[c].kind == K::CaseClause) cases.push_back(c);
    if (tree[c].kind == K::Block) {
      for (uint32_t inner = tree[c].first_child; inner != kNone; inner = tree[inner].next)
        if (tree[inner].kind == K::CaseClause) cases.push_back(inner);
    }
  }
  for (const uint32_t clause : cases) {
    bool fits = false;
    for (uint32_t c = tree[clause].first_child; c != kNone && !fits; c = tree[c].next) {
      if (tree[c].kind == K::CasePattern || tree[c].field == F::Pattern)
        fits = fits_pattern(c, subject) == 1;
      if (stopped_) return Flow::Return;
    }
    if (!fits) continue;
    if (const uint32_t guard = tree.child(clause, F::Guard); guard != kNone) {
      const uint32_t condition = tree[guard].first_child;
      if (condition != kNone && !truth(eval(condition))) continue;
    }
    return run_block(tree.child(clause, F::Consequence));
  }
  return Flow::Next;
}

// What a container holds without the item, or an object without the attribute, is not said.
void Interpreter::run_delete(uint32_t node) {
  const PythonTree& tree = this->tree();
  for (uint32_t c = tree[node].first_child; c != kNone; c = tree[c].next) {
    for (uint32_t t = c; t < tree[c].end_child && !stopped_; ++t) {
      if (tree[t].kind == K::Subscript) {
        forget_content(eval(tree.child(t, F::Value)));
      } else if (tree[t].kind == K::Attribute) {
        assign(t, arena_.unknown());
      } else {
        if (tree[t].kind == K::Identifier) assign_name(tree.text(t), arena_.unknown());
        continue;
      }
      t = tree[t].end_child - 1;
    }
  }
}

void Interpreter::assign_name(std::string_view name, Value value) {
  if (std::find(scope_->outer_names.begin(), scope_->outer_names.end(), name) !=
      scope_->outer_names.end()) {
    for (Environment* e = scope_->outer; e != nullptr; e = e->outer) {
      if (e->find(name) == nullptr && e->outer != nullptr) continue;
      if (e->is_shared && !arena_.is_shared()) break;
      e->set(name, value);
      return;
    }
  }
  if (scope_->is_shared && !arena_.is_shared()) return;
  scope_->set(name, value);
}

void Interpreter::assign(uint32_t target, Value value) {
  if (stopped_ || target == kNone) return;
  const PythonTree& tree = this->tree();
  switch (tree[target].kind) {
    case K::Identifier:
      assign_name(tree.text(target), value);
      return;
    case K::ParenthesizedExpression:
      assign(tree[target].first_child, value);
      return;
    case K::Attribute: {
      const Value object = eval(tree.child(target, F::Object));
      set_attribute(object, tree.text(tree.child(target, F::Attribute)), value);
      return;
    }
    case K::Subscript:
      assign_subscript(target, value, false);
      return;
    case K::PatternList:
    case K::TuplePattern:
    case K::ListPattern:
    case K::ExpressionList:
    case K::Tuple:
    case K::List: {
      std::vector<uint32_t> targets;
      size_t star = SIZE_MAX;
      for (uint32_t c = tree[target].first_child; c != kNone; c = tree[c].next) {
        if (tree[c].kind == K::ListSplatPattern || tree[c].kind == K::ListSplat)
          star = targets.size();
        targets.push_back(c);
      }
      at(target);
      const std::vector<Value> items = unpack(value, targets.size(), star);
      if (stopped_ || items.size() != targets.size()) return;
      for (size_t i = 0; i < targets.size(); ++i)
        assign(i == star ? tree[targets[i]].first_child : targets[i], items[i]);
      return;
    }
    default:
      return;
  }
}

void Interpreter::augmented(uint32_t node) {
  const PythonTree& tree = this->tree();
  const uint32_t left = tree.child(node, F::Left);
  const uint32_t op_node = tree.child(node, F::Operator);
  if (left == kNone || op_node == kNone) return;
  std::string_view op = tree.text(op_node);
  if (!op.empty()) op.remove_suffix(1);
  if (tree[left].kind == K::Subscript) {
    const Value container = eval(tree.child(left, F::Value));
    if (container->is(ValueKind::Tensor)) {
      const Value right = eval(tree.child(node, F::Right));
      assign_subscript(left, right, true);
      return;
    }
  }
  const Value old = eval(left);
  const Value right = eval(tree.child(node, F::Right));
  if (stopped_) return;
  if (old->is(ValueKind::List) && op == "+" && may_write(old)) {
    extend(old, right);
    return;
  }
  const Value made = binary(op, old, right, node);
  if (stopped_) return;
  if (old->is(ValueKind::Tensor) && made->is(ValueKind::Tensor) && !is_quiet() && may_write(old)) {
    *old = *made;  // in place: all names of the object see it
    assign(left, old);
    return;
  }
  assign(left, made);
}

}  // namespace etlens::recover
