// SPDX-License-Identifier: Apache-2.0
// Facts of an export that has not run: how many of its operators a delegate runs, why not the rest,
// and what the file and memory need. Of the measure of operators (Facts::has_operators).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "core/delegation/delegation.h"
#include "core/facts/facts.h"

namespace etlens {

struct OperatorCount {
  int64_t all = 0;
  int64_t delegated = 0;

  int64_t on_cpu() const { return all - delegated; }
};

// Of operators that have these amounts.
inline OperatorCount operator_count(const Cost& all, Amount delegated) {
  return {all.amount.value, delegated.value};
}
// Of the line's own, or of those that it calls, too.
OperatorCount operators_of(const Facts& facts, const LineFacts& line, bool is_inclusive);

// NotLowered without a record.
Lowering lowering_of(const Study& study);

// Bytes of the program's constants that are for the line, or also for what it calls. nullopt
// without a program, and for none.
std::optional<double> file_bytes_of(const Facts& facts, LineId line, bool is_inclusive);

struct ExportSummary {
  std::string_view method;
  bool has_record = false;
  Lowering lowering = Lowering::NotLowered;
  OperatorCount operators;     // none without a record
  size_t delegate_calls = 0;   // of the record, else of the program
  std::optional<double> peak;  // bytes of planned memory; nullopt without a program
};
ExportSummary export_summary(const Study& study);

}  // namespace etlens
