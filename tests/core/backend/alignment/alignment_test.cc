// SPDX-License-Identifier: Apache-2.0
// The generic alignment against brute force on small random problems.
#include "core/backend/alignment/alignment.h"

#include <algorithm>
#include <functional>
#include <random>
#include <set>

#include <catch2/catch.hpp>

namespace etlens::alignment_test {

namespace {

constexpr uint32_t kSlack = 2;

struct Random {
  explicit Random(uint32_t seed) : engine(seed) {}
  uint32_t below(uint32_t n) { return static_cast<uint32_t>(engine() % n); }
  std::mt19937 engine;
};

AlignmentProblem random_problem(Random& random, uint32_t operators, uint32_t names) {
  AlignmentProblem problem;
  const uint32_t families = names + 1;
  problem.costs = NameCosts(families, names);
  for (uint32_t f = 0; f < families; ++f) {
    problem.costs.at(f, f % names) = 0;
    if (random.below(3) == 0)
      problem.costs.at(f, random.below(names)) = static_cast<uint8_t>(random.below(3));
  }
  problem.first_source.push_back(0);
  for (uint32_t o = 0; o < operators; ++o) {
    OperatorToAlign op;
    op.family = random.below(families);
    const uint32_t fate = random.below(8);
    if (fate == 0) op.fold_cost = 0, op.event_cost = kDeviation;
    if (fate == 1) op.fold_cost = static_cast<uint8_t>(1 + random.below(3));
    if (fate == 2) op.second_family = random.below(families);
    problem.operators.push_back(op);
    for (uint32_t s = 0; s < o; ++s) {
      if (random.below(operators) < 2) problem.sources.push_back(s);
    }
    problem.first_source.push_back(static_cast<uint32_t>(problem.sources.size()));
  }
  return problem;
}

// A name that costs the family nothing.
uint32_t own_name(const AlignmentProblem& problem, uint32_t family) {
  for (uint32_t n = 0; n < problem.costs.names(); ++n) {
    if (problem.costs.at(family, n) == 0) return n;
  }
  return 0;
}

// Events as predicted, then changed a little.
void fill_events(AlignmentProblem& problem, Random& random, uint32_t changes) {
  for (const OperatorToAlign& op : problem.operators) {
    if (op.predicted_events() == 0) continue;
    problem.events.push_back(own_name(problem, op.family));
    if (op.predicted_events() == 2) problem.events.push_back(own_name(problem, op.second_family));
  }
  const auto names = static_cast<uint32_t>(problem.costs.names());
  for (uint32_t c = 0; c < changes && !problem.events.empty(); ++c) {
    const uint32_t at = random.below(static_cast<uint32_t>(problem.events.size()));
    switch (random.below(3)) {
      case 0:
        problem.events.erase(problem.events.begin() + at);
        break;
      case 1:
        problem.events.insert(problem.events.begin() + at, random.below(names));
        break;
      default:
        problem.events[at] = random.below(names);
        break;
    }
  }
}

// Every alignment, one by one.
class BruteForce {
 public:
  explicit BruteForce(const AlignmentProblem& problem)
      : problem_(problem), path_(problem.events.size()) {}

  uint32_t best() {
    best_ = UINT32_MAX;
    walk(0, 0, 0, [&](uint32_t cost) { best_ = std::min(best_, cost); });
    return best_;
  }

  std::vector<std::set<OperatorCandidate>> sets(uint32_t limit) {
    std::vector<std::set<OperatorCandidate>> found(problem_.events.size());
    limit_ = limit;
    walk(0, 0, 0, [&](uint32_t) {
      for (size_t e = 0; e < path_.size(); ++e) found[e].insert(path_[e]);
    });
    limit_ = UINT32_MAX;
    return found;
  }

 private:
  void walk(size_t i, size_t j, uint32_t cost, const std::function<void(uint32_t)>& end) {
    if (cost > limit_ || cost > 400) return;
    if (i == problem_.operators.size() && j == problem_.events.size()) return end(cost);
    if (j < problem_.events.size()) {
      path_[j] = {};
      walk(i, j + 1, cost + problem_.insertion_cost, end);
    }
    if (i == problem_.operators.size()) return;
    const OperatorToAlign& op = problem_.operators[i];
    walk(i + 1, j, cost + op.fold_cost, end);
    if (j == problem_.events.size()) return;
    const uint8_t name = problem_.costs.at(op.family, problem_.events[j]);
    if (name == kImpossible) return;
    const bool has_second = op.second_family != kNone;
    path_[j] = {static_cast<uint32_t>(i), false};
    walk(i + 1, j + 1, cost + name + op.event_cost + (has_second ? kDeviation : 0), end);
    if (!has_second || j + 1 == problem_.events.size()) return;
    const uint8_t second = problem_.costs.at(op.second_family, problem_.events[j + 1]);
    if (second == kImpossible) return;
    path_[j] = {static_cast<uint32_t>(i), false};
    path_[j + 1] = {static_cast<uint32_t>(i), true};
    walk(i + 1, j + 2, cost + name + op.event_cost + second, end);
  }

  const AlignmentProblem& problem_;
  std::vector<OperatorCandidate> path_;
  uint32_t best_ = 0;
  uint32_t limit_ = UINT32_MAX;
};

uint32_t cost_of(const AlignmentProblem& problem, const std::vector<OperatorCandidate>& placed) {
  std::vector<uint32_t> main(problem.operators.size(), kNone);
  std::vector<uint32_t> second(problem.operators.size(), kNone);
  uint32_t cost = 0;
  for (uint32_t e = 0; e < placed.size(); ++e) {
    if (placed[e].op == kNone) cost += problem.insertion_cost;
    else (placed[e].is_second ? second : main)[placed[e].op] = e;
  }
  for (size_t o = 0; o < problem.operators.size(); ++o) {
    const OperatorToAlign& op = problem.operators[o];
    if (main[o] == kNone) {
      cost += op.fold_cost;
      continue;
    }
    cost += problem.costs.at(op.family, problem.events[main[o]]) + op.event_cost;
    if (op.second_family == kNone) continue;
    cost += second[o] == kNone ? kDeviation
                               : problem.costs.at(op.second_family, problem.events[second[o]]);
  }
  return cost;
}

}  // namespace

TEST_CASE("alignment: cost and sets are those of brute force", "[alignment]") {
  Random random(7);
  size_t deviating = 0;
  for (int round = 0; round < 1500; ++round) {
    AlignmentProblem problem = random_problem(random, 1 + random.below(5), 1 + random.below(3));
    fill_events(problem, random, random.below(3));
    CAPTURE(round, problem.operators.size(), problem.events.size());
    BruteForce brute(problem);
    const uint32_t best = brute.best();
    const auto aligned = align_in_order(problem, kSlack);
    if (best == UINT32_MAX) continue;
    REQUIRE(aligned);
    REQUIRE(aligned->cost == best);
    REQUIRE(cost_of(problem, aligned->best) == best);
    deviating += best > 0;
    if (!aligned->is_complete) continue;
    const std::vector<std::set<OperatorCandidate>> sets = brute.sets(best + kSlack);
    for (size_t e = 0; e < sets.size(); ++e) {
      REQUIRE(std::set<OperatorCandidate>(aligned->sets[e].begin(), aligned->sets[e].end()) ==
              sets[e]);
    }
    const auto predicted = match_prediction(problem);
    REQUIRE(predicted.has_value() == (best == 0));
    if (predicted) REQUIRE(cost_of(problem, *predicted) == 0);
  }
  CHECK(deviating > 500);
}

TEST_CASE("alignment: data flow never leaves out an order that is possible", "[alignment]") {
  Random random(11);
  size_t certain = 0;
  for (int round = 0; round < 1500; ++round) {
    AlignmentProblem problem = random_problem(random, 2 + random.below(5), 1 + random.below(3));
    for (OperatorToAlign& op : problem.operators) op = {op.family, kNone, kViolation, 0};
    // Each name is one family's, so that a class is a family.
    const auto names = static_cast<uint32_t>(problem.costs.names());
    problem.costs = NameCosts(problem.costs.families(), names);
    for (uint32_t f = 0; f < problem.costs.families(); ++f) problem.costs.at(f, f % names) = 0;

    // Some order of execution that the data flow allows.
    std::vector<uint32_t> order;
    std::vector<bool> done(problem.operators.size(), false);
    while (order.size() < done.size()) {
      std::vector<uint32_t> ready;
      for (uint32_t o = 0; o < done.size(); ++o) {
        const auto sources = problem.sources_of(o);
        if (!done[o] &&
            std::all_of(sources.begin(), sources.end(), [&](uint32_t s) { return done[s]; })) {
          ready.push_back(o);
        }
      }
      order.push_back(ready[random.below(static_cast<uint32_t>(ready.size()))]);
      done[order.back()] = true;
    }
    for (const uint32_t o : order)
      problem.events.push_back(own_name(problem, problem.operators[o].family));

    // Every order that looks the same.
    std::vector<std::set<uint32_t>> possible(order.size());
    std::vector<uint32_t> all(order.size());
    for (uint32_t o = 0; o < all.size(); ++o) all[o] = o;
    do {
      std::vector<size_t> place(all.size());
      bool fits = true;
      for (size_t e = 0; e < all.size() && fits; ++e) {
        place[all[e]] = e;
        fits = own_name(problem, problem.operators[all[e]].family) == problem.events[e];
        for (const uint32_t s : problem.sources_of(all[e])) {
          fits &= std::find(all.begin(), all.begin() + static_cast<ptrdiff_t>(e), s) !=
                  all.begin() + static_cast<ptrdiff_t>(e);
        }
      }
      if (!fits) continue;
      for (size_t e = 0; e < all.size(); ++e) possible[e].insert(all[e]);
    } while (std::next_permutation(all.begin(), all.end()));

    const CandidateSets sets = align_by_data_flow(problem, true);
    CAPTURE(round);
    for (size_t e = 0; e < order.size(); ++e) {
      std::set<uint32_t> found;
      for (const OperatorCandidate& candidate : sets[e]) found.insert(candidate.op);
      REQUIRE(std::includes(found.begin(), found.end(), possible[e].begin(), possible[e].end()));
      certain += found.size() == 1;
    }
  }
  CHECK(certain > 1000);
}

TEST_CASE("alignment: classes that are not balanced say nothing", "[alignment]") {
  AlignmentProblem problem;
  problem.costs = NameCosts(2, 2);
  problem.costs.at(0, 0) = 0;
  problem.costs.at(1, 1) = 0;
  problem.operators = {
      {0, kNone, kViolation, 0}, {1, kNone, kViolation, 0}, {0, kNone, kViolation, 0}};
  problem.first_source = {0, 0, 1, 2};
  problem.sources = {0, 1};
  problem.events = {0, 1};  // one of family 0 is missing
  CandidateSets sets = align_by_data_flow(problem, true);
  CHECK(sets[0].empty());
  CHECK(sets[1] == std::vector<OperatorCandidate>{{1, false}});

  problem.events = {0, 1, 0};
  sets = align_by_data_flow(problem, true);
  CHECK(sets[0] == std::vector<OperatorCandidate>{{0, false}});
  CHECK(sets[2] == std::vector<OperatorCandidate>{{2, false}});
  problem.doubted = {true, false, true};
  CHECK(align_by_data_flow(problem, true)[0].empty());
  CHECK_FALSE(align_by_data_flow(problem, true)[1].empty());
  problem.doubted.clear();

  // All the predicted names in an order that nothing explains: only single ones are safe.
  problem.events = {0, 0, 1};
  sets = align_by_data_flow(problem, false);
  CHECK(sets[0].empty());
  CHECK(sets[2] == std::vector<OperatorCandidate>{{1, false}});

  // Against the data flow, every explanation is gone.
  problem.events = {1, 0, 0};
  for (const std::vector<OperatorCandidate>& set : align_by_data_flow(problem, true))
    CHECK(set.empty());
}

TEST_CASE("alignment: problems that are too large are refused", "[alignment]") {
  AlignmentProblem problem;
  problem.costs = NameCosts(1, 1);
  problem.costs.at(0, 0) = 0;
  problem.operators.resize(2'000'000);
  problem.first_source.resize(problem.operators.size() + 1, 0);
  problem.events.assign(problem.operators.size() - 1, 0);
  CHECK_FALSE(align_in_order(problem, kSlack));
  const auto sets = align_by_data_flow(problem, true);
  CHECK(std::all_of(sets.begin(), sets.end(), [](const auto& set) { return set.empty(); }));
}

}  // namespace etlens::alignment_test
