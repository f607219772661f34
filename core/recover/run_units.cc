// SPDX-License-Identifier: Apache-2.0
// Calls of torch against the units of the record: which unit a call may be, by name, data flow,
// frames and arguments, and what it costs if it is none.
#include <algorithm>

#include "core/base/budget.h"
#include "core/recover/interpreter.h"
#include "core/recover/operator_names.h"

namespace etlens::recover {
namespace {

constexpr size_t kMaxSteps = 400'000;  // of one run

constexpr double kVanished = 0.5;
constexpr double kFolded = 1;
constexpr double kDeadCode = 3;
constexpr double kOnUnknowns = 0.02;
constexpr double kRefused = 0.3;
constexpr double kMatchPassed = 2;

bool holds_any(std::span<const uint32_t> values, std::span<const uint32_t> wanted) {
  return std::any_of(wanted.begin(), wanted.end(), [&](uint32_t value) {
    return std::find(values.begin(), values.end(), value) != values.end();
  });
}

}  // namespace

void Interpreter::step(size_t cost) {
  steps_ += cost;
  go_on(cost);
  if (steps_ > kMaxSteps) stop();
}

// The first oddity behind the last unit is where a run goes wrong.
void Interpreter::mark_trouble() {
  if (is_quiet() || (has_trouble_ && trouble_position_ == position_)) return;
  has_trouble_ = true;
  trouble_position_ = position_;
  trouble_.clear();
  for (const Frame& frame : frames_) trouble_.push_back({frame.file, frame.statement});
}

void Interpreter::pay(double cost) {
  if (cost <= 0 || stopped_ || is_quiet()) return;
  if (cost >= kRefused) mark_trouble();
  if (choices_ != nullptr && !choices_->pay(cost)) stop();
}

size_t Interpreter::choose(std::initializer_list<double> costs) {
  if (stopped_ || choices_ == nullptr) return 0;
  const size_t pick = choices_->choose(std::span(costs.begin(), costs.size()));
  if (pick >= costs.size()) {
    stop();
    return 0;
  }
  return pick;
}

std::optional<size_t> Interpreter::choose_or_none(std::vector<double> costs, double none) {
  if (stopped_) return std::nullopt;
  if (choices_ == nullptr) return 0;
  costs.push_back(none);
  const size_t pick = choices_->choose(costs);
  if (pick >= costs.size()) stop();
  return pick < costs.size() - 1 ? std::optional(pick) : std::nullopt;
}

uint64_t Interpreter::place() const {
  uint64_t hash = position_;
  const auto mix = [&](uint64_t part) { hash = (hash ^ part) * 0x9E3779B97F4A7C15ULL; };
  for (const Frame& frame : frames_) {
    mix(reinterpret_cast<uintptr_t>(frame.file));
    mix(frame.statement);
    mix(frame.site);
    hash ^= hash >> 32;
  }
  return hash;
}

const Unit* Interpreter::next_unit() const {
  if (module_call_ == nullptr || position_ >= module_call_->units.size()) return nullptr;
  return &module_call_->units[position_];
}

// The functions named forward that run now are the frames that the record kept.
bool Interpreter::frames_fit(const Unit& unit, bool is_exact) const {
  if (unit.frames.empty()) return true;
  const EtRecord& record = problem_->graph->record();
  size_t at = problem_->outer_frames;
  for (const Frame& frame : frames_) {
    if (frame.function != "forward") continue;
    if (at >= unit.frames.size()) return false;
    const KeptFrame& kept = unit.frames[at++];
    if (kept.line != frame.line || record.text(kept.file) != frame.file->recorded_path)
      return false;
  }
  return !is_exact || at == unit.frames.size();
}

Interpreter::Operands Interpreter::operands_of(const Arguments& arguments) {
  Operands operands;
  std::vector<Value>& order = operands.order;
  for (const Value value : arguments.positional) collect_tensors(value, order);
  for (const auto& [name, value] : arguments.named) collect_tensors(value, order);
  size_t kept = 0;
  for (const Value value : order) {
    step();
    const bool is_tensor = value->is(ValueKind::Tensor);
    if (is_tensor && value->state == TensorState::Dead) operands.has_dead = true;
    if (is_tensor && (value->state == TensorState::Dead || value->state == TensorState::Constant))
      continue;
    const bool is_known = is_tensor && value->state == TensorState::Known;
    (is_known ? operands.known : operands.unknown).push_back(value);
    order[kept++] = value;
  }
  order.resize(kept);
  return operands;
}

// What a unit reads that some operand has to be: all but numbers of the source's text. There until
// the next question.
std::vector<uint32_t>& Interpreter::open_inputs(const Unit& unit) {
  open_inputs_.clear();
  for (const uint32_t input : unit.inputs) {
    if (!problem_->graph->is_lifted(input)) open_inputs_.push_back(input);
  }
  return open_inputs_;
}

// A tensor whose size is 1 where it is taken apart.
bool Interpreter::is_one_deep(const Arguments& arguments) {
  Value dim = argument(arguments, 1, "dim");
  if (dim == nullptr) dim = arena_.integer(0);
  const Value size = size_of(arguments.positional[0], dim);
  return size->is(ValueKind::Int) && size->integer == 1;
}

// Who writes to a view writes to what it is a view of: the node reads that, too.
void Interpreter::add_bases(Value view, Operands& operands) const {
  const Unit* unit = next_unit();
  if (unit == nullptr || unit->nodes.size() < 2) return;
  for (Value base = view->base; base != nullptr; base = base->base) {
    if (base->state == TensorState::Known && holds_any(unit->inputs, base->names))
      operands.known.push_back(base);
  }
}

const OperatorFacts& Interpreter::facts_of(std::string_view spelled) {
  const auto at = caches_.operators.find(spelled);
  if (at != caches_.operators.end()) return at->second;
  return caches_.operators.emplace(spelled, operator_facts(spelled)).first->second;
}

bool Interpreter::data_fits(const Unit& unit, const Operands& operands, bool may_lose,
                            bool is_ordered) {
  std::vector<uint32_t>& open = open_inputs(unit);
  size_t last = 0;
  for (const Value tensor : operands.known) {
    step();
    if (!holds_any(unit.inputs, tensor->names)) {
      if (may_lose) continue;
      return false;
    }
    for (const uint32_t name : tensor->names) std::erase(open, name);
    if (is_ordered && tensor->names.size() == 1) {
      const auto at = std::find(unit.inputs.begin(), unit.inputs.end(), tensor->names[0]);
      const auto place = static_cast<size_t>(at - unit.inputs.begin());
      if (place < last) {
        // The same tensor twice stands where it stood first.
        const bool is_repeated =
            std::count_if(operands.known.begin(), operands.known.end(),
                          [&](Value other) { return other->names == tensor->names; }) > 1;
        if (!is_repeated) return false;
      }
      last = std::max(last, place);
    }
  }
  if (unit.child != kNoCall) return true;
  if (open.empty()) return true;
  return !operands.unknown.empty();
}

void Interpreter::bind_operands(const Unit& unit, const Operands& operands) {
  if (unit.child != kNoCall) return;
  std::vector<uint32_t>& open = open_inputs(unit);
  for (const Value tensor : operands.known) {
    if (tensor->names.size() > 1) {
      // One of several: those that the unit reads.
      std::vector<uint32_t> read;
      for (const uint32_t name : tensor->names) {
        if (std::find(unit.inputs.begin(), unit.inputs.end(), name) != unit.inputs.end())
          read.push_back(name);
      }
      if (!read.empty()) {
        tensor->names = read;
        tensor->from_module = tensor->from_module && read.size() > 1;
      }
    }
    for (const uint32_t name : tensor->names) std::erase(open, name);
  }
  if (open.empty()) return;
  std::vector<Value> unknown;
  for (const Value value : operands.unknown) {
    if (std::find(unknown.begin(), unknown.end(), value) == unknown.end()) unknown.push_back(value);
  }
  if (unknown.size() == 1 || unknown.size() == open.size()) {
    const bool one_each = unknown.size() == open.size() && unit.nodes.size() == 1;
    for (size_t i = 0; i < unknown.size(); ++i) {
      const Value value = unknown[i];
      if (!value->is(ValueKind::Tensor) && !value->items.empty()) continue;
      value->kind = ValueKind::Tensor;
      value->state = TensorState::Known;
      value->names = one_each ? std::vector<uint32_t>{open[i]} : open;
    }
  }
}

Value Interpreter::use_unit(std::string_view name, bool is_said, const Arguments* arguments) {
  const Unit& unit = module_call_->units[position_];
  SaidUnit& placement = placements_[position_];
  placement.is_said = is_said;
  placement.chain.clear();
  placement.chain.reserve(frames_.size());
  placement.is_wrapped = false;
  for (const Frame& frame : frames_) {
    placement.chain.push_back({frame.file, frame.function, frame.line, frame.site});
    placement.is_wrapped = placement.is_wrapped || frame.is_wrapped;
  }
  if (arguments != nullptr) {
    placement.arguments = {};
    for (const Value value : arguments->positional)
      placement.arguments.positional.push_back(copy_of(arena_, value));
    for (const auto& [key, value] : arguments->named)
      placement.arguments.named.emplace_back(key, copy_of(arena_, value));
    placement.arguments.has_more = arguments->has_more;
  }
  ++position_;
  has_trouble_ = false;
  const Value result =
      arena_.tensor(TensorState::Known, {unit.outputs.begin(), unit.outputs.end()});
  result->is_multiple = unit.child == kNoCall && gives_several(name) && unit.results.size() > 1;
  const std::span<const uint32_t> parts = unit.child == kNoCall ? unit.results : unit.outputs;
  if (result->is_multiple || unit.child != kNoCall)
    result->parts.assign(parts.begin(), parts.end());
  return result;
}

// Units that one subscript takes where the record names no Python function: a chain, one unit for
// each index.
size_t Interpreter::getitem_units(const Operands& operands, size_t count) {
  std::vector<uint32_t> before;
  for (const Value tensor : operands.known)
    before.insert(before.end(), tensor->names.begin(), tensor->names.end());
  size_t taken = 0;
  while (taken < count && position_ + taken < module_call_->units.size()) {
    const Unit& unit = module_call_->units[position_ + taken];
    if (unit.child != kNoCall || !unit.name.empty()) break;
    const std::string_view name = unit.origin;
    if (name != "slice" && name != "select" && name != "unsqueeze" && name != "index") break;
    if (!holds_any(before, unit.inputs) && !operands.known.empty()) break;
    if (!frames_fit(unit, true)) break;
    before.assign(unit.outputs.begin(), unit.outputs.end());
    ++taken;
  }
  return taken == count ? taken : 0;
}

Value Interpreter::torch_call(std::string_view raw, Arguments& arguments, uint32_t) {
  step();
  if (stopped_) return arena_.unknown();
  const OperatorFacts& facts = facts_of(raw);
  if (facts.is_no_operator) {
    if ((raw == "size" || raw == "dim" || raw == "numel") && !arguments.positional.empty()) {
      const Value self = arguments.positional[0];
      if (raw == "size") return size_of(self, argument(arguments, 1, "dim"));
      const Value sizes = size_of(self, nullptr);
      if (!sizes->is(ValueKind::Tuple)) return arena_.unknown();
      if (raw == "dim") return arena_.integer(static_cast<int64_t>(sizes->items.size()));
      Value total = arena_.integer(1);
      for (const Value item : sizes->items) {
        if (!item->is(ValueKind::Int)) return arena_.unknown();
        total = binary("*", total, item, kNone);
      }
      return total;
    }
    if (raw != "cpu" && raw != "cuda") return arena_.unknown();
  }
  const std::string& name = facts.name;
  if (name.empty()) return arena_.unknown();
  if (facts.is_like_another && arguments.positional.size() == 2 &&
      arguments.positional[1]->is(ValueKind::Tensor)) {
    arguments.positional.pop_back();  // gives its sizes or its type alone: no node reads it
  }
  if (arguments.has_more) std::erase_if(arguments.positional, is_splat);
  const bool in_place = raw.size() > 1 && raw.back() == '_' && raw[raw.size() - 2] != '_';
  Operands operands = operands_of(arguments);
  if (is_quiet() || module_call_ == nullptr) return arena_.tensor(TensorState::Any);
  const Value self = operands.order.empty() ? nullptr : operands.order[0];
  if (in_place && self != nullptr) add_bases(self, operands);
  const auto vanished = [&]() -> Value {
    return self != nullptr ? self : arena_.tensor(TensorState::Constant);
  };
  if (operands.has_dead) return arena_.tensor(TensorState::Dead);
  const bool creates = facts.is_creation;
  const bool only_constants = operands.order.empty();
  const bool on_unknowns = operands.known.empty() && !operands.unknown.empty();
  const Unit* unit = next_unit();
  size_t taken = 0;
  bool is_refused = false;
  if (unit != nullptr && unit->child == kNoCall) {
    bool fits = false;
    if (!unit->name.empty()) {
      fits = unit->name == name;
    } else if (name != "getitem") {
      fits = may_become(name, unit->origin);
    } else if (!arguments.positional.empty()) {
      size_t count = 0;
      for (size_t i = 1; i < arguments.positional.size(); ++i) {
        const Value index = arguments.positional[i];
        const bool is_full = index->is(ValueKind::Slice) &&
                             std::all_of(index->items.begin(), index->items.end(),
                                         [](Value part) { return part->is(ValueKind::None); });
        if (!is_full && !index->is(ValueKind::Ellipsis)) ++count;
      }
      taken = count == 0 ? 0 : getitem_units(operands, count);
      if (taken == 1) {
        fits = true;
        taken = 0;
      }
    }
    if (fits) {
      const bool is_ordered = facts.keeps_order && unit->nodes.size() == 1;
      fits = frames_fit(*unit, true) && data_fits(*unit, operands, creates, is_ordered) &&
             arguments_fit(*unit, name, arguments);
      if (fits && only_constants && !creates && !unit->inputs.empty()) {
        const GraphUnits& graph = *problem_->graph;
        fits = std::all_of(unit->inputs.begin(), unit->inputs.end(),
                           [&](uint32_t input) { return graph.is_lifted(input); });
      }
      is_refused = !fits;
      if (fits) taken = 1;
    }
  }
  if (taken == 0 && self != nullptr && self->from_module && !facts.can_vanish &&
      self == arguments.positional[0] && caches_.methods.contains(raw)) {
    // What a child returned may be an object of the project: one of its methods.
    pay(kRefused);
    return field_of(self);
  }
  double missing = kDeadCode;
  if (facts.can_vanish) missing = changes_nothing(name, raw, arguments) ? kOnUnknowns : kVanished;
  if (creates || only_constants) missing = creates ? kFolded : kVanished;
  if (on_unknowns) missing = is_refused ? kRefused : kOnUnknowns;
  if (taken > 0) {
    if (!operands.known.empty()) missing = std::max(missing, kMatchPassed);
    if (choose({0, missing}) == 0) {
      if (stopped_) return arena_.unknown();
      bool is_said = true;
      // A method of unknown objects may be one that the project defines.
      if (on_unknowns && caches_.methods.contains(raw)) is_said = false;
      bind_operands(*unit, operands);
      Value result = nullptr;
      for (size_t i = 0; i < taken; ++i) result = use_unit(name, is_said, nullptr);
      if (in_place && self != nullptr && self->is(ValueKind::Tensor)) {
        // A node alone writes to the view; that what it is a view of changes takes another one.
        const bool writes_bases = unit->nodes.size() > 1;
        for (Value written = self; written != nullptr;
             written = writes_bases ? written->base : nullptr) {
          written->state = TensorState::Known;
          written->names = result->names;
          written->attributes.clear();
        }
        return self;
      }
      if (name == "unbind" && is_one_deep(arguments)) {
        result->is_multiple = true;
        result->parts = result->names;
      }
      if (facts.is_view && self != nullptr && self->is(ValueKind::Tensor)) result->base = self;
      return result;
    }
    if (stopped_) return arena_.unknown();
  } else {
    pay(missing);
    if (stopped_) return arena_.unknown();
  }
  if (on_unknowns) {
    if (facts.can_vanish && name != "getitem") return self;
    return arena_.unknown();
  }
  if (creates || only_constants) return arena_.tensor(TensorState::Constant);
  if (facts.can_vanish) return vanished();
  return arena_.tensor(TensorState::Dead);
}

void Interpreter::assign_subscript(uint32_t target, Value value, bool is_update) {
  const PythonTree& tree = this->tree();
  const Value container = eval(tree.child(target, PythonField::Value));
  const std::vector<Value> indices = eval_indices(target);
  if (stopped_ || indices.empty()) return;
  at(target);
  switch (container->kind) {
    case ValueKind::Dict:
      put(container, indices[0], value);
      return;
    case ValueKind::List:
      if (indices[0]->is(ValueKind::Int)) {
        const auto size = static_cast<int64_t>(container->items.size());
        const int64_t i =
            indices[0]->integer < 0 ? indices[0]->integer + size : indices[0]->integer;
        if (i >= 0 && i < size) container->items[static_cast<size_t>(i)] = value;
      }
      return;
    case ValueKind::Instance: {
      bool found = false;
      call_method_named(container, "__setitem__", {{indices[0], value}, {}, false}, target, found);
      if (!found && held_dict(container) != nullptr) put(held_dict(container), indices[0], value);
      return;
    }
    case ValueKind::Tensor:
      break;
    default:
      return;
  }
  if (is_quiet()) return;
  // A chain of nodes that begins with the tensor or the value, often merged into one call.
  Arguments arguments{{container, value}, {}, false};
  const Operands operands = operands_of(arguments);
  if (operands.has_dead) {
    container->state = TensorState::Dead;
    return;
  }
  size_t taken = 0;
  std::vector<uint32_t> touched;
  for (const Value tensor : operands.known)
    touched.insert(touched.end(), tensor->names.begin(), tensor->names.end());
  static constexpr std::string_view kWrites[] = {"setitem", "add", "sub", "mul", "div"};
  while (taken < 6 && position_ + taken < module_call_->units.size()) {
    const Unit& unit = module_call_->units[position_ + taken];
    if (unit.child != kNoCall || !frames_fit(unit, true)) break;
    const bool is_write =
        !unit.name.empty() &&
        std::find(std::begin(kWrites), is_update ? std::end(kWrites) : std::begin(kWrites) + 1,
                  unit.name) != (is_update ? std::end(kWrites) : std::begin(kWrites) + 1);
    if (!is_write) break;
    if (!holds_any(unit.inputs, touched) && !operands.known.empty() && taken == 0 &&
        !unit.inputs.empty() && operands.unknown.empty()) {
      break;
    }
    touched.insert(touched.end(), unit.outputs.begin(), unit.outputs.end());
    ++taken;
    if (unit.name == "setitem" && !is_update) break;
  }
  if (taken > 0 && choose({0, 1}) == 0) {
    if (stopped_) return;
    Value result = nullptr;
    for (size_t i = 0; i < taken; ++i) result = use_unit("setitem", true, nullptr);
    container->state = TensorState::Known;
    container->names = result->names;
    container->is_multiple = false;
    return;
  }
  if (taken == 0) pay(1);
}

}  // namespace etlens::recover
