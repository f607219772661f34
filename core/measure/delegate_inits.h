// SPDX-License-Identifier: Apache-2.0
// DelegateInits: what it took to set delegates up, as far as they log it inside Method::init. Such
// events name no instruction. Whose they are is told by order alone: the runtime sets delegates up
// one after the other, in the order of the plan, and every delegate of a backend logs the same
// steps. Where that leaves anything open, nothing is said of single calls.
#pragma once

#include <optional>
#include <vector>

#include "core/formats/pte/program.h"
#include "core/join/join.h"
#include "core/measure/amount.h"

namespace etlens {

struct DelegateInits {
  Amount total;  // of all methods that were loaded
  // One per Code::partitions; empty if it is known of none. Calls of one delegate share what it
  // took.
  std::vector<std::optional<Amount>> of_call;
};

// `program`: the method that ran; null leaves the record, whose calls are one delegate each.
DelegateInits delegate_inits(const Join& join, const ProgramMethod* program);

}  // namespace etlens
