// SPDX-License-Identifier: Apache-2.0
// Units of the record: what a call that takes one has to fit, and what is known when it is taken.
#include <algorithm>
#include <functional>

#include "core/recover/interpreter/evaluator.h"
#include "core/recover/interpreter/operator_names.h"
#include "core/recover/interpreter/places.h"
#include "core/recover/interpreter/statements.h"

namespace etlens::recover {
namespace {

constexpr size_t kMaxWrites = 12;  // units of one assignment to a part of a tensor
constexpr double kNotWritten = 1;

// Of ATen's operators: what writes a value into a tensor, and what finds the place for it.
bool is_write(std::string_view name) {
  return name == "copy" || name == "fill" || name == "index_put" || name == "slice_scatter" ||
         name == "select_scatter" || name == "masked_fill";
}
bool finds_place(std::string_view name) {
  return name == "slice" || name == "select" || name == "unsqueeze" || name == "lift_fresh_copy";
}

// How many of these units put a value into a part of a tensor. Where the record names no Python
// function, those that find the place come before the one that writes.
size_t units_of_write(std::span<const SourceCall> units, const Operands& operands,
                      const std::function<bool(const SourceCall&)>& frames_fit) {
  std::vector<uint32_t> touched;
  for (const Value known : operands.known) {
    const std::vector<uint32_t>& names = known->tensor().names;
    touched.insert(touched.end(), names.begin(), names.end());
  }
  const bool is_open = operands.known.empty() || !operands.unknown.empty();
  for (size_t taken = 0; taken < units.size() && taken < kMaxWrites;) {
    const SourceCall& unit = units[taken++];
    if (unit.child != kNoCall || unit.is_layer || !frames_fit(unit)) return 0;
    if (!is_open && !unit.inputs.empty() && !holds_any(unit.inputs, touched)) return 0;
    touched.insert(touched.end(), unit.outputs.begin(), unit.outputs.end());
    if (unit.name == "setitem" || (unit.name.empty() && is_write(unit.origin))) return taken;
    if (!unit.name.empty() || !finds_place(unit.origin)) return 0;
  }
  return 0;
}

}  // namespace

// The functions named forward that run now are the frames that the record kept.
bool Matcher::frames_fit(const SourceCall& unit, bool is_exact) const {
  if (unit.frames.empty()) return true;
  const EtRecord& record = run_.task->graph->record();
  size_t at = run_.task->outer_frames;
  for (const CallFrame& frame : run_.frames()) {
    if (frame.function != "forward") continue;
    if (at >= unit.frames.size()) return false;
    const KeptFrame& kept = unit.frames[at++];
    if (kept.line != frame.line || record.text(kept.file) != frame.file->recorded_path)
      return false;
  }
  return !is_exact || at == unit.frames.size();
}

bool Matcher::has_passed(uint32_t line) const {
  const SourceCall* unit = next_unit();
  const CallFrame& last = run_.frames().back();
  if (unit == nullptr || unit->frames.empty() || last.function != "forward") return false;
  const EtRecord& record = run_.task->graph->record();
  size_t at = run_.task->outer_frames;
  for (const CallFrame& frame : run_.frames()) {
    if (frame.function != "forward") continue;
    if (at >= unit->frames.size()) return false;
    const KeptFrame& kept = unit->frames[at++];
    if (record.text(kept.file) != frame.file->recorded_path) return false;
    if (&frame == &last) return kept.line < line && kept.line >= frame.first_line;
    if (kept.line != frame.line) return false;
  }
  return false;
}

Operands Matcher::operands_of(const Arguments& arguments) {
  Operands operands;
  std::vector<Value>& order = operands.order;
  for (const Value value : arguments.positional) collect_tensors(value, order);
  for (const auto& [name, value] : arguments.named) collect_tensors(value, order);
  size_t kept = 0;
  for (const Value value : order) {
    run_.step();
    const bool is_tensor = value->is(ValueKind::Tensor);
    const TensorState state = is_tensor ? value->tensor().state : TensorState::Any;
    if (state == TensorState::Dead) operands.has_dead = true;
    if (state == TensorState::Constant) operands.has_constant = true;
    if (state == TensorState::Dead || state == TensorState::Constant) continue;
    const bool is_known = state == TensorState::Known;
    (is_known ? operands.known : operands.unknown).push_back(value);
    order[kept++] = value;
  }
  order.resize(kept);
  return operands;
}

bool Matcher::takes_no_unit(const Arguments& arguments) {
  const SourceCall* unit = next_unit();
  if (arguments.has_more) return false;
  // Neither does one of another line of forward.
  if (unit != nullptr && unit->child == kNoCall && open_inputs(*unit).empty() &&
      frames_fit(*unit, false)) {
    return false;
  }
  const auto holds_none = [&](Value value) {
    if (!value->is(ValueKind::Instance)) {
      return is_constant(value) || value->is(ValueKind::Class) ||
             origin_of<payload::Parameter>(value) != nullptr;
    }
    std::vector<Value> held;
    collect_tensors(value, held);
    return std::ranges::none_of(held, [](Value one) { return one->is(ValueKind::Tensor); });
  };
  return std::ranges::all_of(arguments.positional, holds_none) &&
         std::ranges::all_of(arguments.named,
                             [&](const auto& row) { return holds_none(row.second); });
}

// What a unit reads that some operand has to be: all but numbers of the source's text. There until
// the next question.
std::vector<uint32_t>& Matcher::open_inputs(const SourceCall& unit) {
  open_inputs_.clear();
  for (const uint32_t input : unit.inputs) {
    if (!run_.task->graph->is_lifted(input)) open_inputs_.push_back(input);
  }
  return open_inputs_;
}

// A tensor whose size is 1 where it is taken apart.
bool Matcher::is_one_deep(const Arguments& arguments) {
  const Value tensor = argument(arguments, 0, "input");
  if (tensor == nullptr) return false;
  Value dim = argument(arguments, 1, "dim");
  if (dim == nullptr) dim = run_.arena.integer(0);
  const Value size = size_of(tensor, dim);
  return size->is(ValueKind::Int) && size->integer() == 1;
}

// Who writes to a view writes to what it is a view of: the node reads that, too.
void Matcher::add_bases(Value view, Operands& operands) const {
  const SourceCall* unit = next_unit();
  if (unit == nullptr || unit->nodes.size() < 2) return;
  if (!view->is(ValueKind::Tensor)) return;
  for (Value base = view->tensor().base; base != nullptr; base = base->tensor().base) {
    if (base->tensor().state == TensorState::Known && holds_any(unit->inputs, base->tensor().names))
      operands.known.push_back(base);
  }
}

const OperatorFacts& Matcher::facts_of(std::string_view spelled) {
  const auto at = run_.caches.operators.find(spelled);
  if (at != run_.caches.operators.end()) return at->second;
  return run_.caches.operators.emplace(spelled, operator_facts(spelled)).first->second;
}

bool Matcher::data_fits(const SourceCall& unit, const Operands& operands, bool may_lose,
                        bool is_ordered) {
  std::vector<uint32_t>& open = open_inputs(unit);
  size_t last = 0;
  for (const Value tensor : operands.known) {
    run_.step();
    if (!holds_any(unit.inputs, tensor->tensor().names)) {
      if (may_lose) continue;
      return false;
    }
    for (const uint32_t name : tensor->tensor().names) std::erase(open, name);
    if (is_ordered && tensor->tensor().names.size() == 1) {
      const auto at = std::find(unit.inputs.begin(), unit.inputs.end(), tensor->tensor().names[0]);
      const auto place = static_cast<size_t>(at - unit.inputs.begin());
      if (place < last) {
        // The same tensor twice stands where it stood first.
        const bool is_repeated =
            std::count_if(operands.known.begin(), operands.known.end(), [&](Value other) {
              return other->tensor().names == tensor->tensor().names;
            }) > 1;
        if (!is_repeated) return false;
      }
      last = std::max(last, place);
    }
  }
  if (unit.child != kNoCall) return true;
  if (open.empty()) return true;
  return !operands.unknown.empty();
}

void Matcher::bind_operands(const SourceCall& unit, const Operands& operands) {
  if (unit.child != kNoCall) return;
  std::vector<uint32_t>& open = open_inputs(unit);
  for (const Value tensor : operands.known) {
    if (tensor->tensor().names.size() > 1) {
      // One of several: those that the unit reads.
      std::vector<uint32_t> read;
      for (const uint32_t name : tensor->tensor().names) {
        if (std::find(unit.inputs.begin(), unit.inputs.end(), name) != unit.inputs.end())
          read.push_back(name);
      }
      if (!read.empty() && run_.may_write(tensor)) {
        tensor->tensor().names = read;
        tensor->tensor().from_module = tensor->tensor().from_module && read.size() > 1;
      }
    }
    for (const uint32_t name : tensor->tensor().names) std::erase(open, name);
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
      if (!run_.may_write(value) ||
          (value->is(ValueKind::Unknown) && !value->unknown().candidates.empty())) {
        continue;
      }
      if (value->is(ValueKind::Unknown)) value->payload = payload::Tensor{};
      value->tensor().state = TensorState::Known;
      value->tensor().names = one_each ? std::vector<uint32_t>{open[i]} : open;
    }
  }
}

Value Matcher::use_unit(std::string_view name, bool is_placed, const Arguments* arguments) {
  const SourceCall& unit = module_call_->units[position_];
  PlacedCall& placement = placements_[position_];
  placement.is_placed = is_placed;
  placement.chain.clear();
  placement.chain.reserve(run_.frames().size());
  placement.is_wrapped = false;
  for (const CallFrame& frame : run_.frames()) {
    placement.chain.push_back({frame.file, frame.function, frame.line, frame.site});
    placement.is_wrapped = placement.is_wrapped || frame.is_wrapped;
  }
  if (arguments != nullptr) {
    placement.arguments = {};
    for (const Value value : arguments->positional)
      placement.arguments.positional.push_back(copy_of(run_.arena, value));
    for (const auto& [key, value] : arguments->named)
      placement.arguments.named.emplace_back(key, copy_of(run_.arena, value));
    placement.arguments.has_more = arguments->has_more;
  }
  ++position_;
  has_trouble_ = false;
  const Value result =
      run_.arena.tensor(TensorState::Known, {unit.outputs.begin(), unit.outputs.end()});
  result->tensor().is_multiple =
      unit.child == kNoCall && gives_several(name) && unit.results.size() > 1;
  const std::span<const uint32_t> parts = unit.child == kNoCall ? unit.results : unit.outputs;
  if (result->tensor().is_multiple || unit.child != kNoCall)
    result->tensor().parts.assign(parts.begin(), parts.end());
  return result;
}

Value Matcher::part_of(Value tensor, const std::vector<Value>& indices) {
  Arguments arguments{{tensor}, {}, false};
  arguments.positional.insert(arguments.positional.end(), indices.begin(), indices.end());
  const SourceCall* unit = next_unit();
  if (run_.is_quiet() || unit == nullptr || unit->child != kNoCall) return tensor;
  const OperatorFacts& facts = facts_of("getitem");
  const Operands operands = operands_of(arguments);
  const size_t count = units_named(*unit, facts.name, arguments, operands);
  const bool is_read = count > 1 || (count == 1 && unit_fits(*unit, facts, arguments, operands));
  return is_read ? torch_call("getitem", arguments, kNone) : tensor;
}

Value Matcher::update(std::string_view raw, Value tensor, const std::vector<Value>& indices,
                      Value part, Value right) {
  Arguments operands{{part, right}, {}, false};
  updated_ = part == tensor ? &indices : nullptr;
  const Value made = torch_call(raw, operands, kNone);
  updated_ = nullptr;
  return made;
}

void Matcher::write_to(Value tensor, const std::vector<Value>& indices, Value value) {
  if (run_.is_quiet() || module_call_ == nullptr) return;
  const Operands operands = operands_of({{tensor, value}, {}, false});
  if (operands.has_dead) {
    tensor->tensor().state = TensorState::Dead;
    return;
  }
  run_.step(kMaxWrites);
  const std::span<const SourceCall> units = module_call_->units.subspan(position_);
  const size_t count = units_of_write(
      units, operands, [this](const SourceCall& unit) { return frames_fit(unit, true); });
  std::vector<NodeId> nodes;
  for (const SourceCall& unit : units.first(count))
    nodes.insert(nodes.end(), unit.nodes.begin(), unit.nodes.end());
  if (count == 0 || !writes_part(*run_.task->graph, nodes, tensor, indices))
    return run_.add_cost(kNotWritten);
  if (run_.choose({0, kNotWritten}) != 0 || run_.is_stopped()) return;
  for (size_t i = 0; i < count; ++i) {
    const SourceCall& unit = *next_unit();
    const Value result = use_unit("setitem", true, nullptr);
    if (i + 1 < count) continue;
    // What the tensor is a view of has another value, too, where the unit reads that.
    for (Value written = tensor; written != nullptr; written = written->tensor().base) {
      payload::Tensor& known = written->tensor();
      if (written != tensor && !holds_any(unit.inputs, known.names)) continue;
      known.state = TensorState::Known;
      known.names = result->tensor().names;
      known.is_multiple = false;
      known.is_updated = true;
    }
  }
}

}  // namespace etlens::recover
