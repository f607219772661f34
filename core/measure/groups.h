// SPDX-License-Identifier: Apache-2.0
// Groups: executions of one block that did the same work. Models with dynamic shapes have several,
// like the prefill and the decoding of a language model.
//
// Evidence, the strongest first: the sizes of logged values; symbolic dimensions in the record
// together with times that only other sizes explain. (Executions that took another way through the
// program are other blocks.) Without either there is one group, which is none.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/join/join.h"
#include "core/measure/measure.h"

namespace etlens {

// The groups, that with the largest total first; empty if nothing tells executions apart. Names are
// unique: "decode" and "prefill" for a language model, else "group A", "group B", …
// `totals`: of every sample. Linear in contributions times samples.
std::vector<SampleGroup> find_groups(const Join& join, const Series& series,
                                     std::span<const Amount> totals);

// Takes the first `warmup` samples out of the groups, those of `totals`; none stays if fewer than two
// have a sample left.
void leave_out_first(std::vector<SampleGroup>& groups, std::span<const Amount> totals,
                     size_t warmup);

// By its name, by "B" for "group B", or by "slow" and "fast" where there are two. Null if there is
// none.
const SampleGroup* group_named(std::span<const SampleGroup> groups, std::string_view name);

}  // namespace etlens
