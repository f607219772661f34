// SPDX-License-Identifier: Apache-2.0
#include "core/recover/interpreter/value.h"

#include <cstdlib>
#include <type_traits>
#include <unordered_map>

#include "core/base/assert.h"
#include "core/base/budget.h"

namespace etlens::recover {
namespace {

constexpr int kMaxValueDepth = 8;
constexpr size_t kMaxParts = 1 << 14;  // of one value, that are looked at

template <ValueKind kind, typename T>
constexpr bool kIsKindOf =
    std::is_same_v<std::variant_alternative_t<static_cast<size_t>(kind), Object::Payload>, T>;
static_assert(kIsKindOf<ValueKind::Unknown, payload::Unknown>);
static_assert(kIsKindOf<ValueKind::None, payload::None>);
static_assert(kIsKindOf<ValueKind::Bool, payload::Bool>);
static_assert(kIsKindOf<ValueKind::Int, payload::Int>);
static_assert(kIsKindOf<ValueKind::Float, payload::Float>);
static_assert(kIsKindOf<ValueKind::Text, payload::Text>);
static_assert(kIsKindOf<ValueKind::Ellipsis, payload::Ellipsis>);
static_assert(kIsKindOf<ValueKind::Slice, payload::Slice>);
static_assert(kIsKindOf<ValueKind::Tuple, payload::Tuple>);
static_assert(kIsKindOf<ValueKind::List, payload::List>);
static_assert(kIsKindOf<ValueKind::Dict, payload::Dict>);
static_assert(kIsKindOf<ValueKind::Function, payload::Function>);
static_assert(kIsKindOf<ValueKind::Method, payload::Method>);
static_assert(kIsKindOf<ValueKind::Partial, payload::Partial>);
static_assert(kIsKindOf<ValueKind::Class, payload::Class>);
static_assert(kIsKindOf<ValueKind::Instance, payload::Instance>);
static_assert(kIsKindOf<ValueKind::Super, payload::Super>);
static_assert(kIsKindOf<ValueKind::Module, payload::Module>);
static_assert(kIsKindOf<ValueKind::Tensor, payload::Tensor>);
static_assert(kIsKindOf<ValueKind::External, payload::External>);
static_assert(kIsKindOf<ValueKind::File, payload::File>);
static_assert(kIsKindOf<ValueKind::Lazy, payload::Lazy>);

}  // namespace

void Object::has_other_kind() {
  const bool is_of_that_kind = false;
  ETLENS_ASSERT(is_of_that_kind);
  std::abort();
}

void Arena::grow() {
  constexpr size_t kFirstObjects = 16;
  constexpr size_t kMostObjects = 1024;
  const size_t last = objects_.empty() ? kFirstObjects / 2 : objects_.back().size();
  objects_.emplace_back().reserve(std::min(last * 2, kMostObjects));
}

Value Arena::integer(int64_t number) { return make(payload::Int{number}); }

Value Arena::number(double number) { return make(payload::Float{number}); }

Value Arena::boolean(bool truth) { return make(payload::Bool{truth ? 1 : 0}); }

Value Arena::string(std::string_view text) { return make(payload::Text{std::string(text)}); }

Value Arena::external(std::string_view name) { return make(payload::External{std::string(name)}); }

Value Arena::sequence(ValueKind kind, std::vector<Value> items) {
  return kind == ValueKind::Tuple ? tuple(std::move(items)) : list(std::move(items));
}

Value Arena::tensor(TensorState state, std::vector<uint32_t> names) {
  return make(payload::Tensor{.state = state, .names = std::move(names)});
}

Value own_attribute(Value value, std::string_view name) {
  for (const auto& [known, item] : value->attributes) {
    if (known == name) return item;
  }
  return nullptr;
}

bool has_candidates(Value value) {
  if (!value->is(ValueKind::Unknown)) return false;
  const payload::Unknown& unknown = value->unknown();
  return !unknown.candidates.empty() && unknown.key == nullptr;
}

bool is_full_slice(Value value) {
  if (!value->is(ValueKind::Slice)) return false;
  const auto& [start, stop, step] = value->slice();
  return start->is(ValueKind::None) && stop->is(ValueKind::None) && step->is(ValueKind::None);
}

std::string_view label_of(Value value) {
  switch (value->kind()) {
    case ValueKind::Text:
      return value->text();
    case ValueKind::Module:
      return value->path();
    case ValueKind::External:
      return value->name();
    case ValueKind::Class:
      return value->cls().name;
    case ValueKind::Function:
      return value->function().name;
    case ValueKind::Unknown:
      if (const auto* parameter = origin_of<payload::Parameter>(value)) return parameter->name;
      if (const auto* member = origin_of<payload::MemberOf>(value)) return member->name;
      if (const auto* beginning = origin_of<payload::Beginning>(value)) return beginning->text;
      return {};
    default:
      return {};
  }
}

std::vector<Value> parts_of(Value value) {
  std::vector<Value> parts;
  each_part(*value, [&](Value& part) { parts.push_back(part); });
  if (!value->is(ValueKind::Unknown)) return parts;
  if (value->unknown().key != nullptr) parts.push_back(value->unknown().key);
  if (const auto* counting = origin_of<payload::Counting>(value)) parts.push_back(counting->first);
  if (const auto* unpacked = origin_of<payload::Unpacked>(value)) parts.push_back(unpacked->values);
  if (const auto* member = origin_of<payload::NamedMember>(value))
    parts.insert(parts.end(), {member->module, member->name});
  return parts;
}

bool is_enum_member(Value value) {
  return value->is(ValueKind::Instance) && value->instance().form == InstanceForm::EnumMember;
}

bool is_operator_holder(Value value) {
  if (!value->is(ValueKind::Instance)) return false;
  const Value cls = value->instance().cls;
  return cls->is(ValueKind::External) && cls->name().ends_with(".FloatFunctional");
}

bool is_number(Value value) {
  return value->is(ValueKind::Int) || value->is(ValueKind::Bool) || value->is(ValueKind::Float);
}

double as_double(Value value) {
  return value->is(ValueKind::Float) ? value->number() : static_cast<double>(value->integer());
}

bool is_constant(Value value) {
  return value->is(ValueKind::Text) || value->is(ValueKind::Int) || value->is(ValueKind::Float) ||
         value->is(ValueKind::Bool) || value->is(ValueKind::None);
}

bool may_change(ValueKind kind) {
  switch (kind) {
    case ValueKind::Unknown:
    case ValueKind::Tensor:
    case ValueKind::Tuple:
    case ValueKind::List:
    case ValueKind::Dict:
    case ValueKind::Instance:
    case ValueKind::Method:
    case ValueKind::Partial:
    case ValueKind::Lazy:
      return true;
    default:
      return false;
  }
}

namespace {

// Copies what is in several places once.
class Copier {
 public:
  explicit Copier(Arena& arena) : arena_(arena) {}

  Value copy(Value value, int depth) {
    if (value == nullptr || depth > kMaxValueDepth) return arena_.unknown();
    go_on();
    if (value->is(ValueKind::Lazy)) return arena_.unknown();
    if (!may_change(value->kind()) || is_enum_member(value)) return value;
    if (value->is(ValueKind::Tensor) && value->attributes.empty()) return copied(value);
    if (const auto known = copies_.find(value); known != copies_.end()) return known->second;
    if (copies_.size() >= kMaxParts) return arena_.unknown();
    if (value->is(ValueKind::Unknown)) return copy_unknown(value, depth);
    const Value copy = copied(value);
    copies_.emplace(value, copy);
    const Value cls = copy->is(ValueKind::Instance) ? copy->instance().cls : nullptr;
    each_part(*copy, [&](Value& part) { part = this->copy(part, depth + 1); });
    if (cls != nullptr) copy->instance().cls = cls;  // is shared
    for (auto& [name, item] : copy->attributes) item = this->copy(item, depth + 1);
    return copy;
  }

 private:
  Value copied(Value value) {
    const Value copy = arena_.unknown();
    const bool is_shared = copy->is_shared;
    *copy = *value;
    copy->is_shared = is_shared;
    if (copy->is(ValueKind::Tensor)) copy->tensor().base = nullptr;  // of another run
    return copy;
  }

  Value copy_unknown(Value value, int depth) {
    const Value fresh = arena_.unknown();
    copies_.emplace(value, fresh);
    if (value->unknown().key != nullptr) return fresh;
    if (const auto* parameter = origin_of<payload::Parameter>(value))
      fresh->unknown().origin = *parameter;
    for (const Value one : value->unknown().candidates)
      fresh->unknown().candidates.push_back(copy(one, depth + 1));
    return fresh;
  }

  Arena& arena_;
  std::unordered_map<Value, Value> copies_;
};

// Whether two values of one kind are the same but for what they hold.
bool is_same_apart(Value a, Value b) {
  switch (a->kind()) {
    case ValueKind::Bool:
    case ValueKind::Int:
      return a->integer() == b->integer();
    case ValueKind::Float:
      return a->number() == b->number();
    case ValueKind::Text:
    case ValueKind::Module:
    case ValueKind::External:
      return label_of(a) == label_of(b);
    case ValueKind::Unknown:
      return label_of(a) == label_of(b) && (origin_of<payload::Beginning>(a) == nullptr) ==
                                               (origin_of<payload::Beginning>(b) == nullptr);
    case ValueKind::Function:
      return a->function().node == b->function().node && a->function().file == b->function().file;
    case ValueKind::Class:
      return a->cls().node == b->cls().node && a->cls().file == b->cls().file;
    case ValueKind::Instance:
      return a->instance().form == b->instance().form;
    case ValueKind::File:
      return a->file() == b->file();
    case ValueKind::Tensor:
      return a->tensor().state == b->tensor().state && a->tensor().names == b->tensor().names;
    case ValueKind::Lazy:
      return false;
    default:
      return true;
  }
}

bool is_same_part(Value a, Value b, int depth, size_t& left) {
  if (a == b) return true;
  if (a == nullptr || b == nullptr || a->kind() != b->kind() || depth > kMaxValueDepth)
    return false;
  if (left == 0) return false;
  --left;
  go_on();
  if (a->attributes.size() != b->attributes.size() || !is_same_apart(a, b)) return false;
  if (a->is(ValueKind::Tensor)) return true;
  const std::vector<Value> parts = parts_of(a);
  const std::vector<Value> others = parts_of(b);
  if (parts.size() != others.size()) return false;
  for (size_t i = 0; i < parts.size(); ++i) {
    if (!is_same_part(parts[i], others[i], depth + 1, left)) return false;
  }
  for (size_t i = 0; i < a->attributes.size(); ++i) {
    if (a->attributes[i].first != b->attributes[i].first ||
        !is_same_part(a->attributes[i].second, b->attributes[i].second, depth + 1, left)) {
      return false;
    }
  }
  return true;
}

void collect(Value value, std::vector<Value>& tensors, int depth, size_t& left) {
  if (value == nullptr || depth > kMaxValueDepth || left == 0) return;
  --left;
  go_on();
  switch (value->kind()) {
    case ValueKind::Tensor:
    case ValueKind::Unknown:
      tensors.push_back(value);
      break;
    case ValueKind::Tuple:
    case ValueKind::List:
    case ValueKind::Slice:
      each_part(*value, [&](Value item) { collect(item, tensors, depth + 1, left); });
      break;
    case ValueKind::Dict:
      for (const Value item : value->dict().values) collect(item, tensors, depth + 1, left);
      break;
    case ValueKind::Instance:
      collect(value->instance().held, tensors, depth + 1, left);
      for (const auto& [name, item] : value->attributes) collect(item, tensors, depth + 1, left);
      break;
    default:
      break;
  }
}

}  // namespace

Value copy_of(Arena& arena, Value value) { return Copier(arena).copy(value, 0); }

bool is_same_value(Value a, Value b) {
  size_t left = kMaxParts;
  return is_same_part(a, b, 0, left);
}

bool holds_any(std::span<const uint32_t> values, std::span<const uint32_t> wanted) {
  return std::any_of(wanted.begin(), wanted.end(), [&](uint32_t value) {
    return std::find(values.begin(), values.end(), value) != values.end();
  });
}

void collect_tensors(Value value, std::vector<Value>& tensors) {
  size_t left = kMaxParts;
  collect(value, tensors, 0, left);
}

}  // namespace etlens::recover
