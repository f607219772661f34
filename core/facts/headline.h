// SPDX-License-Identifier: Apache-2.0
// The facts about the whole: what was measured, what it amounts to, where it went, and which of its
// executions are odd.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/facts/facts.h"
#include "core/facts/findings.h"
#include "core/facts/run_facts.h"

namespace etlens {

struct PartFacts {
  Part part = Part::Line;
  Cost cost;
  double rounding = 0;  // up to so much of it is what backends cut off their events; per sample
};

// The greatest excess over the typical in one sample.
struct Excess {
  uint32_t sample = 0;   // 0-based
  ContributionId event;  // invalid if there is none
  LineId line;           // of the event, if it has one
  double took = 0;       // the event, in that sample
  double typical = 0;    // and otherwise
};

struct OddSample {
  uint32_t sample = 0;  // 0-based
  double total = 0;
  Excess excess;
  bool is_one_event = false;  // the excess is most of what it took beyond the statistic
};

// Executions that did the same work, where others did another amount of it.
struct GroupFacts {
  std::string_view name;
  std::span<const uint32_t> samples;  // 0-based, ascending
  std::optional<int64_t> size;        // of the inputs' symbolic dimension, where the dump knows it
  // As a multiple of the group with the least work, about; of a language model whose decoding is
  // known, these are tokens. 1 for the least.
  double work = 1;
  bool is_tokens = false;
  // Of one execution, in all sequences of its batch; where they are known.
  std::optional<int64_t> tokens;
  std::optional<double> tokens_per_second;  // of the statistic; of clocks that count in time
  double typical = 0;                       // of the statistic, of one execution
  Reconciliation total;
  bool is_shown = false;
};

struct Headline {
  std::string_view method;  // "" without a record
  std::string_view block;
  size_t samples = 0;  // of the block
  std::vector<uint32_t> used;
  std::string used_text;  // "1-25,30", 1-based, or "all"
  Statistic statistic = Statistic::Typical;
  bool is_raw = false;
  Cost total;                    // of the statistic: the sum of all parts
  double mean = 0;               // of the samples as they were
  double disturbance = 0;        // mean - total.value
  double disturbance_share = 0;  // of the mean
  std::vector<PartFacts> parts;  // that are not zero; Line always
  double loading = 0;            // beside the total
  ColdStart cold;                // likewise; without loads if none was logged
  double on_lines = 0;           // shares of the total
  double in_modules = 0;
  double delegated = 0;
  Cost in_delegates;                  // the same as a cost
  Excess worst;                       // of all samples used
  std::vector<OddSample> odd;         // in order
  std::vector<double> totals;         // of every sample
  std::vector<GroupFacts> groups;     // the largest total first; empty without any
  bool clock_stands = false;          // nothing was timed: see Facts::clock_stands
  bool is_noisy = false;              // the disturbance is more than a third of the mean
  std::vector<uint32_t> noisy;        // samples that most of it is of; empty if it is spread
  std::vector<SilentBackend> silent;  // backends that report no operators
  std::optional<RunFacts> run;        // of a measure of events, if a file about the run is there
};

Headline headline(const Facts& facts);

// Ticks of one execution that a delegate call's overhead may owe to its backend's clock, which cuts
// the durations of events to whole steps.
double rounding_of(const Facts& facts, PartitionId partition);

// The sentence about executions that cannot be chosen (as TimeOptions names them); nullopt if they
// can.
std::optional<Error> check_executions(const Facts& facts, std::string_view choice);
// The same of a group; "" is the one with the largest total.
std::optional<Error> check_group(const Facts& facts, std::string_view name);

}  // namespace etlens
