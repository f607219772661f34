// SPDX-License-Identifier: Apache-2.0
// What is inside a delegate call and what is around it: where each of its nodes went, how sure its
// time is, and which operators next to it were left to the CPU. PartitionRow has the sums.
#pragma once

#include <array>
#include <vector>

#include "core/join/profile.h"

namespace etlens {

enum class NodeFate : uint8_t {
  Placed,       // an event of its own
  Fused,        // another node's event has its work
  NotReported,  // no event tells of it: folded away by the backend, or not known whose event it is
};
// "placed", "fused", "not reported".
std::string_view name_of(NodeFate fate);

struct PartitionNode {
  NodeId node;
  NodeFate fate = NodeFate::NotReported;
  EventId
      event;  // the most costly of its own, or of those it was fused into; invalid if not reported
};

// What stands next to a delegate call in the data flow: a node, or another delegate call.
struct Neighbour {
  NodeId node;            // invalid if it is a delegate call
  PartitionId partition;  // invalid if it is a node
  friend auto operator<=>(const Neighbour&, const Neighbour&) = default;
};

struct PartitionDetail {
  std::array<uint64_t, 3> line_ticks{};  // on lines, by Confidence: exact, aligned, inferred
  uint64_t layout_ticks = 0;             // of these: moving and converting data for an operator
  uint64_t unlined_ticks = 0;            // of a known node without a line
  std::vector<PartitionNode> nodes;      // in graph order
  std::vector<Neighbour> fed_by;         // whose results the call reads
  std::vector<Neighbour> read_by;        // that read its results

  uint64_t lined_ticks() const { return line_ticks[0] + line_ticks[1] + line_ticks[2]; }
};

// One per Profile::partitions.
std::vector<PartitionDetail> partition_details(const Profile& profile);

// How much of the line's self time was spent in delegate calls.
uint64_t delegated_ticks(const Profile& profile, LineId line);

}  // namespace etlens
