// SPDX-License-Identifier: Apache-2.0
// Calls that are searched a second time, with what their children return: those of which lines are
// missing, and those that give a child a tensor for what can be none.
#include <algorithm>
#include <utility>

#include "core/base/budget.h"
#include "core/recover/interpreter/definitions.h"
#include "core/recover/interpreter/wrappers.h"
#include "core/recover/solver.h"

namespace etlens::recover {
namespace {

constexpr size_t kMaxQuestionSteps = 2'000'000;  // for what children return, of one record
constexpr size_t kQuestionSteps = 200'000;       // for one look at one of them
constexpr size_t kFirstSteps = 500'000;          // before children are asked
constexpr size_t kShares = 2;  // a call may take that part of what is left, and no less than a few

size_t share_of(size_t most, size_t used) {
  return std::max(used < most ? (most - used) / kShares : 0, kFewSteps);
}

// tuple[int, int], int | None: of names alone that are no tensor's.
bool is_type_of_numbers(std::string_view type) {
  static constexpr std::string_view kNames[] = {
      "Iterable", "List",  "None", "Optional", "Sequence", "Size",  "Tuple", "Union",
      "bool",     "float", "int",  "list",     "torch",    "tuple", "typing"};
  bool has_number = false;
  for (size_t at = 0; at < type.size();) {
    const auto is_letter = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c >= '0' && c <= '9');
    };
    size_t end = at;
    while (end < type.size() && is_letter(type[end])) ++end;
    const std::string_view name = type.substr(at, end - at);
    if (!name.empty() && std::ranges::find(kNames, name) == std::end(kNames)) return false;
    has_number |= name == "int" || name == "float" || name == "bool" || name == "Size";
    at = std::max(end, at + 1);
  }
  return has_number;
}

// h, w = hw
bool is_unpacked(const PythonTree& tree, uint32_t function, std::string_view name) {
  for (uint32_t n = function; n < tree[function].end_child; ++n) {
    go_on();
    if (tree[n].kind != PythonKind::Assignment) continue;
    const uint32_t left = tree.child(n, PythonField::Left);
    const uint32_t right = tree.child(n, PythonField::Right);
    if (left != kNone && right != kNone && tree[left].kind == PythonKind::PatternList &&
        tree[right].kind == PythonKind::Identifier && tree.text(right) == name) {
      return true;
    }
  }
  return false;
}

bool takes_no_tensor(const PythonTree& tree, uint32_t function, uint32_t parameter) {
  const uint32_t type = tree.child(parameter, PythonField::Type);
  if (type != kNone) return is_type_of_numbers(tree.text(type));
  return is_unpacked(tree, function, parameter_name(tree, parameter));
}

// Tensors that children returned, as far as anybody knows.
std::vector<Value> returned_tensors(Value value) {
  std::vector<Value> tensors;
  collect_tensors(value, tensors);
  std::erase_if(tensors, [](Value tensor) { return !is_from_module(tensor); });
  return tensors;
}

bool gives_returned(const Arguments& arguments) {
  return std::ranges::any_of(arguments.positional,
                             [](Value value) { return !returned_tensors(value).empty(); }) ||
         std::ranges::any_of(arguments.named,
                             [](const auto& row) { return !returned_tensors(row.second).empty(); });
}

}  // namespace

bool is_whole(const CallLines& lines) { return said_units(lines) == lines.units.size(); }

CallLines CallSolver::look(ModuleCallTask& task, size_t most, Arena* results) {
  const bool is_question = results != nullptr;
  Work& work = is_question ? questions_ : work_;
  const size_t left = share_of(is_question ? kMaxQuestionSteps : kMaxRecordSteps, work.steps);
  task.most_steps = std::min({most, left, is_question ? kQuestionSteps : SIZE_MAX});
  CallLines lines = search(sources_, caches_, task, results);
  work.steps += lines.steps;
  work.runs += lines.runs;
  return lines;
}

CallLines CallSolver::first_look(ModuleCallTask& task, size_t most, Arena* results) {
  most = std::min(most, kFirstSteps);
  CallLines lines = look(task, most, results);
  if (is_whole(lines) || graph_.calls()[task.call].parent != kNoCall) return lines;
  Arguments given = task.arguments;
  if (!share_inputs(task.arguments)) return lines;
  CallLines shared = look(task, most, results);
  if (said_units(shared) > said_units(lines)) return shared;
  task.arguments = std::move(given);
  return lines;
}

// `lines`: of the first look.
CallLines CallSolver::asked_again(ModuleCallTask& task, size_t most, Arena* results,
                                  CallLines lines) {
  const bool is_all = is_whole(lines);
  const std::vector<uint32_t> children = children_to_ask(task, lines);
  if (is_all && children.empty()) return lines;
  const bool has_new_files = !is_all && run_packages();
  const bool has_results = find_results(children, lines);
  const bool has_more = has_new_files || (!is_all && caches_.has_properties);
  if (results != nullptr && questions_.steps > kMaxQuestionSteps) return lines;
  if (has_results || has_more) {
    task.results = &results_;
    task.is_second_look = true;
  } else if (is_all || lines.steps < kFirstSteps) {
    return lines;
  }
  CallLines better = look(task, most, results);
  const size_t least = said_units(lines) + (is_all ? 0 : 1);
  return said_units(better) >= least ? std::move(better) : std::move(lines);
}

// Classes may be entered in registries by files that only their package imports. Done once.
bool CallSolver::run_packages() {
  if (has_run_packages_) return false;
  has_run_packages_ = true;
  Arena scratch;
  Evaluator run(sources_, caches_, scratch, nullptr, nullptr);
  return recover::run_packages(run);
}

// Where lines are missing all children, else those that returned what is mistaken for a tensor, or
// what is only handed on.
std::vector<uint32_t> CallSolver::children_to_ask(const ModuleCallTask& task, CallLines& lines) {
  const bool is_all = is_whole(lines);
  std::vector<uint32_t> mistaken;
  if (is_all) mistaken = mistaken_values(task, lines);
  if (is_all && lines.result != nullptr) {
    for (const Value tensor : returned_tensors(lines.result)) {
      const std::vector<uint32_t>& names = tensor->tensor().names;
      if (tensor->tensor().is_field) mistaken.insert(mistaken.end(), names.begin(), names.end());
    }
  }
  std::vector<uint32_t> children;
  for (const SourceCall& unit : graph_.calls()[task.call].units) {
    go_on();
    if (unit.child != kNoCall && (!is_all || holds_any(unit.outputs, mistaken)))
      children.push_back(unit.child);
  }
  return children;
}

// What children returned and others are given for a parameter that takes no tensor.
std::vector<uint32_t> CallSolver::mistaken_values(const ModuleCallTask& task, CallLines& lines) {
  std::vector<uint32_t> mistaken;
  const std::span<const SourceCall> units = graph_.calls()[task.call].units;
  for (size_t u = 0; u < units.size(); ++u) {
    go_on();
    Arguments& arguments = lines.units[u].arguments;
    if (units[u].child == kNoCall || !lines.units[u].has_arguments || !gives_returned(arguments))
      continue;
    const std::optional<ModuleCallTask> inner = task_of(units[u].child);
    const Value function = inner ? innermost_wrapped(inner->forward) : nullptr;
    if (function == nullptr || !function->is(ValueKind::Function)) continue;
    const PythonTree& tree = *function->function().file->tree;
    const uint32_t parameters = tree.child(function->function().node, PythonField::Parameters);
    const uint32_t self = parameters == kNone ? kNone : tree[parameters].first_child;
    size_t position = 0;
    for (uint32_t p = self == kNone ? kNone : tree[self].next; p != kNone; p = tree[p].next) {
      if (tree[p].kind == PythonKind::PositionalSeparator) continue;
      if (tree.text(p).starts_with('*')) position = arguments.positional.size();
      const Value* const given = given_to(arguments, position++, tree, p);
      if (given == nullptr || !takes_no_tensor(tree, function->function().node, p)) continue;
      for (const Value tensor : returned_tensors(*given)) {
        const std::vector<uint32_t>& names = tensor->tensor().names;
        mistaken.insert(mistaken.end(), names.begin(), names.end());
      }
    }
  }
  return mistaken;
}

// What asks for a child's result may know what it gives it, but for what other children returned.
void CallSolver::set_arguments_as_asked(const CallLines& lines, ModuleCallTask& task) {
  const ModuleCall& call = graph_.calls()[task.call];
  const UnitLine& line = lines.units[call.unit];
  if (line.why != Abstained::No || !line.has_arguments) return;
  task.arguments = line.arguments;
  task.has_arguments = true;
  const auto forget_returned = [&](Value& value) {
    if (!returned_tensors(value).empty()) value = arena_.unknown();
  };
  for (Value& value : task.arguments.positional) forget_returned(value);
  for (auto& [name, value] : task.arguments.named) forget_returned(value);
  leave_out_tensors(call, task);
}

// Asks what these calls, of the call with these lines, return. True if something is known.
bool CallSolver::find_results(const std::vector<uint32_t>& children, const CallLines& lines) {
  bool is_known = false;
  for (const uint32_t child : children) {
    if (questions_.steps > kMaxQuestionSteps) continue;
    const auto [at, is_new] = results_.try_emplace(child, nullptr);
    if (is_new) {
      std::optional<ModuleCallTask> inner = task_of(child);
      if (inner) {
        set_arguments_as_asked(lines, *inner);
        const Value result = searched_with_results(*inner, &arena_).result;
        results_[child] = result;
      }
    }
    is_known |= results_[child] != nullptr;
  }
  return is_known && questions_.steps <= kMaxQuestionSteps;
}

}  // namespace etlens::recover
