// SPDX-License-Identifier: Apache-2.0
// Landings: where each contribution goes in a Code. A contribution is a row of something measured:
// an event of a dump, a tensor of a memory plan. Amounts are elsewhere (core/measure/).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "core/code/code.h"
#include "core/code/node_placement.h"

namespace etlens {

using ContributionId = Id<struct ContributionTag>;

// The parts that everything measured falls into. Every amount is in exactly one.
enum class Part : uint8_t {
  Line,              // on a source line
  OpaquePartition,   // inside a delegate call, explained by no operator event
  DelegateOverhead,  // inside a delegate call, not measured by the delegate
  Dispatch,          // the runtime around a kernel; jumps and moves
  Framework,         // of the runtime, outside instructions
  Sizes,             // arithmetic on symbolic sizes that no line owns
  Unattributed,      // of an operator whose nodes have no usable stack trace
  kCount,
};
inline constexpr size_t kParts = static_cast<size_t>(Part::kCount);

// "line", "opaque_partition", "delegate_overhead", "dispatch_overhead", "framework", "sizes",
// "unattributed".
std::string_view name_of(Part part);

struct Landing {
  Part part = Part::Framework;
  Confidence confidence = Confidence::Exact;
  bool is_layout = false;    // moves or converts data for `node`: no operator of the user's
  uint32_t candidates = 1;   // possible lines, if inferred
  NodeId node;               // that carries it; invalid if none is known
  LineId line;               // if part is Line
  PlaceId place;             // of the node; invalid without one
  ModuleId module;           // the deepest that owns it; invalid for overheads
  PartitionId partition;     // of a delegate call and what is inside it
  uint32_t first_fused = 0;  // nodes whose work it also did, into Landings::fused_nodes
  uint32_t fused_count = 0;

  bool has_place() const { return part == Part::Line || part == Part::OpaquePartition; }
  // Lines, opaque calls and unattributed operators: what modules own. Arithmetic on sizes has no
  // module, overheads are nobody's.
  bool is_leaf() const { return has_place() || part == Part::Sizes || part == Part::Unattributed; }
};

// What lands on one line.
struct LineLandings {
  std::vector<ContributionId> own;      // with the innermost frame here
  std::vector<ContributionId> through;  // that pass through here on their way further in
  std::vector<LineId> fused_into;       // lines whose contributions did work of this one; ascending
  std::vector<PartitionId> partitions;  // delegate calls that hold nodes of this line
  Confidence confidence = Confidence::Exact;  // the weakest of them

  bool empty() const {
    return own.empty() && through.empty() && fused_into.empty() && partitions.empty();
  }
};

struct PartitionLandings {
  ContributionId call;  // invalid if events were reported without a call around them
  std::vector<ContributionId> inside;
  std::vector<NodeId> unreported;  // of its nodes: those that nothing inside ran or took over
};

struct Landings {
  std::shared_ptr<const Code> code;
  std::vector<Landing> rows;  // one per contribution
  std::vector<NodeId> fused_nodes;
  std::vector<LineLandings> lines;            // one per Code::lines
  std::vector<PartitionLandings> partitions;  // one per Code::partitions

  const Landing& operator[](ContributionId id) const { return rows[id.value]; }
  std::span<const NodeId> fused_of(const Landing& row) const {
    return std::span(fused_nodes).subspan(row.first_fused, row.fused_count);
  }
  // Every module that owns the contribution, each once; ascending. Empty for overheads.
  std::vector<ModuleId> owners_of(const Landing& row) const;
};

// Fills `lines` and `partitions` from the rows, and says of rows on recovered lines that they are
// no more than that. `is_call`, per contribution: it is a delegate call itself.
void index_landings(Landings& landings, const std::vector<bool>& is_call);

}  // namespace etlens
