// SPDX-License-Identifier: Apache-2.0

#include "core/recover/interpreter/evaluator.h"

#include "core/base/budget.h"
#include "core/recover/interpreter/calls.h"
#include "core/recover/interpreter/scopes.h"

namespace etlens::recover {
namespace {

constexpr size_t kMaxSteps = 400'000;  // of one run
constexpr double kGiven = 1.2;         // that code which is not here gives more than the tensors

}  // namespace

Evaluator::Evaluator(PythonSources& python, Caches& known, Arena& values,
                     const ModuleCallTask* asked, Choices* choices)
    : sources(python),
      caches(known),
      arena(values),
      task(asked),
      matcher(*this),
      model(*this),
      choices_(choices) {}

bool Evaluator::run() {
  const Value function = task->forward;
  const ModuleCall& module = task->graph->calls()[task->call];
  Arguments arguments;
  arguments.positional.push_back(arena.module(std::string(module.path)));
  if (task->has_arguments) {
    for (const Value value : task->arguments.positional)
      arguments.positional.push_back(copy_of(arena, value));
    for (const auto& [name, value] : task->arguments.named)
      arguments.named.emplace_back(name, copy_of(arena, value));
    arguments.has_more = task->arguments.has_more;
    for (const std::string_view name : task->unseen)
      arguments.named.emplace_back(name, choose({0, kGiven}) == 0 ? arena.none() : arena.unknown());
  } else {
    arguments.has_more = true;
  }
  scope_ = function->is(ValueKind::Function) ? function->function().file->globals : nullptr;
  if (scope_ == nullptr) return false;
  result_ = call_function(*this, function, arguments, kNone);
  return !stopped_ && matcher.position() == module.units.size();
}

uint64_t Evaluator::place() const {
  uint64_t hash = matcher.position();
  const auto mix = [&](uint64_t part) { hash = (hash ^ part) * 0x9E3779B97F4A7C15ULL; };
  for (const CallFrame& frame : frames_) {
    mix(reinterpret_cast<uintptr_t>(frame.file));
    mix(frame.statement);
    mix(frame.site);
    hash ^= hash >> 32;
  }
  return hash;
}

void Evaluator::begin_apart(Environment* scope) {
  quiet_ = 1;
  scope_ = scope;
}

void Evaluator::begin_file(Environment* scope, int depth) {
  begin_apart(scope);
  runs_file_ = true;
  depth_ = depth;
}

void Evaluator::step(size_t cost) {
  steps_ += cost;
  go_on(cost);
  if (steps_ > kMaxSteps) stop();
}

void Evaluator::stop() {
  if (!stopped_) matcher.mark_trouble();
  stopped_ = true;
}

bool Evaluator::goes_deeper(int most) {
  if (stopped_) return false;
  if (++depth_ <= most) return true;
  --depth_;
  stop();
  return false;
}

void Evaluator::add_cost(double cost) {
  if (cost <= 0 || stopped_ || is_quiet()) return;
  if (cost >= kContradictionCost) matcher.mark_trouble();
  if (choices_ != nullptr && !choices_->add_cost(cost)) stop();
}

size_t Evaluator::choose(std::initializer_list<double> costs) {
  if (stopped_ || choices_ == nullptr) return 0;
  const size_t pick = choices_->choose(std::span(costs.begin(), costs.size()));
  if (pick >= costs.size()) {
    stop();
    return 0;
  }
  return pick;
}

size_t Evaluator::choose_raw(std::span<const double> costs) {
  return choices_ == nullptr ? 0 : choices_->choose(costs);
}

size_t Evaluator::choose_any(std::span<const double> costs) {
  const size_t pick = choose_raw(costs);
  if (pick >= costs.size()) stop();
  return pick;
}

std::optional<size_t> Evaluator::choose_or_none(std::vector<double> costs, double none) {
  if (stopped_) return std::nullopt;
  if (choices_ == nullptr) return 0;
  costs.push_back(none);
  const size_t pick = choose_any(costs);
  return pick < costs.size() - 1 ? std::optional(pick) : std::nullopt;
}

void Evaluator::at(uint32_t node) {
  // What is evaluated apart, a constructor's assignment, is not where the run stands.
  if (node == kNone || is_quiet() || frames_.empty() || frames_.back().file != scope_->file) return;
  frames_.back().line = tree()[node].line + 1;
  frames_.back().site = tree()[node].begin;
}

Value Evaluator::local(Value value) {
  if (is_enum_member(value)) return value;
  if (!value->is_shared || task == nullptr || !may_change(value->kind())) return value;
  Value& copy = local_[value];
  if (copy == nullptr) {
    copy = copy_of(arena, value);
    std::set<Value> seen;
    forget_changes(*this, copy, seen);
  }
  return copy;
}

Value Evaluator::open_value(const void* owner, std::string_view name) {
  Value& open = open_values_[{owner, std::string(name)}];
  if (open == nullptr) open = arena.unknown();
  return open;
}

void Evaluator::become(Value unknown, Value known) {
  if (unknown == known || !unknown->is(ValueKind::Unknown) || !may_write(unknown)) return;
  const bool is_shared = unknown->is_shared;
  *unknown = *known;
  unknown->is_shared = is_shared;
}

void Evaluator::forget(Value value) {
  if (!may_write(value)) return;
  const bool is_shared = value->is_shared;
  *value = Object();
  value->is_shared = is_shared;
}

}  // namespace etlens::recover
