// SPDX-License-Identifier: Apache-2.0
// What the JSON reports of one study have in common: their head, times, and the fields of events,
// lines and delegate calls. The caller keeps the grammar, as with JsonWriter.
#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>

#include "core/base/json_writer.h"
#include "core/facts/facts.h"
#include "core/facts/headline.h"
#include "core/render/json_parts.h"

namespace etlens {

using BackendIds = std::set<std::string_view>;

class ReportWriter {
 public:
  // `target`: the unit of times. The facts must outlive the writer.
  ReportWriter(const Facts& facts, TimeScale target);

  JsonWriter& json() { return json_; }
  const Headline& headline() const { return headline_; }

  // Opens the report: what was measured, of which executions, and what it amounts to.
  void head(std::string_view schema);
  // All parts and the disturbance; they add up to `total_ticks`.
  void reconciliation();

  // Ticks of one execution, in the target unit.
  JsonWriter& time(std::string_view name, double ticks);
  // `name`, and `name`_ticks summed over the executions used.
  JsonWriter& cost(std::string_view name, const Cost& cost);
  // low and high of the contributions' self time: its 95 % interval, null without one.
  void interval(std::span<const ContributionId> contributions);
  // null for "".
  void nullable(std::string_view name, std::string_view text) { write_nullable(json_, name, text); }

  // [path, line], or null.
  void place(LineId line) { write_place(json_, facts_.code(), line); }
  void partition_numbers(std::span<const PartitionId> partitions);
  void backends(std::string_view name, const BackendIds& backends);
  BackendIds backends_of(std::span<const PartitionId> partitions) const;

  // Fields of an object that is open.
  void op(ContributionId id);
  void instruction(const EventFacts& event);
  void handles(const EventFacts& event);
  void partition(const PartitionFacts& partition);

 private:
  void op(const ContributionFacts& event, std::string_view name);
  void other_blocks();
  void cold_start();

  const Facts& facts_;
  Headline headline_;
  double factor_;  // of the quantity's unit in one of the target's
  TimeScale target_;
  JsonWriter json_;
};

// Of a whole that is nothing, 0.
double fraction_of(Amount part, Amount whole);

}  // namespace etlens
