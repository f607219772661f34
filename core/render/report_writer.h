// SPDX-License-Identifier: Apache-2.0
// What the JSON reports of one study have in common (core/view), for those that are written field by
// field. The caller keeps the grammar, as with JsonWriter.
#pragma once

#include <span>
#include <string_view>

#include "core/facts/facts.h"
#include "core/facts/headline.h"
#include "core/render/json_parts.h"
#include "core/view/place_view.h"

namespace etlens {

// The sentences of the head are those for people.
HeadView head_view(const Facts& facts, const Headline& headline, const Scale& scale);
ReportView report_view(const Facts& facts, const Headline& headline, const Scale& scale);

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

  // `name`, and `name`_ticks summed over the executions used.
  JsonWriter& cost(std::string_view name, const Cost& cost);
  // null for "".
  void nullable(std::string_view name, std::string_view text) { write_nullable(json_, name, text); }

  // [path, line], or null.
  void place(LineId line) { write_place(json_, facts_.code(), line); }
  void partition_numbers(std::span<const PartitionId> partitions);

 private:
  const Facts& facts_;
  Headline headline_;
  Scale scale_;
  JsonWriter json_;
};

}  // namespace etlens
