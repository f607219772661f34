// SPDX-License-Identifier: Apache-2.0
// What a line does and what it calls, gathered: the same work in each of many layers is one row.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/facts/facts.h"

namespace etlens {

// Contributions of one operator and kernel, in modules that differ by numbers alone.
struct WorkFacts {
  std::string_view op;  // of the node; "" without one
  std::string name;     // of the kernel, without the number that tells equal ones apart
  std::string module;   // a path; "layers.*.attn" of several, "" of the root and of none
  bool has_module = false;
  std::string_view backend;  // its id; "" outside of delegate calls
  std::string where;         // its label
  Confidence confidence = Confidence::Exact;
  uint32_t candidates = 1;  // possible lines, if inferred
  double occurrences = 0;   // per sample
  std::vector<ContributionId> events;
  Cost cost;
};
// The most costly first.
std::vector<WorkFacts> work_of(const Facts& facts, std::span<const ContributionId> contributions);

// Delegate calls of one backend that ran, together.
struct CallsFacts {
  std::vector<PartitionId> calls;  // in instruction order
  Cost total;
  Cost opaque;
  Cost overhead;
};
// In the order of their first calls.
std::vector<CallsFacts> calls_of(const Facts& facts, std::span<const PartitionId> partitions);

// What a line calls: the lines of one function that its stacks go on to.
struct CalleeFacts {
  std::string_view function;
  std::vector<LineId> lines;  // the most costly first
  std::string module;         // what its modules have in common, as above
  std::vector<ContributionId> events;
  Cost cost;
};
// The most costly first. A single function is told by the modules inside it, where these differ.
std::vector<CalleeFacts> callees_of(const Facts& facts, const LineFacts& line);

}  // namespace etlens
