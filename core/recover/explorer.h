// SPDX-License-Identifier: Apache-2.0
// Explorer: runs one module call's source again and again, best first over what its runs leave
// open, and keeps the runs that explain all of the record's units.
#pragma once

#include <cstdint>
#include <memory>
#include <queue>
#include <unordered_set>
#include <vector>

#include "core/recover/interpreter/evaluator.h"

namespace etlens::recover {

struct Explanation {
  double cost = 0;
  std::vector<PlacedCall> placements;
  Value result = nullptr;  // what forward returned
};

class Explorer : public Choices {
 public:
  // All outlive this. `most_steps`: of all runs. `asks_result`: what forward returns is a question,
  // too.
  Explorer(PythonSources& sources, Caches& caches, const ModuleCallTask& task, size_t most_steps,
           bool asks_result)
      : sources_(sources),
        caches_(caches),
        task_(task),
        most_steps_(most_steps),
        asks_result_(asks_result) {}

  // Finds all explanations near the best. False if a limit was hit.
  bool explore();
  // The same for a call with too many of them: what differs from a good one at a single place, and
  // from what is found so. The same place is not asked twice, so that what is open here does not
  // multiply with what is open there. False if a limit was hit.
  bool explore_narrowly();

  std::vector<Explanation>& explanations() { return explanations_; }
  // Of the values in their arguments.
  std::vector<std::unique_ptr<Arena>> take_arenas() { return std::move(arenas_); }
  // What is dearer than this says nothing.
  double bound() const;
  // Where the run that came furthest could not go on, innermost last.
  const std::vector<Statement>& furthest() const { return furthest_; }
  // Of all runs so far.
  size_t runs() const { return runs_; }
  size_t steps() const { return steps_; }

  size_t choose(std::span<const double> costs) override;
  bool add_cost(double cost) override;

 private:
  static constexpr size_t kNoEnd = SIZE_MAX;
  // A choice taken, and the ones before it.
  struct Step {
    uint32_t before = kNone;
    uint32_t pick = 0;
  };
  struct Open {
    double cost = 0;
    uint32_t turns = 0;  // from the run that came furthest: those near it come first among equals
    size_t depth = 0;    // units used, then deeper ones
    uint32_t step = kNone;
    uint64_t number = 0;
    size_t end = kNoEnd;  // into ends_, of a run that had used all units
  };
  struct IsLater {
    bool operator()(const Open& a, const Open& b) const;
  };

  size_t step_limit() const;
  void begin_anew();
  bool go(bool only_first);
  void run_one(const Open& from);
  bool goes_on();
  bool asks();
  void open(double cost, uint32_t turns, uint32_t step);

  PythonSources& sources_;
  Caches& caches_;
  const ModuleCallTask& task_;
  const size_t most_steps_;
  const bool asks_result_;
  std::priority_queue<Open, std::vector<Open>, IsLater> open_;
  std::vector<Step> taken_;
  uint64_t number_ = 0;
  size_t runs_ = 0;
  size_t steps_ = 0;
  std::vector<Explanation> explanations_;
  std::vector<std::unique_ptr<Arena>> arenas_;
  // Where runs had used all units: what it costs to come to the end of forward from there; below 0
  // if none came. Whatever way it comes there, it says the same of the units.
  std::vector<double> ends_;
  double best_ = -1;
  size_t best_runs_ = 0;        // how many runs there were before the best one
  double best_doubt_ = 0;       // what it costs without trifles
  uint32_t best_step_ = kNone;  // the last choice of the best explanation
  std::vector<Statement> furthest_;
  size_t furthest_position_ = 0;
  size_t lead_ = 0;  // units used by the run that came furthest, whatever it cost
  bool is_narrow_ = false;
  bool waits_for_files_ = false;        // what a run finds may change with what it opens
  std::unordered_set<uint64_t> asked_;  // places and how often
  // of the current run
  Evaluator* run_ = nullptr;
  std::vector<size_t> replay_;
  size_t replayed_ = 0;
  uint32_t step_ = kNone;
  double cost_ = 0;
  double doubt_ = 0;  // the same without trifles
  double start_cost_ = 0;
  bool waits_ = false;
  uint32_t turns_ = 0;
  size_t end_ = kNoEnd;
  uint64_t last_place_ = 0;
  uint64_t asked_here_ = 0;
};

}  // namespace etlens::recover
