// SPDX-License-Identifier: Apache-2.0
// Where something that was measured belongs: to a node, and through it to a line.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/code/method_context.h"

namespace etlens {

// How sure a link from time to source is; the weakest word counts for a sum.
enum class Confidence : uint8_t {
  Exact,      // the artifacts say so (debug handle map, delegate map)
  Aligned,    // ordered alignment with one possible placement
  Recovered,  // a line that the export lost, found by running the source against the record
  Inferred,   // more than one possible placement, or rules that cannot be certain
  Partition,  // known only for a whole delegate call
};
std::string_view name_of(Confidence confidence);

struct NodePlacement {
  NodeId node;    // the dominating one; invalid if nothing is known
  FrameId frame;  // the line that carries the time; invalid if the node has no usable stack trace
  Confidence confidence = Confidence::Exact;
  uint32_t candidates = 1;    // possible lines, if Inferred
  std::vector<NodeId> fused;  // further nodes whose work this is
  // It moves or converts data for `node`, which the exporter or a library added.
  bool is_layout = false;
};

// The placement of what ran all of `nodes`: on the line of the dominating one (by
// rank_of_operator, ties by graph order). With `is_certain` false and nodes on several lines it is
// Inferred.
NodePlacement place_on_dominating(const MethodContext& context, std::span<const NodeId> nodes,
                                  bool is_certain);

}  // namespace etlens
