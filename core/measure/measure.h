// SPDX-License-Identifier: Apache-2.0
// Measure: amounts of one quantity on the places of a Code, and the only code that sums. Built once
// from landings and a series; everything that is shown is read from here by core/facts.
//
//   parts (lines, opaque calls, …) + disturbance = total        exactly, in integers
//
// Amounts are sums over the samples used, of the statistic: `shown` divides. What the samples had
// beyond the statistic is their disturbance; below 0 for statistics above the mean.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/code/landing.h"
#include "core/measure/quantity.h"
#include "core/measure/series.h"
#include "core/measure/statistic.h"

namespace etlens {

struct Reconciliation {
  std::array<Amount, kParts> parts;  // of the statistic
  Amount disturbance;
  Amount total;  // of the samples, as they were

  Amount& operator[](Part part) { return parts[static_cast<size_t>(part)]; }
  Amount operator[](Part part) const { return parts[static_cast<size_t>(part)]; }
  Amount typical() const;  // sum of the parts
};

struct Total {
  Amount amount;
  Amount disturbance;

  Total& operator+=(const Total& other) {
    amount += other.amount;
    disturbance += other.disturbance;
    return *this;
  }
};

struct LineTotal {
  Total self;
  Total inclusive;
  uint64_t occurrences = 0;  // of what has its self amount here, over the samples used
};

struct ModuleTotal {
  Total self;
  Total inclusive;
  Amount delegated;  // of the inclusive amount: inside delegate calls
};

struct PartitionTotal {
  Total total;
  Amount explained;  // on lines, or of a known node without a line
  Amount opaque;
  Amount overhead;
};

// What some samples amount to.
struct Sums {
  std::vector<Total> self;                 // one per contribution
  std::vector<Amount> inclusive;           // of each contribution, with what it contains
  std::vector<uint64_t> occurrences;       // of each contribution, over the samples
  std::vector<LineTotal> lines;            // one per Code::lines
  std::vector<ModuleTotal> modules;        // one per Code::modules
  std::vector<PartitionTotal> partitions;  // one per Code::partitions
  Reconciliation total;
  Amount in_modules;  // of leaves whose module is known
  Amount delegated;   // inside delegate calls

  // Of the sum of all parts.
  double share(Amount amount) const;
};

// Samples that did the same work, where others did another amount of it (core/measure/groups.h).
struct SampleGroup {
  std::string name;               // "decode", "group A"; unique
  std::vector<uint32_t> samples;  // ascending
  std::optional<int64_t> size;    // the inputs' symbolic dimension, where the dump knows it
  double work = 0;                // as a multiple of that of the group with the least, about
  std::optional<int64_t> tokens;  // of one sample, where they are known
  Amount total;                   // of its samples, as they were
  Sums sums;
};

// What the samples are, and which of them are used.
struct Samples {
  std::vector<Amount> totals;       // of every sample
  std::vector<uint32_t> used;       // ascending
  std::vector<uint32_t> odd;        // of those used: far from the others
  std::vector<SampleGroup> groups;  // the largest total first; empty if all do the same
};

// What a contribution is, where it is no event of the join (whose landings such a measure shares).
struct ContributionLabel {
  std::string name;
  std::string remark;  // what else there is to say of it; may be ""
};

// Of one contribution by another.
struct Call {
  ContributionId caller;
  ContributionId callee;
  Amount inclusive;    // what the callee and what it called cost in these calls
  uint64_t times = 0;  // over the samples used
};

// `Sums` are of the samples used.
struct Measure : Sums {
  Quantity quantity;
  std::shared_ptr<const Landings> landings;
  Series series;  // of every sample
  Samples samples;
  Statistic statistic = Statistic::Typical;
  std::vector<int64_t> slack;             // of summarize, per contribution
  bool is_raw = false;                    // amounts are as they were logged
  std::vector<ContributionLabel> labels;  // one per contribution; empty if they are events
  // Level of the quantity at each contribution, e.g. SNR in dB for `error`; NaN where it is
  // unknown. Empty for quantities that only add up.
  std::vector<double> levels;
  // By callee, ascending. If not empty, inclusive amounts come from the profiler and are not sums
  // of rows here.
  std::vector<Call> calls;
  std::vector<double> unsure;  // per contribution, of one sample: what the coarseness of a clock
                               // leaves open on either side; empty for exact clocks

  size_t sample_count() const { return samples.used.size(); }
  double shown(Amount amount) const { return quantity.shown(amount, sample_count()); }
  // The amounts of the contributions in each sample used, added up.
  std::vector<int64_t> values_of(std::span<const ContributionId> contributions) const;
};

// Of distinct contributions.
struct Sum {
  Total total;
  Amount delegated;  // of the total: inside delegate calls
  uint64_t occurrences = 0;
  Confidence confidence = Confidence::Exact;  // the weakest
};
Sum sum_of(const Measure& measure, std::span<const ContributionId> contributions);

// Fills self and all totals from quantity, landings, series, samples, statistic, slack and
// occurrences. `parents`: of each contribution the one that contains it; may be empty.
void sum_up(Measure& measure, std::span<const ContributionId> parents);
// What some samples of the measure amount to. `occurrences`: of each contribution in them.
Sums sums_of(const Measure& measure, std::span<const uint32_t> samples,
             std::vector<uint64_t> occurrences, std::span<const ContributionId> parents);

// Of what is there once: one sample, whose amounts (one per contribution, none below 0) are shown
// as they are.
Measure measure_once(Quantity quantity, std::shared_ptr<const Landings> landings,
                     std::span<const int64_t> amounts);

}  // namespace etlens
