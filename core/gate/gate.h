// SPDX-License-Identifier: Apache-2.0
// The verdicts of a policy on a model: which budgets are kept, which are violated, by what, and
// which cannot be checked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/gate/evidence.h"
#include "core/gate/policy.h"

namespace etlens {

enum class GateStatus : uint8_t {
  Kept,
  Violated,
  NotChecked,  // something is missing, and the policy does not require the budget
};
// "kept", "violated", "not_checked".
std::string_view name_of(GateStatus status);

// One cause of a violation. What is filled in depends on the budget.
struct GateFinding {
  GatePlace place;
  std::string op;           // of operators on the CPU
  std::string backend;      // of a delegate call, its label
  uint64_t count = 0;       // operators of one kind on the line; the number of the call; bytes
  DelegationReason reason;  // of operators on the CPU
  std::optional<Judged> judged;
};

struct GateRow {
  BudgetRow budget;
  GateStatus status = GateStatus::Kept;
  std::string why_not;  // it could not be checked
  // In the budget's unit. Of Names how many operators are not allowed; of SlowerLines the greatest
  // change that has the verdict slower.
  std::optional<double> value;
  CountedOperators counted;  // of Delegated
  uint64_t undecided = 0;    // of SlowerLines: lines without a verdict
  std::vector<GateFinding> findings;

  bool is_checked() const { return value.has_value(); }
};

struct GateResult {
  std::string policy;  // its path
  std::vector<GateRow> rows;

  size_t count(GateStatus status) const;
  size_t checked() const;
};

GateResult check_policy(const Policy& policy, const Evidence& evidence);

// Whether the name or glob is that of the operator, as it is counted or as a target.
bool names_operator(std::string_view name, const CpuOperator& row);

// Fills in where the places are in the sources here.
void find_places(const FileSystem& files, const SourceSearch& search, GateResult& result);

}  // namespace etlens
