// SPDX-License-Identifier: Apache-2.0
// What a run has used, what it costs, and what it leaves to be chosen.
#include "core/base/budget.h"
#include "core/recover/interpreter/interpreter.h"

namespace etlens::recover {
namespace {

constexpr size_t kMaxSteps = 400'000;  // of one run

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

}  // namespace etlens::recover
