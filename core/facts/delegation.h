// SPDX-License-Identifier: Apache-2.0
// What is inside a delegate call and what is around it: where each of its nodes went, how sure its
// time is, and which operators next to it were left to the CPU. PartitionFacts has the sums.
#pragma once

#include <array>
#include <vector>

#include "core/facts/facts.h"

namespace etlens {

enum class NodeFate : uint8_t {
  Placed,       // an event of its own
  Fused,        // another node's event has its work
  NotRun,       // the export has not run yet
  NotReported,  // no event tells of it: folded away by the backend, or not known whose event it is
};
// "placed", "fused", "not run", "not reported".
std::string_view name_of(NodeFate fate);

struct PartitionNode {
  NodeId node;
  NodeFate fate = NodeFate::NotReported;
  ContributionId event;  // the most costly of its own, or of those it was fused into; else invalid
};

// What stands next to a delegate call in the data flow: a node, or another delegate call.
struct Neighbour {
  NodeId node;            // invalid if it is a delegate call
  PartitionId partition;  // invalid if it is a node
  friend auto operator<=>(const Neighbour&, const Neighbour&) = default;
};

struct PartitionDetail {
  std::array<Amount, 4> on_lines{};  // by Confidence: exact, aligned, recovered, inferred
  Amount layout;                     // of these: moving and converting data for an operator
  Amount without_line;               // of a known node
  std::vector<PartitionNode> nodes;  // in graph order
  std::vector<Neighbour> fed_by;     // whose results the call reads
  std::vector<Neighbour> read_by;    // that read its results
};

// One per Code::partitions.
std::vector<PartitionDetail> partition_details(const Facts& facts);

// One per Code::modules: the delegate calls that have some of its cost. Ascending.
std::vector<std::vector<PartitionId>> partitions_of_modules(const Facts& facts);

}  // namespace etlens
