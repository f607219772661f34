// SPDX-License-Identifier: Apache-2.0
#include "core/recover/solver.h"

#include <algorithm>

#include "core/base/budget.h"

namespace etlens::recover {
namespace {

constexpr size_t kMaxRecordSteps = 6'000'000;  // of one record
constexpr size_t kMaxRecordRuns = 10'000;
constexpr size_t kMaxQuestionSteps = 2'000'000;  // for what children return, of one record
constexpr size_t kQuestionSteps = 100'000;       // for one of them at first sight
constexpr size_t kFewSteps = 20'000;             // with which most calls are solved
constexpr size_t kShares = 2;  // a call may take that part of what is left, and no less than a few

size_t share_of(size_t most, size_t used) {
  return std::max(used < most ? (most - used) / kShares : 0, kFewSteps);
}

constexpr std::string_view kMadeInFunction = "<locals>.";  // in the name of a type

// The last function of a class's own text that is called forward; kNone without.
uint32_t written_forward(const Object& cls) {
  const PythonTree& tree = *cls.file->tree;
  const uint32_t body = tree.child(cls.node, PythonField::Body);
  uint32_t found = kNone;
  for (uint32_t c = body == kNone ? kNone : tree[body].first_child; c != kNone; c = tree[c].next) {
    const uint32_t definition = tree[c].kind == PythonKind::DecoratedDefinition
                                    ? tree.child(c, PythonField::Definition)
                                    : c;
    if (definition == kNone || tree[definition].kind != PythonKind::FunctionDefinition) continue;
    if (tree.text(tree.child(definition, PythonField::Name)) == "forward") found = definition;
  }
  return found;
}

// A base that no source of the project defines.
bool may_have_forward(Value base) {
  if (base->is(ValueKind::Class)) return false;
  const std::string_view name = base->text;
  return !name.ends_with(".Module") && !name.starts_with("abc.") && !name.starts_with("typing.") &&
         !name.starts_with("builtins.");
}

size_t said_units(const CallLines& lines) {
  return static_cast<size_t>(std::count_if(lines.units.begin(), lines.units.end(),
                                           [](const auto& l) { return l.why == Abstained::No; }));
}

}  // namespace

CallSolver::CallSolver(const GraphUnits& graph, PythonSources& sources, Chains& chains)
    : graph_(graph),
      sources_(sources),
      chains_(chains),
      equal_calls_(graph, [this](std::string_view path) { return made_with(path); }) {}

std::vector<CallState> CallSolver::run() {
  states_.resize(graph_.calls().size());
  for (uint32_t c = 0; c < states_.size(); ++c) solve(c);
  return std::move(states_);
}

// Methods that the forward of torch's layers calls, where the project has its own.
void CallSolver::set_called_by_layer(Interpreter& finder, Value cls, ForwardFunction& forward) {
  const Value convolution = finder.find_member(cls, "_conv_forward");
  if (convolution != nullptr && convolution->is(ValueKind::Function))
    forward.convolution = convolution;
  for (const std::string_view name : {"_sa_block", "_mha_block", "_ff_block", "merge_masks"})
    forward.is_missing = forward.is_missing || finder.find_member(cls, name) != nullptr;
}

// What the class says that runs for it.
CallSolver::ForwardFunction CallSolver::forward_of_class(Interpreter& finder, Value cls) const {
  ForwardFunction forward;
  Value owner = nullptr;
  const Value found = finder.find_member(cls, "forward", &owner);
  if (cls != nullptr && found == nullptr) {
    // It runs that of a base, which has one only if it is more than torch.nn.Module.
    const std::vector<Value> order = finder.bases_in_order(cls);
    forward.is_missing = std::none_of(order.begin(), order.end(), may_have_forward);
    set_called_by_layer(finder, cls, forward);
  }
  if (found == nullptr || !found->is(ValueKind::Function)) return forward;
  // The record keeps the frame of the function that a decorator wraps.
  const uint32_t written = written_forward(*owner);
  const SourceFile& file = written == kNone ? *found->file : *owner->file;
  const uint32_t node = written == kNone ? found->node : written;
  const PythonTree& tree = *file.tree;
  forward.function = found;
  forward.file = graph_.record().strings.find(file.recorded_path);
  forward.first_line = tree[node].line + 1;
  forward.last_line =
      static_cast<uint32_t>(tree.document->line_at(std::max<uint32_t>(tree[node].end, 1) - 1) + 1);
  return forward;
}

const CallSolver::ForwardFunction& CallSolver::forward_of(std::string_view type) {
  const auto [at, is_new] = forwards_.try_emplace(type);
  ForwardFunction& forward = at->second;
  if (!is_new || type.starts_with("torch.")) return forward;
  Arena scratch;
  Interpreter finder(sources_, caches_, scratch, nullptr, nullptr);
  const Value cls = finder.class_of_type(type);
  forward = forward_of_class(finder, cls);
  forward.is_missing = forward.is_missing || (cls == nullptr && sources_.is_project(type));
  return forward;
}

// Of a call whose class was made in a function: the record keeps the frame of its forward, and one
// class of that name runs what stands there. Null if none or several do.
const CallSolver::ForwardFunction* CallSolver::forward_by_frames(const ModuleCall& call,
                                                                 const CallState& state) {
  if (call.type.find(kMadeInFunction) == std::string_view::npos) return nullptr;
  const KeptFrame* frame = nullptr;
  for (const Unit& unit : call.units) {
    if (frame == nullptr && unit.frames.size() > state.begin_frames)
      frame = &unit.frames[state.begin_frames];
  }
  if (frame == nullptr) return nullptr;
  const auto [at, is_new] = forwards_by_path_.try_emplace(call.path);
  if (!is_new) return at->second.function == nullptr ? nullptr : &at->second;
  Arena scratch;
  Interpreter finder(sources_, caches_, scratch, nullptr, nullptr);
  const std::string_view name = call.type.substr(call.type.rfind('.') + 1);
  finder.run_file(sources_.open(std::string(graph_.record().text(frame->file))));
  Value found = nullptr;
  for (const SourceFile* file : sources_.opened()) {
    if (file->globals == nullptr) continue;
    for (const auto& [global, cls] : file->globals->names) {
      go_on();
      if (!cls->is(ValueKind::Class) || cls->text != name || cls == found) continue;
      const ForwardFunction forward = forward_of_class(finder, cls);
      if (forward.function == nullptr || forward.file != frame->file ||
          frame->line < forward.first_line || frame->line > forward.last_line) {
        continue;
      }
      if (found != nullptr) return nullptr;
      found = cls;
    }
  }
  if (found == nullptr) return nullptr;
  at->second = forward_of_class(finder, found);
  caches_.classes_of_paths[std::string(call.path)] = found;
  return &at->second;
}

// `module.forward = module.other` in the sources, where the class has that method and only one;
// null without.
Value CallSolver::method_set_as_forward(std::string_view type) {
  const auto [at, is_new] = set_as_forward_.try_emplace(type, nullptr);
  if (!is_new) return at->second;
  Arena scratch;
  Interpreter finder(sources_, caches_, scratch, nullptr, nullptr);
  const Value cls = finder.class_of_type(type);
  Value found = nullptr;
  for (const SourceFile* file : sources_.opened()) {
    const PythonTree& tree = *file->tree;
    if (tree.document->text().find(".forward") == std::string_view::npos) continue;
    for (uint32_t n = 0; n < tree.nodes.size(); ++n) {
      go_on();
      if (tree[n].kind != PythonKind::Assignment) continue;
      const uint32_t left = tree.child(n, PythonField::Left);
      const uint32_t right = tree.child(n, PythonField::Right);
      if (left == kNone || right == kNone || tree[left].kind != PythonKind::Attribute ||
          tree[right].kind != PythonKind::Attribute ||
          tree.text(tree.child(left, PythonField::Attribute)) != "forward") {
        continue;
      }
      const Value method =
          finder.find_member(cls, tree.text(tree.child(right, PythonField::Attribute)));
      if (method == nullptr || !method->is(ValueKind::Function) || method == found) continue;
      if (found != nullptr) return nullptr;
      found = method;
    }
  }
  return set_as_forward_[type] = found;
}

std::string CallSolver::made_with(std::string_view path) {
  Problem problem;
  problem.graph = &graph_;
  Arena scratch;
  return Interpreter(sources_, caches_, scratch, &problem, nullptr)
      .construction_text(std::string(path));
}

// The frames of a call begin with the first one inside its forward. False if there are some, but
// none there.
bool CallSolver::find_begin(const ModuleCall& call, const ForwardFunction& forward,
                            CallState& state) const {
  bool has_frames = false;
  size_t begin = SIZE_MAX;
  std::span<const KeptFrame> before;
  for (const Unit& unit : call.units) {
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

// The problem that a call poses, without what its caller gives it; nullopt without source.
std::optional<Problem> CallSolver::problem_of(uint32_t c) {
  const ModuleCall& call = graph_.calls()[c];
  CallState& state = states_[c];
  const CallState* parent = call.parent == kNoCall ? nullptr : &states_[call.parent];
  state.begin_frames = parent == nullptr ? 0 : parent->begin_frames + parent->own_frames;
  if (call.units.empty()) return std::nullopt;
  const ForwardFunction* const made = forward_by_frames(call, state);
  const ForwardFunction& forward = made != nullptr ? *made : forward_of(call.type);
  state.is_replaced = forward.is_missing;
  if (forward.function == nullptr && forward.convolution == nullptr) return std::nullopt;
  const bool is_forward = forward.function != nullptr && find_begin(call, forward, state);
  Value function = forward.convolution;
  if (forward.function != nullptr) {
    state.is_replaced = !is_forward;
    function = is_forward ? forward.function : method_set_as_forward(call.type);
  }
  if (function == nullptr) return std::nullopt;
  state.own_frames = is_forward ? 1 : 0;  // what has another name leaves no frame
  state.has_source = true;
  Problem problem;
  problem.graph = &graph_;
  problem.call = c;
  problem.outer_frames = state.begin_frames;
  problem.forward = function;
  return problem;
}

void CallSolver::solve(uint32_t c) {
  const ModuleCall& call = graph_.calls()[c];
  CallState& state = states_[c];
  std::optional<Problem> problem = problem_of(c);
  if (!problem) return;
  if (is_exhausted()) {
    state.solved = given_up(call.units.size());
    return;
  }
  set_arguments(call, *problem);
  const bool is_made = caches_.classes_of_paths.contains(call.path);
  if (!is_made && forward_of(call.type).function == nullptr) add_weights(call, *problem);
  // Equal types do not say equal classes where these were made in functions.
  std::optional<CallShape> shape;
  if (!is_made) shape = equal_calls_.shape_of(*problem);
  const uint32_t equal = shape ? equal_calls_.find(*shape) : kNoCall;
  if (equal != kNoCall) {
    state.solved = states_[equal].solved;
    equal_to_[c] = {equal, std::move(shape->values), nullptr};
    return;
  }
  state.solved = searched(*problem);
  if (shape) equal_calls_.keep(std::move(*shape), c, state.solved->lines);
}

// Where lines are missing, the form of what children return may be what is missing.
// `results` is given if what this call itself returns is such a question.
CallLines CallSolver::searched_with_results(Problem& problem, Arena* results) {
  const auto look = [&](Work& work) {
    problem.most_steps =
        share_of(&work == &work_ ? kMaxRecordSteps : kMaxQuestionSteps, work.steps);
    // Most questions need the second look.
    if (results != nullptr && !problem.is_second_look)
      problem.most_steps = std::min(problem.most_steps, kQuestionSteps);
    CallLines lines = search(sources_, caches_, problem, results);
    work.steps += lines.steps;
    work.runs += lines.runs;
    return lines;
  };
  CallLines lines = look(results != nullptr ? questions_ : work_);
  if (said_units(lines) == lines.units.size()) return lines;
  run_packages();
  find_results(problem);
  if (questions_.steps > kMaxQuestionSteps) return lines;
  problem.results = &results_;
  problem.is_second_look = true;
  CallLines better = look(questions_);
  return said_units(better) > said_units(lines) ? std::move(better) : std::move(lines);
}

// Classes may be entered in registries by files that only their package imports. Done once.
bool CallSolver::run_packages() {
  if (has_run_packages_) return false;
  has_run_packages_ = true;
  Arena scratch;
  return Interpreter(sources_, caches_, scratch, nullptr, nullptr).run_packages();
}

// Asks what the children of a call return. True if something is known.
bool CallSolver::find_results(const Problem& problem) {
  bool is_known = false;
  for (const Unit& unit : graph_.calls()[problem.call].units) {
    if (unit.child == kNoCall || questions_.steps > kMaxQuestionSteps) continue;
    const auto [at, is_new] = results_.try_emplace(unit.child, nullptr);
    if (is_new) {
      std::optional<Problem> inner = problem_of(unit.child);
      if (inner) {
        const Value result = searched_with_results(*inner, &arena_).result;
        results_[unit.child] = result;
      }
    }
    is_known |= results_[unit.child] != nullptr;
  }
  return is_known && questions_.steps <= kMaxQuestionSteps;
}

std::shared_ptr<SolvedCall> CallSolver::searched(Problem& problem) {
  auto solved = std::make_shared<SolvedCall>();
  solved->lines = searched_with_results(problem, nullptr);
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

void CallSolver::set_arguments(const ModuleCall& call, Problem& problem) {
  if (call.parent == kNoCall) return set_inputs(problem);
  const CallState& parent = states_[call.parent];
  if (parent.has_source) {
    const UnitLine& line = parent.solved->lines.units[call.unit];
    if (line.why != Abstained::No || !line.has_arguments) return;
    problem.arguments = arguments_of(call.parent, line);
    problem.has_arguments = true;
    return;
  }
  // Behind a container of torch: what the call reads and the model does not hold.
  std::vector<uint32_t> read;
  for (const uint32_t input : graph_.calls()[call.parent].units[call.unit].inputs) {
    if (!graph_.is_held(input)) read.push_back(input);
  }
  if (read.size() != 1) return;
  problem.arguments.positional.push_back(arena_.tensor(TensorState::Known, {read[0]}));
  problem.arguments.has_more = true;
  problem.has_arguments = true;
}

// What torch's forward of a convolution gives besides its input.
void CallSolver::add_weights(const ModuleCall& call, Problem& problem) {
  if (!problem.has_arguments || problem.arguments.positional.size() != 1) return;
  for (const std::string_view name : {".weight", ".bias"}) {
    const uint32_t value = graph_.held(std::string(call.path) + std::string(name));
    problem.arguments.positional.push_back(
        value == kNone ? arena_.none() : arena_.tensor(TensorState::Known, {value}));
  }
}

// What the model itself is given, if its parameters are one for each input.
void CallSolver::set_inputs(Problem& problem) {
  const PythonTree& tree = *problem.forward->file->tree;
  const uint32_t parameters = tree.child(problem.forward->node, PythonField::Parameters);
  size_t count = 0;
  for (uint32_t p = parameters == kNone ? kNone : tree[parameters].first_child; p != kNone;
       p = tree[p].next) {
    ++count;
    if (tree[p].kind == PythonKind::ListSplatPattern ||
        tree[p].kind == PythonKind::DictionarySplatPattern) {
      return;
    }
  }
  if (count != graph_.user_inputs().size() + 1) return;
  for (const uint32_t value : graph_.user_inputs())
    problem.arguments.positional.push_back(arena_.tensor(TensorState::Known, {value}));
  problem.has_arguments = true;
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
