// SPDX-License-Identifier: Apache-2.0
// Why operators run on the CPU, as rules of their backend decide it from the record: of an export
// that has not run, and of the events of a dump.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/delegation/delegation.h"
#include "core/facts/facts.h"

namespace etlens {

// Null if a delegate runs it, if the whole export has one reason (it is not lowered, or has no
// delegate), or if nothing tells: of arithmetic on sizes of a dump, of what has no node, and where
// the dump and the record disagree about who runs it.
const DelegationReason* reason_of(const Facts& facts, ContributionId id);

struct OperatorReason {
  std::string op;  // without namespace and overload
  const DelegationReason* reason = nullptr;
  std::vector<ContributionId> contributions;
  Cost cost;  // of them
};

// Those of the contributions that have one, each operator and reason once, in their order.
std::vector<OperatorReason> reasons_of(const Facts& facts,
                                       std::span<const ContributionId> contributions);
// All of them but arithmetic on sizes, those that take the most time first, or before the first run
// those of the most operators.
std::vector<OperatorReason> all_reasons(const Facts& facts);

// The lines of the contributions, each once, in their order.
std::vector<LineId> distinct_lines(const Facts& facts,
                                   std::span<const ContributionId> contributions);

}  // namespace etlens
