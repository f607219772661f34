// SPDX-License-Identifier: Apache-2.0
#include "core/recover/explorer.h"

#include <algorithm>

namespace etlens::recover {
namespace {

constexpr double kMargin = 1;
constexpr double kWideMargin = 4;  // where the best one is doubtful itself
constexpr double kDoubtful = 2;
constexpr double kMaxCost = 24;
constexpr double kSlack = 0.75;  // that a run may cost more than the best open one before it waits
// The same for the run that came furthest: if a call left no node there, every other run will pay
// for that call, too.
constexpr double kSlackOfFurthest = 1.3;
constexpr size_t kMaxRuns = 500;      // of one exploration
constexpr size_t kMaxMoreRuns = 120;  // of explore(), behind the best explanation
constexpr size_t kMaxRunSteps = 1'500'000;
constexpr size_t kMaxKept = 400;  // explanations
constexpr size_t kMaxOpen = 20'000;
constexpr size_t kMaxAnew = 16;   // after runs that opened files
constexpr size_t kMaxBetter = 3;  // around better and better explanations

}  // namespace

bool Explorer::IsLater::operator()(const Open& a, const Open& b) const {
  if (a.cost != b.cost) return a.cost > b.cost;
  if (a.turns != b.turns) return a.turns > b.turns;
  if (a.depth != b.depth) return a.depth < b.depth;
  return a.number > b.number;
}

double Explorer::bound() const {
  if (best_ < 0) return kMaxCost;
  const bool is_doubtful = best_doubt_ >= kDoubtful || !task_.unexplained.empty();
  return best_ + (is_doubtful ? kWideMargin : kMargin);
}

// Where explore() has to leave something to explore_narrowly().
size_t Explorer::step_limit() const {
  return is_narrow_ ? most_steps_ : std::min(most_steps_ / 2, kMaxRunSteps);
}

// What runs before knew less of the sources than the ones to come.
void Explorer::begin_anew() {
  open_ = {};
  open_.push({});
  taken_.clear();
  explanations_.clear();
  ends_.clear();
  arenas_.clear();
  best_ = -1;
  best_step_ = kNone;
  furthest_.clear();
  furthest_position_ = 0;
  lead_ = 0;
}

bool Explorer::explore() {
  for (size_t round = 0;; ++round) {
    const size_t opened = sources_.opened_count();
    begin_anew();
    waits_for_files_ = round < kMaxAnew && steps_ < step_limit() / 2;
    const bool is_whole = go(false);
    if (sources_.opened_count() == opened || !waits_for_files_) return is_whole;
  }
}

bool Explorer::explore_narrowly() {
  is_narrow_ = true;
  waits_for_files_ = false;
  for (size_t round = 0; round < kMaxBetter; ++round) {
    const double before = best_;
    open_ = {};
    asked_.clear();
    open_.push(before < 0 ? Open{} : Open{.cost = before, .step = best_step_});
    // The first one may stand behind choices that were wrong: it begins anew with it.
    if (!go(before < 0)) return false;
    if (best_ == before) break;
  }
  return true;
}

// Goes through what is open, until nothing is near the best any more.
bool Explorer::go(bool only_first) {
  const size_t runs = runs_;
  const size_t kept = explanations_.size();
  while (!open_.empty()) {
    const Open next = open_.top();
    if (next.cost > bound()) break;
    open_.pop();
    if (next.end != kNoEnd && ends_[next.end] >= 0 && ends_[next.end] <= next.cost) continue;
    if (runs_ - runs >= kMaxRuns || steps_ >= step_limit() || open_.size() > kMaxOpen ||
        explanations_.size() - kept >= kMaxKept) {
      return false;
    }
    if (!is_narrow_ && best_ >= 0 && runs_ - best_runs_ > kMaxMoreRuns) return false;
    const size_t opened = sources_.opened_count();
    run_one(next);
    if (waits_for_files_ && sources_.opened_count() != opened) return false;
    if (only_first && explanations_.size() > kept) break;
  }
  return true;
}

size_t Explorer::choose(std::span<const double> costs) {
  size_t pick = 0;
  const bool is_replayed = replayed_ < replay_.size();
  if (is_replayed) {
    pick = replay_[replayed_++];
    if (pick >= costs.size()) return SIZE_MAX;
  } else {
    for (size_t i = 1; i < costs.size(); ++i) {
      if (costs[i] < costs[pick]) pick = i;
    }
  }
  if (run_->matcher.position() > lead_) {
    lead_ = run_->matcher.position();
    turns_ = 0;
  }
  if (is_narrow_ ? asks() : !is_replayed) {
    for (size_t i = 0; i < costs.size(); ++i) {
      if (i == pick || cost_ + costs[i] > bound()) continue;
      taken_.push_back({step_, static_cast<uint32_t>(i)});
      open(cost_ + costs[i], turns_ + 1, static_cast<uint32_t>(taken_.size() - 1));
    }
  }
  taken_.push_back({step_, static_cast<uint32_t>(pick)});
  step_ = static_cast<uint32_t>(taken_.size() - 1);
  return add_cost(costs[pick]) ? pick : SIZE_MAX;
}

bool Explorer::add_cost(double cost) {
  cost_ += cost;
  if (cost >= kTrifle) doubt_ += cost;
  return goes_on();
}

// A way of the current run that it does not take now.
void Explorer::open(double cost, uint32_t turns, uint32_t step) {
  size_t end = kNoEnd;
  if (!asks_result_ && run_->matcher.next_unit() == nullptr) {
    if (end_ == kNoEnd) {
      end_ = ends_.size();
      ends_.push_back(-1);
    }
    end = end_;
  }
  open_.push({cost, turns, run_->matcher.position(), step, ++number_, end});
}

// False if a run was asked before at the place where this one is now.
bool Explorer::asks() {
  const uint64_t place = run_->place();
  if (place != last_place_) asked_here_ = 0;
  last_place_ = place;
  return asked_.insert(place + ++asked_here_).second;
}

bool Explorer::goes_on() {
  if (cost_ > bound()) return false;
  if (replayed_ < replay_.size()) return true;
  const double slack = run_->matcher.position() >= lead_ ? kSlackOfFurthest : kSlack;
  if (!open_.empty() && cost_ > open_.top().cost + slack && cost_ > start_cost_ + slack) {
    // Others are better: this one waits.
    open(cost_, turns_, step_);
    waits_ = true;
    return false;
  }
  return true;
}

void Explorer::run_one(const Open& from) {
  replay_.clear();
  for (uint32_t s = from.step; s != kNone; s = taken_[s].before) replay_.push_back(taken_[s].pick);
  std::reverse(replay_.begin(), replay_.end());
  replayed_ = 0;
  cost_ = 0;
  doubt_ = 0;
  start_cost_ = from.cost;
  step_ = kNone;
  waits_ = false;
  turns_ = from.turns;
  end_ = from.end;
  last_place_ = 0;
  asked_here_ = 0;
  auto arena = std::make_unique<Arena>();
  Evaluator run(sources_, caches_, *arena, &task_, this);
  run_ = &run;
  const bool is_complete = run.run();
  run_ = nullptr;
  ++runs_;
  steps_ += run.steps();
  if (is_complete && cost_ <= bound()) {
    if (best_ < 0 || cost_ < best_) {
      best_ = cost_;
      best_doubt_ = doubt_;
      best_runs_ = runs_;
      best_step_ = step_;
    }
    if (end_ != kNoEnd && (ends_[end_] < 0 || cost_ < ends_[end_])) ends_[end_] = cost_;
    explanations_.push_back({cost_, run.matcher.take_placements(), run.result()});
    arenas_.push_back(std::move(arena));
  } else if (!waits_ && run.matcher.position() >= furthest_position_) {
    if (run.matcher.position() > furthest_position_ || furthest_.empty())
      furthest_ = run.matcher.trouble();
    furthest_position_ = run.matcher.position();
  }
}

}  // namespace etlens::recover
