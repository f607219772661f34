// SPDX-License-Identifier: Apache-2.0
#include "core/backend/alignment/alignment.h"

#include <algorithm>

#include "core/base/budget.h"

namespace etlens {
namespace {

constexpr uint32_t kFar = 1u << 30;  // no alignment at all; sums of two stay in range
constexpr uint32_t kFirstBand = 4;

// One pass of dynamic programming in a band. forward_[i] are the cheapest ways to place the first j
// events on the first i operators, backward_[i] those to place the rest on the rest. A row holds
// the values of j from predicted(i) - band to predicted(i) + band.
class Band {
 public:
  Band(const AlignmentProblem& problem, uint32_t band)
      : problem_(problem),
        events_(problem.events.size()),
        band_(band),
        width_(2 * size_t{band} + 1) {
    predicted_.reserve(problem.operators.size() + 1);
    predicted_.push_back(0);
    for (const OperatorToAlign& op : problem.operators) {
      predicted_.push_back(predicted_.back() + op.predicted_events());
    }
    forward_.assign(predicted_.size() * width_, kFar);
    backward_.assign(predicted_.size() * width_, kFar);
  }

  static size_t cells(const AlignmentProblem& problem, uint32_t band) {
    return (problem.operators.size() + 1) * (2 * size_t{band} + 1);
  }

  // The cost of the best alignment inside the band; kFar if there is none.
  uint32_t run() {
    const size_t last = problem_.operators.size();
    if (!contains(0, 0) || !contains(last, events_)) return kFar;
    cell(forward_, 0, 0) = 0;
    for (size_t i = 0; i <= last; ++i) {
      go_on(width_ / 16);
      for_each_event(i, [&](size_t j) {
        const uint32_t here = cell(forward_, i, j);
        if (here >= kFar) return;
        for_each_step(i, j, [&](size_t to_i, size_t to_j, uint32_t cost) {
          uint32_t& there = cell(forward_, to_i, to_j);
          there = std::min(there, here + cost);
        });
      });
    }
    cell(backward_, last, events_) = 0;
    for (size_t i = last + 1; i-- > 0;) {
      go_on(width_ / 16);
      for_each_event_backward(i, [&](size_t j) {
        uint32_t& here = cell(backward_, i, j);
        for_each_step(i, j, [&](size_t to_i, size_t to_j, uint32_t cost) {
          here = std::min(here, cell(backward_, to_i, to_j) + cost);
        });
      });
    }
    return cell(forward_, last, events_);
  }

  // Calls visit(j, candidate) for every way to place event j that an alignment of cost <= limit
  // has.
  template <typename Visit>
  void for_each_placement(uint32_t limit, Visit visit) {
    for (size_t i = 0; i <= problem_.operators.size(); ++i) {
      for_each_event(i, [&](size_t j) {
        const uint32_t here = cell(forward_, i, j);
        if (here > limit) return;
        for_each_step(i, j, [&](size_t to_i, size_t to_j, uint32_t cost) {
          if (here + cost + cell(backward_, to_i, to_j) > limit) return;
          const auto op = static_cast<uint32_t>(i);
          if (to_j == j) return;
          visit(j, to_i == i ? OperatorCandidate() : OperatorCandidate{op, false});
          if (to_j == j + 2) visit(j + 1, OperatorCandidate{op, true});
        });
      });
    }
  }

  // One of the best alignments.
  std::vector<OperatorCandidate> best() {
    std::vector<OperatorCandidate> path(events_);
    size_t i = 0;
    size_t j = 0;
    while (i < problem_.operators.size() || j < events_) {
      const uint32_t left = cell(backward_, i, j);
      size_t next_i = i;
      size_t next_j = j;
      for_each_step(i, j, [&](size_t to_i, size_t to_j, uint32_t cost) {
        if (next_i != i || next_j != j || cost + cell(backward_, to_i, to_j) != left) return;
        next_i = to_i;
        next_j = to_j;
      });
      if (next_i == i && next_j == j) break;  // not in a band that run() found an alignment in
      if (next_i != i && next_j != j) path[j] = {static_cast<uint32_t>(i), false};
      if (next_j == j + 2) path[j + 1] = {static_cast<uint32_t>(i), true};
      i = next_i;
      j = next_j;
    }
    return path;
  }

 private:
  size_t first_event(size_t i) const { return predicted_[i] < band_ ? 0 : predicted_[i] - band_; }
  size_t last_event(size_t i) const {
    return std::min<size_t>(events_, size_t{predicted_[i]} + band_);
  }
  bool contains(size_t i, size_t j) const { return j >= first_event(i) && j <= last_event(i); }
  uint32_t& cell(std::vector<uint32_t>& rows, size_t i, size_t j) {
    return rows[i * width_ + (j + band_ - predicted_[i])];
  }

  template <typename Visit>
  void for_each_event(size_t i, Visit visit) {
    for (size_t j = first_event(i); j <= last_event(i); ++j) visit(j);
  }
  template <typename Visit>
  void for_each_event_backward(size_t i, Visit visit) {
    for (size_t j = last_event(i) + 1; j-- > first_event(i);) visit(j);
  }

  // Every step from (i, j) that stays in the band: an event without operator, an operator without
  // event, with one, with two.
  template <typename Visit>
  void for_each_step(size_t i, size_t j, Visit visit) {
    if (j < events_ && contains(i, j + 1)) visit(i, j + 1, problem_.insertion_cost);
    if (i == problem_.operators.size()) return;
    const OperatorToAlign& op = problem_.operators[i];
    if (contains(i + 1, j)) visit(i + 1, j, op.fold_cost);
    if (j == events_) return;
    const uint8_t name = problem_.costs.at(op.family, problem_.events[j]);
    if (name == kImpossible) return;
    const uint32_t cost = uint32_t{name} + op.event_cost;
    const bool has_second = op.second_family != kNone;
    if (contains(i + 1, j + 1)) visit(i + 1, j + 1, cost + (has_second ? kDeviation : 0));
    if (!has_second || j + 1 == events_ || !contains(i + 1, j + 2)) return;
    const uint8_t second = problem_.costs.at(op.second_family, problem_.events[j + 1]);
    if (second != kImpossible) visit(i + 1, j + 2, cost + second);
  }

  const AlignmentProblem& problem_;
  size_t events_;
  size_t band_;
  size_t width_;
  std::vector<uint32_t> predicted_;  // events of the operators before each
  std::vector<uint32_t> forward_;
  std::vector<uint32_t> backward_;
};

}  // namespace

std::optional<std::vector<OperatorCandidate>> match_prediction(const AlignmentProblem& problem) {
  std::vector<OperatorCandidate> placed;
  placed.reserve(problem.events.size());
  for (uint32_t o = 0; o < problem.operators.size(); ++o) {
    const OperatorToAlign& op = problem.operators[o];
    const uint32_t count = op.predicted_events();
    if (count == 0) continue;
    if (op.event_cost != 0 || placed.size() + count > problem.events.size()) return std::nullopt;
    if (problem.costs.at(op.family, problem.events[placed.size()]) != 0) return std::nullopt;
    placed.push_back({o, false});
    if (count == 1) continue;
    if (problem.costs.at(op.second_family, problem.events[placed.size()]) != 0) return std::nullopt;
    placed.push_back({o, true});
  }
  if (placed.size() != problem.events.size()) return std::nullopt;
  return placed;
}

std::optional<OrderedAlignment> align_in_order(const AlignmentProblem& problem, uint32_t slack) {
  // The corner where everything is placed must lie inside even where many events are missing.
  size_t predicted = 0;
  for (const OperatorToAlign& op : problem.operators) predicted += op.predicted_events();
  const size_t events = problem.events.size();
  const size_t apart = predicted > events ? predicted - events : events - predicted;
  if (apart > kMaxCells) return std::nullopt;
  for (uint32_t extra = kFirstBand;; extra *= 2) {
    const uint32_t band = static_cast<uint32_t>(apart) + extra;
    if (Band::cells(problem, band) > kMaxCells) return std::nullopt;
    Band pass(problem, band);
    OrderedAlignment result;
    result.cost = pass.run();
    // Leaving the band takes as many deviations as it is wide, and each costs at least 1.
    result.is_complete = result.cost < kFar && result.cost + slack <= band;
    if (!result.is_complete && extra < kMaxBand) continue;
    if (result.cost >= kFar) return std::nullopt;
    result.best = pass.best();
    result.sets.resize(problem.events.size());
    pass.for_each_placement(result.cost + slack, [&](size_t event, OperatorCandidate candidate) {
      std::vector<OperatorCandidate>& set = result.sets[event];
      if (set.empty() || set.back() != candidate) set.push_back(candidate);
    });
    for (std::vector<OperatorCandidate>& set : result.sets) {
      std::sort(set.begin(), set.end());
      set.erase(std::unique(set.begin(), set.end()), set.end());
    }
    return result;
  }
}

}  // namespace etlens
