// SPDX-License-Identifier: Apache-2.0
#include "core/recover/solver.h"

#include <algorithm>
#include <utility>

#include "core/base/budget.h"
#include "core/recover/interpreter/definitions.h"
#include "core/recover/interpreter/wrappers.h"

namespace etlens::recover {
namespace {

constexpr size_t kMaxRecordRuns = 10'000;  // of one record

// x: Tensor | None = None
bool is_none_by_default(const PythonTree& tree, uint32_t parameter) {
  const uint32_t otherwise = tree.child(parameter, PythonField::Value);
  return otherwise != kNone && tree.text(otherwise) == "None";
}

bool is_tensor_parameter(const PythonTree& tree, uint32_t parameter) {
  const uint32_t type = tree.child(parameter, PythonField::Type);
  return type != kNone && tree.text(type).find("Tensor") != std::string_view::npos;
}

// A decorator's function takes arguments by any name.
bool hands_on_names(Value function) {
  const payload::Function& wrapper = function->function();
  if (wrapper.wraps == nullptr) return true;
  const uint32_t parameters = wrapper.file->tree->child(wrapper.node, PythonField::Parameters);
  return parameters != kNone &&
         wrapper.file->tree->text(parameters).find("**") != std::string_view::npos;
}

bool is_bare_unknown(Value value) {
  return value->is(ValueKind::Unknown) && value->unknown().candidates.empty() &&
         std::holds_alternative<std::monostate>(value->unknown().origin);
}

}  // namespace

size_t said_units(const CallLines& lines) {
  return static_cast<size_t>(std::count_if(lines.units.begin(), lines.units.end(),
                                           [](const auto& l) { return l.why == Abstained::No; }));
}

std::string_view parameter_name(const PythonTree& tree, uint32_t parameter) {
  const uint32_t name = tree.child(parameter, PythonField::Name);
  if (name != kNone) return tree.text(name);
  const std::string_view text = tree.text(parameter);
  return text.substr(0, text.find_first_of(" :="));
}

Value* given_to(Arguments& arguments, size_t position, const PythonTree& tree, uint32_t parameter) {
  if (position < arguments.positional.size()) return &arguments.positional[position];
  const auto named = std::ranges::find(arguments.named, parameter_name(tree, parameter),
                                       [](const auto& row) { return row.first; });
  return named == arguments.named.end() ? nullptr : &named->second;
}

CallSolver::CallSolver(const GraphUnits& graph, PythonSources& sources, Chains& chains)
    : graph_(graph),
      sources_(sources),
      chains_(chains),
      forwards_(graph, sources, caches_),
      equal_calls_(graph, [this](std::string_view path) { return made_with(path); }) {}

std::vector<CallState> CallSolver::run() {
  states_.resize(graph_.calls().size());
  for (uint32_t c = 0; c < states_.size(); ++c) solve(c);
  return std::move(states_);
}

std::string CallSolver::made_with(std::string_view path) {
  if (!asker_) {
    asked_.graph = &graph_;
    asker_.emplace(sources_, caches_, arena_, &asked_, nullptr);
  }
  return asker_->model.construction_text(std::string(path));
}

// The frames of a call begin with the first one inside its forward. False if there are some, but
// none there.
bool CallSolver::find_begin(const ModuleCall& call, const ForwardFunction& forward,
                            CallState& state) const {
  bool has_frames = false;
  size_t begin = SIZE_MAX;
  std::span<const KeptFrame> before;
  for (const SourceCall& unit : call.units) {
    go_on();
    if (unit.frames.empty() || unit.frames.data() == before.data()) continue;
    before = unit.frames;
    has_frames = true;
    for (size_t f = state.begin_frames; f < unit.frames.size(); ++f) {
      const KeptFrame& frame = unit.frames[f];
      if (frame.file == forward.file && frame.line >= forward.first_line &&
          frame.line <= forward.last_line) {
        begin = std::min(begin, f);
        break;
      }
    }
  }
  if (has_frames && begin == SIZE_MAX) return false;
  if (has_frames) state.begin_frames = begin;
  return true;
}

// The task that a call poses, without what its caller gives it; nullopt without source.
std::optional<ModuleCallTask> CallSolver::task_of(uint32_t c) {
  const ModuleCall& call = graph_.calls()[c];
  CallState& state = states_[c];
  const CallState* parent = call.parent == kNoCall ? nullptr : &states_[call.parent];
  state.begin_frames = parent == nullptr ? 0 : parent->begin_frames + parent->own_frames;
  if (call.units.empty() || call.type.starts_with("torch.")) return std::nullopt;
  const ForwardFunction& forward = forwards_.of(call, state.begin_frames);
  state.is_replaced = forward.is_missing;
  if (forward.function == nullptr && forward.convolution == nullptr) {
    state.is_replaced |= forward.is_convolution && call.units.size() > 1;
    return std::nullopt;
  }
  const bool is_forward = forward.function != nullptr && find_begin(call, forward, state);
  Value function = forward.convolution;
  if (forward.function != nullptr) {
    state.is_replaced = !is_forward;
    function = is_forward ? forward.function : forwards_.set_as_forward(call.type);
  }
  if (function == nullptr) return std::nullopt;
  state.own_frames = is_forward ? 1 : 0;  // what has another name leaves no frame
  state.has_source = true;
  ModuleCallTask task;
  task.graph = &graph_;
  task.call = c;
  task.outer_frames = state.begin_frames;
  task.forward = function;
  if (is_forward) task.unwrapped = forward.unwrapped;
  return task;
}

void CallSolver::solve(uint32_t c) {
  const ModuleCall& call = graph_.calls()[c];
  CallState& state = states_[c];
  std::optional<ModuleCallTask> task = task_of(c);
  if (!task) return;
  if (is_exhausted()) {
    state.solved = given_up(call.units.size());
    return;
  }
  set_arguments(call, *task);
  leave_out_tensors(call, *task);
  if (forwards_.of(call, state.begin_frames).function == nullptr) add_weights(call, *task);
  // Equal types do not say equal classes where these were made in functions.
  std::optional<CallShape> shape;
  if (!is_made_in_function(call.type)) shape = equal_calls_.shape_of(*task);
  const uint32_t equal = shape ? equal_calls_.find(*shape) : kNoCall;
  if (equal != kNoCall) {
    state.solved = states_[equal].solved;
    equal_to_[c] = {equal, std::move(shape->values), nullptr};
    return;
  }
  state.solved = searched(*task);
  if (shape) equal_calls_.keep(std::move(*shape), c, state.solved->lines);
}

// Where lines are missing, the form of what children return may be what is missing.
// `results` is given if what this call itself returns is such a question.
CallLines CallSolver::searched_with_results(ModuleCallTask& task, Arena* results) {
  const bool is_wrapped = task.unwrapped != nullptr;
  ModuleCallTask inner = task;
  const size_t most = is_wrapped ? kFewSteps : SIZE_MAX;
  CallLines lines = first_look(task, most, results);
  if (is_whole(lines) || !is_wrapped) return asked_again(task, most, results, std::move(lines));
  // Its decorators may do much that leaves no node: what they wrap may explain all by itself.
  inner.forward = task.unwrapped;
  CallLines better = first_look(inner, SIZE_MAX, results);
  better = asked_again(inner, SIZE_MAX, results, std::move(better));
  if (is_whole(better)) return better;
  lines = asked_again(task, most, results, std::move(lines));
  return said_units(better) > said_units(lines) ? std::move(better) : std::move(lines);
}

std::shared_ptr<SolvedCall> CallSolver::searched(ModuleCallTask& task) {
  auto solved = std::make_shared<SolvedCall>();
  solved->lines = searched_with_results(task, nullptr);
  solved->chains.reserve(solved->lines.units.size());
  for (const UnitLine& line : solved->lines.units)
    solved->chains.push_back(chains_.id_of(line.chain));
  return solved;
}

bool CallSolver::is_exhausted() const {
  return work_.steps > 2 * kMaxRecordSteps || work_.runs > kMaxRecordRuns;
}

std::shared_ptr<const SolvedCall> CallSolver::given_up(size_t units) const {
  auto solved = std::make_shared<SolvedCall>();
  solved->lines.units.resize(units);
  for (UnitLine& line : solved->lines.units) line.why = Abstained::Limit;
  solved->chains.resize(units);
  return solved;
}

void CallSolver::set_arguments(const ModuleCall& call, ModuleCallTask& task) {
  if (call.parent == kNoCall) return set_inputs(task);
  const CallState& parent = states_[call.parent];
  if (parent.has_source) {
    const UnitLine& line = parent.solved->lines.units[call.unit];
    if (line.why != Abstained::No || !line.has_arguments) return;
    task.arguments = arguments_of(call.parent, line);
    task.has_arguments = true;
    return;
  }
  // Behind a container of torch: what the call reads and the model does not hold.
  std::vector<uint32_t> read;
  for (const uint32_t input : graph_.calls()[call.parent].units[call.unit].inputs) {
    if (!graph_.is_held(input)) read.push_back(input);
  }
  if (read.size() != 1) return;
  task.arguments.positional.push_back(arena_.tensor(TensorState::Known, {read[0]}));
  task.arguments.has_more = true;
  task.has_arguments = true;
}

// Where a call reads no tensor but those that it is known to be given, a parameter that would be a
// tensor or None is None; and of what code gives that is not here hardly anything else is left.
void CallSolver::leave_out_tensors(const ModuleCall& call, ModuleCallTask& task) {
  Arguments& arguments = task.arguments;
  if (call.parent == kNoCall || !task.has_arguments ||
      std::ranges::any_of(arguments.positional, is_splat)) {
    return;
  }
  const Value function = innermost_wrapped(task.forward);
  if (!function->is(ValueKind::Function) || !hands_on_names(task.forward)) return;
  const PythonTree& tree = *function->function().file->tree;
  const uint32_t parameters = tree.child(function->function().node, PythonField::Parameters);
  const uint32_t self = parameters == kNone ? kNone : tree[parameters].first_child;
  std::vector<std::string_view> unseen;
  std::vector<Value*> unknown;
  size_t position = 0;
  for (uint32_t p = self == kNone ? kNone : tree[self].next; p != kNone; p = tree[p].next) {
    go_on();
    if (tree[p].kind == PythonKind::PositionalSeparator) continue;
    if (tree.text(p).starts_with('*')) position = arguments.positional.size();
    Value* const given = given_to(arguments, position++, tree, p);
    if (!is_none_by_default(tree, p)) continue;
    if (given == nullptr && arguments.has_more) unseen.push_back(parameter_name(tree, p));
    if (given != nullptr && is_tensor_parameter(tree, p) && is_bare_unknown(*given))
      unknown.push_back(given);
  }
  if ((unseen.empty() && unknown.empty()) || !reads_known_tensors(call, task)) return;
  task.unseen = std::move(unseen);
  for (Value* const value : unknown) *value = arena_.none();
}

// All that it reads but numbers, and but what it holds itself.
bool CallSolver::reads_known_tensors(const ModuleCall& call, const ModuleCallTask& task) const {
  std::vector<Value> given;
  for (const Value value : task.arguments.positional) collect_tensors(value, given);
  for (const auto& [name, value] : task.arguments.named) collect_tensors(value, given);
  std::vector<uint32_t> known;
  for (const Value value : given) {
    go_on();
    const bool is_known = value->is(ValueKind::Tensor) &&
                          value->tensor().state == TensorState::Known &&
                          value->tensor().names.size() == 1;
    if (is_known) known.push_back(value->tensor().names[0]);
  }
  const std::span<const uint32_t> read = graph_.calls()[call.parent].units[call.unit].inputs;
  const bool may_be_all = std::ranges::all_of(read, [&](uint32_t input) {
    return graph_.is_held(input) || graph_.is_lifted(input) ||
           std::ranges::find(known, input) != known.end();
  });
  if (!may_be_all) return false;
  add_held(call.module, known);
  std::ranges::sort(known);
  return std::ranges::all_of(read, [&](uint32_t input) {
    go_on();
    return std::ranges::binary_search(known, input) ||
           (graph_.is_lifted(input) && graph_.sizes_of(input).is_known &&
            graph_.sizes_of(input).sizes.empty());
  });
}

// What the module of this row and those in it hold.
void CallSolver::add_held(uint32_t row, std::vector<uint32_t>& held) const {
  std::vector<uint32_t> rows = {row};
  while (!rows.empty()) {
    go_on();
    const ModelModule& module = graph_.module(rows.back());
    rows.pop_back();
    held.insert(held.end(), module.held_values.begin(), module.held_values.end());
    rows.insert(rows.end(), module.child_modules.begin(), module.child_modules.end());
  }
}

// What torch's forward of a convolution gives besides its input.
void CallSolver::add_weights(const ModuleCall& call, ModuleCallTask& task) {
  if (!task.has_arguments || task.arguments.positional.size() != 1) return;
  for (const std::string_view name : {".weight", ".bias"}) {
    const uint32_t value = graph_.held(std::string(call.path) + std::string(name));
    task.arguments.positional.push_back(
        value == kNone ? arena_.none() : arena_.tensor(TensorState::Known, {value}));
  }
}

// What the model itself is given: inputs have the names of the parameters, and where they have not,
// one for each parameter tells as well.
void CallSolver::set_inputs(ModuleCallTask& task) {
  const Value function = innermost_wrapped(task.forward);
  const PythonTree& tree = *function->function().file->tree;
  const uint32_t parameters = tree.child(function->function().node, PythonField::Parameters);
  std::vector<std::string_view> names;
  bool takes_more = false;
  for (uint32_t p = parameters == kNone ? kNone : tree[parameters].first_child; p != kNone;
       p = tree[p].next) {
    const std::string_view text = tree.text(p);
    if (text.starts_with('*')) {
      takes_more = true;
      continue;
    }
    names.push_back(text.substr(0, text.find_first_of(" :=")));
  }
  if (graph_.user_inputs().empty() || names.empty()) return;
  if (set_named_inputs({names.begin() + 1, names.end()}, task)) return;
  if (takes_more || names.size() != graph_.user_inputs().size() + 1) return;
  for (const uint32_t value : graph_.user_inputs())
    task.arguments.positional.push_back(arena_.tensor(TensorState::Known, {value}));
  task.has_arguments = true;
}

// True if every input has the name of a parameter: the others were not given.
bool CallSolver::set_named_inputs(const std::vector<std::string_view>& parameters,
                                  ModuleCallTask& task) {
  Arguments arguments;
  for (const GraphInput& input : graph_.graph().inputs) {
    if (input.kind != GraphInputKind::User) continue;
    const std::string_view name = graph_.record().text(input.name);
    const auto parameter = std::ranges::find(parameters, name);
    if (parameter == parameters.end()) return false;
    const uint32_t value = graph_.number_of(input.name);
    const bool is_tensor = graph_.sizes_of(value).is_known;
    arguments.named.emplace_back(
        *parameter, is_tensor ? arena_.tensor(TensorState::Known, {value}) : arena_.unknown());
  }
  task.arguments = std::move(arguments);
  task.has_arguments = true;
  return true;
}

// What nothing reads may be the tensor that another input is, too. True if there is such an input.
bool CallSolver::share_inputs(Arguments& arguments) {
  bool shares = false;
  const auto share = [&](Value& value) {
    if (!value->is(ValueKind::Tensor) || value->tensor().names.size() != 1) return;
    const uint32_t other = graph_.input_read_instead(value->tensor().names[0]);
    if (other == kNone) return;
    value = arena_.tensor(TensorState::Known, {other});
    shares = true;
  };
  for (Value& value : arguments.positional) share(value);
  for (auto& [name, value] : arguments.named) share(value);
  return shares;
}

// Of a child, as the call gives them.
Arguments CallSolver::arguments_of(uint32_t call, const UnitLine& line) {
  const auto at = equal_to_.find(call);
  if (at == equal_to_.end()) return line.arguments;
  EqualTo& equal = at->second;
  if (equal.carried == nullptr) {
    equal.carried =
        std::make_unique<CarriedArguments>(graph_.calls()[equal.call], graph_.calls()[call],
                                           equal_calls_.values_of(equal.call), equal.values);
  }
  return equal.carried->of(line.arguments, arena_);
}

}  // namespace etlens::recover
