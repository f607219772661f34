// SPDX-License-Identifier: Apache-2.0
// Expressions, but for operators, subscripts, calls and attributes.
#include <charconv>
#include <utility>

#include "core/recover/interpreter/interpreter.h"
#include "core/recover/interpreter/operator_names.h"

namespace etlens::recover {
namespace {

using K = PythonKind;
using F = PythonField;

constexpr int kMaxDepth = 400;

// `*a.f(x)` in a list without brackets: the grammar gives the star to `a`.
bool is_starred(const PythonTree& tree, uint32_t node) {
  while (node != kNone) {
    switch (tree[node].kind) {
      case K::ListSplat:
      case K::ListSplatPattern:
        return true;
      case K::Call:
        node = tree.child(node, F::Function);
        break;
      case K::Attribute:
        node = tree.child(node, F::Object);
        break;
      case K::Subscript:
        node = tree.child(node, F::Value);
        break;
      default:
        return false;
    }
  }
  return false;
}

}  // namespace

void Interpreter::stop() {
  if (!stopped_) mark_trouble();
  stopped_ = true;
}

bool Interpreter::goes_deeper() {
  if (stopped_) return false;
  if (++depth_ <= kMaxDepth) return true;
  --depth_;
  stop();
  return false;
}

void Interpreter::at(uint32_t node) {
  if (node == kNone || frames_.empty() || frames_.back().file != scope_->file) return;
  frames_.back().line = tree()[node].line + 1;
  frames_.back().site = tree()[node].begin;
}

Value Interpreter::eval(uint32_t node) {
  if (node == kNone || stopped_ || leaves_generator_) return arena_.unknown();
  if (!goes_deeper()) return arena_.unknown();
  step();
  Value value = eval_kind(node);
  --depth_;
  return value == nullptr ? arena_.unknown() : value;
}

Value Interpreter::eval_kind(uint32_t node) {
  const PythonTree& tree = this->tree();
  const uint32_t first = tree[node].first_child;
  switch (tree[node].kind) {
    case K::Identifier:
      return eval_name(node);
    case K::True:
      return arena_.boolean(true);
    case K::False:
      return arena_.boolean(false);
    case K::None:
      return arena_.none();
    case K::Ellipsis:
      return arena_.make(payload::Ellipsis{});
    case K::Integer: {
      std::string text(tree.text(node));
      std::erase(text, '_');
      int base = 10;
      size_t skip = 0;
      if (text.size() > 2 && text[0] == '0') {
        const char c = static_cast<char>(text[1] | 0x20);
        base = c == 'x' ? 16 : c == 'o' ? 8 : c == 'b' ? 2 : 10;
        skip = base == 10 ? 0 : 2;
      }
      int64_t number = 0;
      const auto parsed =
          std::from_chars(text.data() + skip, text.data() + text.size(), number, base);
      if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size())
        return arena_.unknown();
      return arena_.integer(number);
    }
    case K::Float: {
      std::string text(tree.text(node));
      std::erase(text, '_');
      double number = 0;
      const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
      if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size())
        return arena_.unknown();
      return arena_.number(number);
    }
    case K::String:
      return eval_string(node);
    case K::ConcatenatedString: {
      std::string text;
      for (uint32_t c = first; c != kNone; c = tree[c].next) {
        const Value part = eval(c);
        if (!part->is(ValueKind::Text)) return arena_.unknown();
        text += part->text();
        if (text.size() > kMaxText) return arena_.unknown();
      }
      return arena_.string(text);
    }
    case K::ParenthesizedExpression:
    case K::ListSplat:
    case K::ListSplatPattern:
    case K::Await:
      return eval(first);
    case K::Tuple:
    case K::ExpressionList:
    case K::PatternList:
      return eval_collection(node, ValueKind::Tuple);
    case K::List:
      return eval_collection(node, ValueKind::List);
    case K::Set:
      return set_of(eval_collection(node, ValueKind::List));
    case K::Dictionary:
      return eval_dictionary(node);
    case K::BinaryOperator:
      return eval_binary(node);
    case K::UnaryOperator:
      return eval_unary(node);
    case K::NotOperator: {
      const Value value = eval(tree.child(node, F::Argument));
      const std::optional<bool> known = known_truth(value);
      if (known.has_value()) return arena_.boolean(!*known);
      if (is_quiet()) return arena_.unknown();
      return arena_.boolean(!truth(value));
    }
    case K::BooleanOperator:
      return eval_boolean(node);
    case K::ComparisonOperator:
      return eval_comparison(node);
    case K::ConditionalExpression:
      return eval_conditional(node);
    case K::NamedExpression: {
      const Value value = eval(tree.child(node, F::Value));
      assign(tree.child(node, F::Name), value);
      return value;
    }
    case K::Lambda:
      return make_function(node, "<lambda>");
    case K::Assignment: {
      const uint32_t right = tree.child(node, F::Right);
      if (right == kNone) return arena_.none();
      const Value value = eval(right);
      assign(tree.child(node, F::Left), value);
      return value;
    }
    case K::AugmentedAssignment:
      augmented(node);
      return arena_.none();
    case K::ListComprehension:
      return eval_comprehension(node, ValueKind::List);
    case K::SetComprehension:
      return set_of(eval_comprehension(node, ValueKind::List));
    case K::DictionaryComprehension:
      return eval_comprehension(node, ValueKind::Dict);
    case K::GeneratorExpression: {
      payload::Lazy lazy{.kind = LazyKind::Expression};
      lazy.file = scope_->file;
      lazy.node = node;
      lazy.environment = scope_;
      // The first source is made here, by whoever makes the generator.
      const uint32_t body = tree.child(node, F::Body);
      const uint32_t clause = body == kNone ? kNone : tree[body].next;
      if (clause != kNone && tree[clause].kind == K::ForInClause)
        lazy.items.push_back(eval(tree.child(clause, F::Right)));
      return arena_.make(std::move(lazy));
    }
    case K::Subscript:
      return eval_subscript(node);
    case K::Slice:
      return eval_slice(node);
    case K::Attribute: {
      const bool is_called = node == callee_;
      const Value object = eval(tree.child(node, F::Object));
      const uint32_t name = tree.child(node, F::Attribute);
      if (stopped_ || name == kNone) return arena_.unknown();
      at(name);
      if (!is_called && is_from_module(object) && !is_tensor_member(tree.text(name)))
        return field_of(object);
      return attribute(object, tree.text(name), node);
    }
    case K::Call:
      return eval_call(node);
    case K::Yield:
      return eval_yield(node);
    default:
      return arena_.unknown();
  }
}

Value Interpreter::lookup(std::string_view name) {
  for (Environment* e = scope_; e != nullptr; e = e->outer) {
    step();
    if (e->is_class_body && e != scope_) continue;
    if (const Value value = e->find(name)) return name_of_file(*e, name, value);
    if (e->is_initial) {
      if (const Value value = initial_name(*e, name)) return value;
    }
  }
  return nullptr;
}

Value Interpreter::eval_name(uint32_t node) {
  const std::string_view name = tree().text(node);
  if (const Value value = lookup(name)) return value;
  return arena_.external("builtins." + std::string(name));
}

// A text that grows and grows is not known any more.
Value Interpreter::made_text(std::string_view text) {
  return text.size() > kMaxText ? arena_.unknown() : arena_.string(text);
}

// A text of which only the beginning is known.
Value Interpreter::text_beginning(std::string_view text) {
  return arena_.unknown_from(payload::Beginning{std::string(text)});
}

Value Interpreter::eval_string(uint32_t node) {
  const PythonTree& tree = this->tree();
  std::string_view text = tree.text(node);
  bool is_format = false;
  bool is_raw = false;
  while (!text.empty() && text.front() != '"' && text.front() != '\'') {
    is_format |= (text.front() | 0x20) == 'f';
    is_raw |= (text.front() | 0x20) == 'r';
    if ((text.front() | 0x20) == 'b') return arena_.unknown();  // no text
    text.remove_prefix(1);
  }
  const size_t quotes = text.starts_with("\"\"\"") || text.starts_with("'''") ? 3 : 1;
  if (text.size() < 2 * quotes) return arena_.unknown();
  if (!is_raw && text.find('\\') != std::string_view::npos) return arena_.unknown();
  if (is_format &&
      (text.find("{{") != std::string_view::npos || text.find("}}") != std::string_view::npos))
    return arena_.unknown();
  if (!is_format) return arena_.string(text.substr(quotes, text.size() - 2 * quotes));
  std::string made;
  uint32_t from = tree[node].end - static_cast<uint32_t>(text.size() - quotes);
  const uint32_t end = tree[node].end - static_cast<uint32_t>(quotes);
  const std::string_view all = tree.document->text();
  for (uint32_t c = tree[node].first_child; c != kNone; c = tree[c].next) {
    if (tree[c].kind != K::Interpolation) continue;
    if (tree[c].begin > from) made += all.substr(from, tree[c].begin - from);
    from = tree[c].end;
    if (tree[c].first_child == kNone) return arena_.unknown();
    const Value part = settled(eval(tree[c].first_child));
    // {x!r}, {x:>3}, {x=}: not what x says.
    if (!tree.text(c).substr(tree[tree[c].first_child].end - tree[c].begin).starts_with('}'))
      return text_beginning(made);
    if (part->is(ValueKind::Text)) {
      made += part->text();
    } else if (part->is(ValueKind::Int)) {
      made += std::to_string(part->integer());
    } else {
      return text_beginning(made);
    }
    if (made.size() > kMaxText) return arena_.unknown();
  }
  if (end > from) made += all.substr(from, end - from);
  return made_text(made);
}

Value Interpreter::eval_collection(uint32_t node, ValueKind kind) {
  const PythonTree& tree = this->tree();
  std::vector<Value> items;
  for (uint32_t c = tree[node].first_child; c != kNone; c = tree[c].next) {
    if (is_starred(tree, c)) {
      const Value rest = eval(c);
      const std::optional<std::vector<Value>> more = exactly_all_of(rest);
      if (!more) return arena_.unknown();
      items.insert(items.end(), more->begin(), more->end());
    } else {
      items.push_back(eval(c));
    }
    if (stopped_ || items.size() > kMaxItems) return arena_.unknown();
  }
  return arena_.sequence(kind, std::move(items));
}

// Each of the items once; unknown if it is not known which are equal.
Value Interpreter::set_of(Value list) {
  if (!list->is(ValueKind::List)) return list;
  std::vector<Value> items;
  for (const Value item : list->items()) {
    bool is_known = false;
    for (const Value other : items) {
      step();
      const std::optional<bool> equal = known_equal(item, other);
      if (!equal.has_value()) return arena_.unknown();
      is_known |= *equal;
    }
    if (!is_known) items.push_back(item);
  }
  return arena_.list(std::move(items));
}

Value Interpreter::eval_dictionary(uint32_t node) {
  const PythonTree& tree = this->tree();
  const Value dict = arena_.dict();
  for (uint32_t c = tree[node].first_child; c != kNone; c = tree[c].next) {
    if (tree[c].kind == K::Pair) {
      const Value key = eval(tree.child(c, F::Key));
      const Value value = eval(tree.child(c, F::Value));
      put(dict, key, value);
    } else if (tree[c].kind == K::DictionarySplat) {
      merge(dict, eval(tree[c].first_child));
    }
    if (stopped_ || dict->dict().keys.size() > kMaxItems) return arena_.unknown();
  }
  return dict;
}

void Interpreter::become(Value unknown, Value known) {
  if (unknown == known || !unknown->is(ValueKind::Unknown) || !may_write(unknown)) return;
  const bool is_shared = unknown->is_shared;
  *unknown = *known;
  unknown->is_shared = is_shared;
}

void Interpreter::forget(Value value) {
  if (!may_write(value)) return;
  const bool is_shared = value->is_shared;
  *value = Object();
  value->is_shared = is_shared;
}

// What files define is shared by all runs: what may change in a run is copied first.
Value Interpreter::local(Value value) {
  if (is_enum_member(value)) return value;
  if (!value->is_shared || problem_ == nullptr || !may_change(value->kind())) return value;
  Value& copy = local_[value];
  if (copy == nullptr) {
    copy = copy_of(arena_, value);
    std::set<Value> seen;
    forget_changes(copy, seen);
  }
  return copy;
}

// Runs the for and if clauses from `clause` on; `each` gets the key of a dictionary's pair in a
// tuple with its value.
bool Interpreter::comprehend(uint32_t clause, uint32_t body, const Each& each, Value made) {
  if (!goes_deeper()) return false;
  const bool goes_on = comprehend_kind(clause, body, each, made);
  --depth_;
  return goes_on;
}

bool Interpreter::comprehend_kind(uint32_t clause, uint32_t body, const Each& each, Value made) {
  const PythonTree& tree = this->tree();
  if (clause == kNone) {
    if (tree[body].kind == K::Pair) {
      const Value key = eval(tree.child(body, F::Key));
      const Value value = eval(tree.child(body, F::Value));
      return each(arena_.tuple({key, value}));
    }
    return each(eval(body));
  }
  if (tree[clause].kind == K::IfClause) {
    const Value condition = eval(tree[clause].first_child);
    if (stopped_) return false;
    if (is_quiet() && !known_truth(condition).has_value()) misses_items_ = true;
    return truth(condition) ? comprehend(tree[clause].next, body, each) : !stopped_;
  }
  if (tree[clause].kind != K::ForInClause) return comprehend(tree[clause].next, body, each);
  const uint32_t right = tree.child(clause, F::Right);
  const Value source = made == nullptr ? eval(right) : made;
  bool goes_on = true;
  at(right);
  const uint32_t next = tree[clause].next;
  const uint32_t target = tree.child(clause, F::Left);
  bool is_walked = false;
  const size_t begin = position_;
  iterate(source, [&](Value item) {
    step();
    is_walked = true;
    assign(target, item);
    goes_on = !stopped_ && comprehend(next, body, each);
    if (goes_on && !stopped_) at(right);
    return goes_on && !stopped_;
  });
  const bool is_open = source->is(ValueKind::Unknown) || is_from_module(source);
  // How often it is walked is told by the units that it uses.
  if (is_open && (!is_walked || position_ == begin)) misses_items_ = true;
  return goes_on && !stopped_;
}

Value Interpreter::eval_comprehension(uint32_t node, ValueKind kind) {
  const PythonTree& tree = this->tree();
  const uint32_t body = tree.child(node, F::Body);
  if (body == kNone) return arena_.unknown();
  std::vector<Value> items;
  std::vector<Value> values;  // of a dictionary, whose keys are the items
  Environment* const outer = scope_;
  scope_ = arena_.environment(outer, outer->file);
  scope_->owner = nullptr;
  const bool missed = std::exchange(misses_items_, false);
  const size_t begin = position_;
  comprehend(tree[body].next, body, [&](Value item) {
    if (items.size() > kMaxItems) {
      stop();
      return false;
    }
    if (kind == ValueKind::Dict) {
      items.push_back(item->items()[0]);
      values.push_back(item->items()[1]);
    } else {
      items.push_back(item);
    }
    return true;
  });
  scope_ = outer;
  const bool is_open = std::exchange(misses_items_, missed);
  if (is_open && (is_quiet() || items.empty() || position_ == begin)) return arena_.unknown();
  if (kind == ValueKind::Dict)
    return arena_.make(payload::Dict{.keys = std::move(items), .values = std::move(values)});
  return arena_.sequence(kind, std::move(items));
}

Value Interpreter::eval_yield(uint32_t node) {
  const PythonTree& tree = this->tree();
  if (frames_.empty() || frames_.back().on_yield == nullptr) return arena_.unknown();
  bool is_from = tree.text(node).starts_with("yield from");
  const uint32_t first = tree[node].first_child;
  const Value value = first == kNone ? arena_.none() : eval(first);
  if (stopped_) return arena_.unknown();
  const auto give = [&](Value item) {
    // The consumer runs without the generator's frames.
    Frame own = frames_.back();
    const size_t depth = frames_.size();
    std::vector<Frame> hidden(frames_.begin() + static_cast<ptrdiff_t>(own.consumer_frames),
                              frames_.end());
    frames_.resize(own.consumer_frames);
    Environment* const inner = scope_;
    scope_ = own.consumer;
    const bool goes_on = (*own.on_yield)(item);
    scope_ = inner;
    frames_.resize(own.consumer_frames);
    frames_.insert(frames_.end(), hidden.begin(), hidden.end());
    if (!goes_on) leaves_generator_ = true;
    return goes_on && !stopped_ && frames_.size() == depth;
  };
  if (is_from) {
    iterate(value, give);
  } else {
    give(value);
  }
  return arena_.none();
}

}  // namespace etlens::recover
