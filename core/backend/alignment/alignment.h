// SPDX-License-Identifier: Apache-2.0
// Ties the events that a backend reported to the operators that it had been given, where the two
// come without common ids. Knows no backend: what an operator may be called and whether it reports
// at all is in the problem as costs, which a backend makes from tables of its own.
//
// Two levels of cost: a deviation (1 and a little more) is something a library may do otherwise
// than predicted; a violation (100) is something that the prediction has no explanation for. Cost 0
// means that names and number of events are exactly as predicted.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/base/id.h"

namespace etlens {

inline constexpr uint8_t kDeviation = 1;
inline constexpr uint8_t kViolation = 100;
inline constexpr uint8_t kImpossible = 255;

// An operator reports no event, one, or one and a second behind it.
struct OperatorToAlign {
  uint32_t family = 0;             // how it may be called: a row of NameCosts
  uint32_t second_family = kNone;  // of its second event; kNone if it has only one
  uint8_t fold_cost = kViolation;  // of reporting nothing; 0 if that is predicted
  uint8_t event_cost = 0;          // of reporting although the opposite is predicted

  bool must_report() const { return fold_cost >= kViolation; }
  uint32_t predicted_events() const { return fold_cost == 0 ? 0 : second_family == kNone ? 1 : 2; }
};

// What it costs to call an operator of a family by a name: kImpossible, or below.
class NameCosts {
 public:
  NameCosts() = default;
  NameCosts(size_t families, size_t names)
      : families_(families), names_(names), costs_(families * names, kImpossible) {}

  uint8_t& at(size_t family, size_t name) { return costs_[family * names_ + name]; }
  uint8_t at(size_t family, size_t name) const { return costs_[family * names_ + name]; }
  size_t families() const { return families_; }
  size_t names() const { return names_; }

 private:
  size_t families_ = 0;
  size_t names_ = 0;
  std::vector<uint8_t> costs_;
};

struct AlignmentProblem {
  std::vector<OperatorToAlign> operators;  // in the order in which they are expected to run
  std::vector<uint32_t> events;            // names, in the order in which they were reported
  std::vector<bool> doubted;               // per event: its position means nothing; may be empty
  std::vector<bool> is_wild;               // per name: it may be any operator's; may be empty
  NameCosts costs;
  uint32_t insertion_cost = kViolation;  // of an event that is no operator's
  // The operators that must have run before operator o: sources[first_source[o] ..
  // first_source[o+1]).
  std::vector<uint32_t> first_source;
  std::vector<uint32_t> sources;

  std::span<const uint32_t> sources_of(size_t op) const {
    return std::span(sources).subspan(first_source[op], first_source[op + 1] - first_source[op]);
  }
};

// Whose an event may be. A set that a rule gives up on is empty.
struct OperatorCandidate {
  uint32_t op = kNone;     // kNone: no operator's
  bool is_second = false;  // its second event
  friend auto operator<=>(const OperatorCandidate&, const OperatorCandidate&) = default;
};
using CandidateSets = std::vector<std::vector<OperatorCandidate>>;

// The operator of every event if names and numbers are exactly as predicted; then there is no other
// way to place them in this order. Linear.
std::optional<std::vector<OperatorCandidate>> match_prediction(const AlignmentProblem& problem);

struct OrderedAlignment {
  uint32_t cost = 0;                    // of the best alignment
  std::vector<OperatorCandidate> best;  // per event, one of the best alignments
  CandidateSets sets;        // per event, over all alignments that cost at most `slack` more
  bool is_complete = false;  // false: the band was too narrow to be sure of cost and sets
};

// Aligns by order with dynamic programming, forward and backward, in a band around the prediction
// that widens until the optimum is certain to lie inside (at most by kMaxBand). nullopt if the
// problem is too large (kMaxCells) or nothing fits at all.
std::optional<OrderedAlignment> align_in_order(const AlignmentProblem& problem, uint32_t slack);
inline constexpr uint32_t kMaxBand = 64;
inline constexpr size_t kMaxCells = 8u << 20;

// What data flow alone says: no operator runs before its sources. Operators and events are compared
// in classes that share names, and only in classes where every operator must report and as many
// events were reported; events of other classes get empty sets. All sets are empty if the events
// contradict the data flow, or for more than kMaxFlowOperators.
//
// Where the events are the predicted ones in an order that the prediction cannot explain
// (`is_order_explained` false), nothing is left to tell events of one class apart: then only
// classes of a single event get sets.
CandidateSets align_by_data_flow(const AlignmentProblem& problem, bool is_order_explained);
inline constexpr size_t kMaxFlowOperators = 8192;

}  // namespace etlens
