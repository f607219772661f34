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

bool holds_any(const std::vector<uint32_t>& values, const std::vector<uint32_t>& wanted) {
  return std::any_of(wanted.begin(), wanted.end(), [&](uint32_t value) {
    return std::find(values.begin(), values.end(), value) != values.end();
  });
}

Value named(const Arguments& arguments, std::string_view name) {
  for (const auto& [key, value] : arguments.named) {
    if (key == name) return value;
  }
  return nullptr;
}

// The argument of a torch function or method: both are given the tensor first.
Value argument(const Arguments& arguments, size_t position, std::string_view name) {
  if (position < arguments.positional.size()) return arguments.positional[position];
  return named(arguments, name);
}

int64_t normal_dim(int64_t dim, size_t rank) {
  return dim < 0 ? dim + static_cast<int64_t>(rank) : dim;
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
    if (kept.line != frame.line || record.text(kept.file) != frame.file->path) return false;
  }
  return !is_exact || at == unit.frames.size();
}

Interpreter::Operands Interpreter::operands_of(const Arguments& arguments) {
  std::vector<Value> all;
  for (const Value value : arguments.positional) collect_tensors(value, all);
  for (const auto& [name, value] : arguments.named) collect_tensors(value, all);
  Operands operands;
  for (const Value value : all) {
    step();
    if (value->is(ValueKind::Tensor)) {
      if (value->state == TensorState::Dead) operands.has_dead = true;
      if (value->state == TensorState::Dead || value->state == TensorState::Constant) continue;
      (value->state == TensorState::Known ? operands.known : operands.unknown).push_back(value);
    } else {
      operands.unknown.push_back(value);
    }
    operands.order.push_back(value);
  }
  return operands;
}

bool Interpreter::data_fits(const Unit& unit, const Operands& operands, bool may_lose,
                            bool is_ordered) {
  const GraphUnits& graph = *problem_->graph;
  std::vector<uint32_t> open;
  for (const uint32_t input : unit.inputs) {
    if (!graph.is_lifted(input)) open.push_back(input);
  }
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
  const GraphUnits& graph = *problem_->graph;
  std::vector<uint32_t> open;
  for (const uint32_t input : unit.inputs) {
    if (!graph.is_lifted(input)) open.push_back(input);
  }
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
  Placement& placement = placements_[position_];
  placement.is_said = is_said;
  placement.chain.clear();
  if (is_said) {
    for (const Frame& frame : frames_)
      placement.chain.push_back({frame.file, frame.function, frame.line});
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
  const Value result = arena_.tensor(TensorState::Known, unit.outputs);
  result->parts = unit.child == kNoCall ? unit.results : unit.outputs;
  result->is_multiple = unit.child == kNoCall && gives_several(name) && unit.results.size() > 1;
  if (!result->is_multiple && unit.child == kNoCall) result->parts.clear();
  return result;
}

Value Interpreter::size_of(Value tensor, Value dim) {
  const auto open = [&](std::string_view key) -> Value {
    return tensor->is(ValueKind::Tensor) || tensor->is(ValueKind::Unknown)
               ? unknown_attribute(tensor, key)
               : arena_.unknown();
  };
  if (!tensor->is(ValueKind::Tensor) || tensor->state != TensorState::Known ||
      tensor->names.size() != 1 || problem_ == nullptr) {
    return open(dim == nullptr ? "shape" : "size");
  }
  const TensorSizes sizes = problem_->graph->sizes_of(tensor->names[0]);
  if (!sizes.is_known) return open("shape");
  std::vector<Value> items;
  for (size_t i = 0; i < sizes.sizes.size(); ++i) {
    items.push_back(sizes.sizes[i] >= 0 ? arena_.integer(sizes.sizes[i])
                                        : open("#" + std::to_string(i)));
  }
  if (dim == nullptr) return arena_.sequence(ValueKind::Tuple, std::move(items));
  if (!dim->is(ValueKind::Int)) return arena_.unknown();
  const int64_t i = normal_dim(dim->integer, items.size());
  if (i < 0 || i >= static_cast<int64_t>(items.size())) {
    stop();
    return arena_.unknown();
  }
  return items[static_cast<size_t>(i)];
}

// Whether sizes, dimensions and bounds of a call contradict its nodes.
bool Interpreter::arguments_fit(const Unit& unit, std::string_view name,
                                const Arguments& arguments) {
  const GraphUnits& graph = *problem_->graph;
  const EtRecord& record = graph.record();
  if (unit.outputs.empty()) return true;
  const TensorSizes result = graph.sizes_of(unit.outputs[0]);
  const auto constant = [&](const Node& node, std::string_view key) -> std::span<const int64_t> {
    for (const ConstantArgument& row : record.constants_of(node)) {
      if (record.text(row.name) == key) return record.values_of(row);
    }
    return {};
  };
  const auto sizes_given = [&](size_t from, std::string_view key) {
    std::vector<Value> given;
    const Value first = argument(arguments, from, key);
    if (first != nullptr && (first->is(ValueKind::Tuple) || first->is(ValueKind::List)))
      return first->items;
    for (size_t i = from; i < arguments.positional.size(); ++i)
      given.push_back(arguments.positional[i]);
    return given;
  };
  if (name == "getitem") {
    return indices_fit(unit, {arguments.positional.begin() + 1, arguments.positional.end()});
  }
  if (arguments.has_more) return true;
  if (name == "view" || name == "reshape" || name == "expand") {
    const std::vector<Value> given = sizes_given(1, name == "expand" ? "size" : "shape");
    if (given.empty() || !result.is_known || result.sizes.empty()) return true;
    if (given.size() == 1 && given[0]->is(ValueKind::Unknown)) return true;
    if (given.size() == 1 && given[0]->is(ValueKind::External)) return true;  // view(dtype)
    if (given.size() != result.sizes.size()) return false;
    for (size_t i = 0; i < given.size(); ++i) {
      if (!given[i]->is(ValueKind::Int) || given[i]->integer < 0 || result.sizes[i] < 0) continue;
      if (given[i]->integer != result.sizes[i]) return false;
    }
    return true;
  }
  const Node& main = record.nodes[unit.nodes.back().value];
  const Value self = arguments.positional.empty() ? nullptr : arguments.positional[0];
  size_t rank = result.sizes.size();
  if (self != nullptr && self->is(ValueKind::Tensor) && self->names.size() == 1) {
    const TensorSizes own = graph.sizes_of(self->names[0]);
    if (own.is_known) rank = own.sizes.size();
  }
  if (name == "permute") {
    const std::vector<Value> given = sizes_given(1, "dims");
    const std::span<const int64_t> dims = constant(main, "dims");
    if (given.empty() || dims.empty()) return true;
    if (given.size() != dims.size()) return given.size() == 1 && given[0]->is(ValueKind::Unknown);
    for (size_t i = 0; i < dims.size(); ++i) {
      if (given[i]->is(ValueKind::Int) &&
          normal_dim(given[i]->integer, dims.size()) != normal_dim(dims[i], dims.size())) {
        return false;
      }
    }
    return true;
  }
  if (name == "transpose") {
    const Value a = argument(arguments, 1, "dim0");
    const Value b = argument(arguments, 2, "dim1");
    const std::span<const int64_t> dims = constant(main, "dims");
    if (a == nullptr || b == nullptr || dims.empty() || !a->is(ValueKind::Int) ||
        !b->is(ValueKind::Int)) {
      return true;
    }
    const auto x = static_cast<size_t>(normal_dim(a->integer, dims.size()));
    const auto y = static_cast<size_t>(normal_dim(b->integer, dims.size()));
    if (x >= dims.size() || y >= dims.size()) return false;
    return normal_dim(dims[x], dims.size()) == static_cast<int64_t>(y) &&
           normal_dim(dims[y], dims.size()) == static_cast<int64_t>(x);
  }
  const bool is_reduction = name == "mean" || name == "sum" || name == "amax" || name == "amin" ||
                            name == "softmax" || name == "log_softmax" || name == "cat" ||
                            name == "unsqueeze" || name == "cumsum" || name == "topk" ||
                            name == "argmax" || name == "argmin";
  if (is_reduction && (unit.nodes.size() == 1 || name == "cat")) {
    const Value dim = argument(arguments, name == "topk" ? 2 : 1, "dim");
    const std::span<const int64_t> dims = constant(main, "dim");
    if (dim == nullptr || dims.empty()) return true;
    if (name == "unsqueeze") rank = result.sizes.size();
    if (name == "cat") rank = result.sizes.size();
    if (rank == 0) return true;
    std::vector<Value> given{dim};
    if (dim->is(ValueKind::Tuple) || dim->is(ValueKind::List)) given = dim->items;
    if (given.size() != dims.size()) return dim->is(ValueKind::Unknown) || dim->is(ValueKind::None);
    for (size_t i = 0; i < dims.size(); ++i) {
      if (given[i]->is(ValueKind::Int) &&
          normal_dim(given[i]->integer, rank) != normal_dim(dims[i], rank)) {
        return false;
      }
    }
    return true;
  }
  if (name == "narrow" && unit.nodes.size() == 1) {
    const Value dim = argument(arguments, 1, "dim");
    const Value start = argument(arguments, 2, "start");
    const Value length = argument(arguments, 3, "length");
    const auto differs = [](Value value, std::span<const int64_t> row, int64_t add) {
      return value != nullptr && value->is(ValueKind::Int) && !row.empty() && row[0] >= 0 &&
             value->integer >= 0 && value->integer + add != row[0];
    };
    if (differs(dim, constant(main, "dim"), 0)) return false;
    if (differs(start, constant(main, "start"), 0)) return false;
    if (start != nullptr && start->is(ValueKind::Int) && start->integer >= 0 &&
        start->integer < (1LL << 40) && differs(length, constant(main, "end"), start->integer)) {
      return false;
    }
  }
  return true;
}

// Slices and indices of one subscript against the nodes that it became.
bool Interpreter::indices_fit(const Unit& unit, const std::vector<Value>& indices) {
  const EtRecord& record = problem_->graph->record();
  size_t expected = 0;  // nodes that move data
  bool is_known = true;
  for (const Value index : indices) {
    if (index->is(ValueKind::Slice)) {
      const bool is_full = std::all_of(index->items.begin(), index->items.end(),
                                       [](Value part) { return part->is(ValueKind::None); });
      if (!is_full) ++expected;
    } else if (index->is(ValueKind::Int) || index->is(ValueKind::None)) {
      ++expected;
    } else if (!index->is(ValueKind::Ellipsis)) {
      is_known = false;
    }
  }
  if (!is_known) return true;
  size_t found = 0;
  std::vector<const Node*> moved;
  for (const NodeId id : unit.nodes) {
    const Node& node = record.nodes[id.value];
    const std::string name = operator_of_target(record.text(node.target));
    if (name == "slice" || name == "select" || name == "unsqueeze") {
      ++found;
      moved.push_back(&node);
    } else if (name != "squeeze" && name != "clone" && name != "to_dim_order") {
      return true;  // index, copies: no simple picture
    }
  }
  // A slice over everything leaves no node; every node has an index.
  if (found > expected) return false;
  size_t next = 0;
  for (const Value index : indices) {
    if (index->is(ValueKind::Ellipsis) || next >= moved.size()) continue;
    if (found != expected) break;
    if (index->is(ValueKind::Slice) &&
        std::all_of(index->items.begin(), index->items.end(),
                    [](Value part) { return part->is(ValueKind::None); })) {
      continue;
    }
    const Node& node = *moved[next++];
    const std::string name = operator_of_target(record.text(node.target));
    const auto constant = [&](std::string_view key) -> std::span<const int64_t> {
      for (const ConstantArgument& row : record.constants_of(node)) {
        if (record.text(row.name) == key) return record.values_of(row);
      }
      return {};
    };
    if (index->is(ValueKind::None)) {
      if (name != "unsqueeze") return false;
    } else if (index->is(ValueKind::Int)) {
      // select may have become slice and squeeze
      if (name == "unsqueeze") return false;
      const std::span<const int64_t> row = constant(name == "select" ? "index" : "start");
      if (!row.empty() && (row[0] < 0) == (index->integer < 0) && row[0] != index->integer)
        return false;
    } else if (index->is(ValueKind::Slice)) {
      if (name != "slice") return false;
      static constexpr std::string_view kKeys[] = {"start", "end", "step"};
      for (size_t i = 0; i < 3; ++i) {
        const std::span<const int64_t> row = constant(kKeys[i]);
        if (row.empty() || !index->items[i]->is(ValueKind::Int)) continue;
        const int64_t given = index->items[i]->integer;
        if ((row[0] < 0) == (given < 0) && row[0] != given && row[0] < (1LL << 40)) {
          // Bounds behind the end are cut.
          if (i == 1 && given > row[0] && row[0] >= 0) continue;
          return false;
        }
      }
    }
  }
  return true;
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
    const std::string& name = unit.origin;
    if (name != "slice" && name != "select" && name != "unsqueeze" && name != "index") break;
    if (!holds_any(before, unit.inputs) && !operands.known.empty()) break;
    if (!frames_fit(unit, true)) break;
    before = unit.outputs;
    ++taken;
  }
  return taken == count ? taken : 0;
}

// No node is what the call must leave: dropout of a model in use, a conversion to the type that the
// tensor has.
bool Interpreter::changes_nothing(std::string_view name, std::string_view raw,
                                  const Arguments& arguments) {
  if (name.find("dropout") != std::string_view::npos || name == "detach") return true;
  if (name != "to" || arguments.positional.empty()) return false;
  const Value self = arguments.positional[0];
  if (!self->is(ValueKind::Tensor) || self->names.size() != 1) return false;
  const std::string_view dtype = problem_->graph->sizes_of(self->names[0]).dtype;
  if (raw == "float") return dtype == "float32";
  if (raw == "long") return dtype == "int64";
  const Value wanted = argument(arguments, 1, "dtype");
  return wanted != nullptr && wanted->is(ValueKind::External) && !dtype.empty() &&
         wanted->text == "torch." + std::string(dtype);
}

Value Interpreter::torch_call(std::string_view raw, Arguments& arguments, uint32_t) {
  step();
  if (stopped_) return arena_.unknown();
  const bool is_method_fact = is_no_operator(raw);
  if (is_method_fact) {
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
  std::string name = normal_operator(raw);
  if (name.empty()) return arena_.unknown();
  if (name.front() >= 'A' && name.front() <= 'Z') {
    for (char& c : name) {
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
    }
  }
  const bool in_place = raw.size() > 1 && raw.back() == '_' && raw[raw.size() - 2] != '_';
  const Operands operands = operands_of(arguments);
  if (is_quiet() || module_call_ == nullptr) return arena_.tensor(TensorState::Any);
  const Value self = operands.order.empty() ? nullptr : operands.order[0];
  const auto vanished = [&]() -> Value {
    return self != nullptr ? self : arena_.tensor(TensorState::Constant);
  };
  if (operands.has_dead) return arena_.tensor(TensorState::Dead);
  const bool creates = is_creation(name);
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
      const bool is_ordered = keeps_order(name) && unit->nodes.size() == 1;
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
  double missing = kDeadCode;
  if (can_vanish(name)) missing = changes_nothing(name, raw, arguments) ? kOnUnknowns : kVanished;
  if (creates || only_constants) missing = creates ? kFolded : kVanished;
  if (on_unknowns) missing = is_refused ? kRefused : kOnUnknowns;
  if (taken > 0) {
    if (!operands.known.empty()) missing = std::max(missing, kMatchPassed);
    if (choose({0, missing}) == 0) {
      if (stopped_) return arena_.unknown();
      bool is_said = true;
      // A method of unknown objects may be one that the project defines.
      if (on_unknowns && caches_.method_names.contains(std::string(raw))) is_said = false;
      bind_operands(*unit, operands);
      Value result = nullptr;
      for (size_t i = 0; i < taken; ++i) result = use_unit(name, is_said, nullptr);
      if (in_place && self != nullptr && self->is(ValueKind::Tensor)) {
        self->state = TensorState::Known;
        self->names = result->names;
        self->attributes.clear();
        return self;
      }
      return result;
    }
    if (stopped_) return arena_.unknown();
  } else {
    pay(missing);
    if (stopped_) return arena_.unknown();
  }
  if (on_unknowns) {
    if (can_vanish(name) && name != "getitem") return self;
    return arena_.unknown();
  }
  if (creates || only_constants) return arena_.tensor(TensorState::Constant);
  if (can_vanish(name)) return vanished();
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
      for (size_t i = 0; i < container->items.size() && i < container->values.size(); ++i) {
        if (known_equal(container->items[i], indices[0]) == true) {
          container->values[i] = value;
          return;
        }
      }
      container->items.push_back(indices[0]);
      container->values.push_back(value);
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
