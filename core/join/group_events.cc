// SPDX-License-Identifier: Apache-2.0
#include "core/join/group_events.h"

#include <vector>

#include "core/base/budget.h"

namespace etlens {
namespace {

struct Signature {
  EventKey key;
  Part part;
  NodeId node;
  Confidence confidence;
  friend bool operator==(const Signature&, const Signature&) = default;
};

uint64_t hash_of(const Signature& row) {
  uint64_t hash = static_cast<uint64_t>(row.key.name.value) << 32 |
                  static_cast<uint32_t>(row.key.instruction.value);
  hash =
      hash * 0x9E3779B97F4A7C15ull ^ (static_cast<uint64_t>(row.key.delegate_id_str.value) << 32 |
                                      static_cast<uint32_t>(row.key.delegate_id_int));
  hash = hash * 0xBF58476D1CE4E5B9ull ^ (static_cast<uint64_t>(row.node.value) << 8) ^
         static_cast<uint64_t>(row.part);
  return (hash ^ (hash >> 29)) * 0x9E3779B97F4A7C15ull;
}

// The contribution of each signature. Most events have one of their own, so that nothing is
// allocated for one of them alone.
class KnownSignatures {
 public:
  KnownSignatures() : slots_(kFirstSlots, kNone) {}

  // `next` if the signature is new: then `next` is its contribution. These are numbered from 0 on.
  ContributionId find_or_add(const Signature& signature, ContributionId next) {
    size_t slot = slot_of(signature);
    if (slots_[slot] != kNone) return ContributionId(slots_[slot]);
    slots_[slot] = next.value;
    signatures_.push_back(signature);
    if (2 * signatures_.size() > slots_.size()) grow();
    return next;
  }

 private:
  static constexpr size_t kFirstSlots = 64;  // a power of two, as later sizes

  // Where it is, or would be.
  size_t slot_of(const Signature& signature) const {
    const size_t mask = slots_.size() - 1;
    size_t slot = (hash_of(signature) >> 32) & mask;
    for (; slots_[slot] != kNone && signatures_[slots_[slot]] != signature;
         slot = (slot + 1) & mask)
      go_on();
    return slot;
  }

  void grow() {
    slots_.assign(2 * slots_.size(), kNone);
    for (uint32_t row = 0; row < signatures_.size(); ++row) slots_[slot_of(signatures_[row])] = row;
  }

  std::vector<Signature> signatures_;  // by contribution
  std::vector<uint32_t> slots_;        // contributions, by hash; kNone: free
};

const NodePlacement kNowhere{};

bool is_in_call(EventRole role) {
  return role == EventRole::DelegateCall || role == EventRole::DelegateEvent ||
         role == EventRole::HostPhase || role == EventRole::DelegateTotal;
}

class Grouping {
 public:
  Grouping(const EventLog& log, std::shared_ptr<const Code> code) : log_(log) {
    result_.landings.code = std::move(code);
  }

  void add(SequenceId sequence, const EventTree& tree, const PlacedSequence& placed,
           const SequenceConversions& conversions) {
    const std::vector<EventKey>& events = log_.sequence(sequence).events;
    std::vector<ContributionId> event_of(events.size());
    for (size_t i = 0; i < events.size(); ++i) {
      go_on();
      if (tree.roles[i] == EventRole::None) continue;
      event_of[i] = event_for(events[i], tree.roles[i], placed[i]);
      if (conversions.empty()) continue;
      result_.events[event_of[i].value].unit = conversions[i].unit;
      result_.events[event_of[i].value].conversion = conversions[i].kind;
    }
    nest(tree, event_of);
    result_.event_of_position.push_back(std::move(event_of));
  }

  GroupedEvents finish() {
    std::vector<bool> is_call;
    for (size_t e = 0; e < result_.events.size(); ++e) {
      const Event& event = result_.events[e];
      is_call.push_back(event.role == EventRole::DelegateCall);
      // Its time is in no execution, so it lands nowhere.
      if (!event.in_execution) result_.landings.rows[e].part = Part::Framework;
    }
    index_landings(result_.landings, is_call);
    return std::move(result_);
  }

 private:
  ContributionId event_for(const EventKey& key, EventRole role, const PlacedEvent& placed) {
    const NodePlacement& placement = placed.placement ? *placed.placement : kNowhere;
    const Signature signature{key, placed.part, placement.node, placement.confidence};
    const ContributionId id(result_.events.size());
    if (const ContributionId known = known_.find_or_add(signature, id); known != id) return known;
    Event event;
    event.key = key;
    event.role = role;
    Landing landing = landing_of(placed.part, placement);
    if (is_in_call(role) && key.in_instruction()) {
      landing.partition = code().find_partition(key.instruction);
      if (landing.partition.valid() && landing.part == Part::OpaquePartition)
        landing.module = code().partitions[landing.partition.value].module;
    }
    result_.events.push_back(event);
    result_.landings.rows.push_back(landing);
    return id;
  }

  Landing landing_of(Part part, const NodePlacement& placement) {
    std::vector<NodeId>& fused = result_.landings.fused_nodes;
    Landing row;
    row.part = part;
    row.confidence = part == Part::OpaquePartition ? Confidence::Partition : placement.confidence;
    row.is_layout = placement.is_layout;
    row.candidates = placement.candidates;
    row.node = placement.node;
    if (const Place* place = code().place_of(placement.node)) {
      row.place = code().place_of_node[placement.node.value];
      if (part == Part::Line) row.line = place->line;
    }
    if (row.is_leaf() && part != Part::Sizes)
      row.module = row.place.valid() ? code().places[row.place.value].module : ModuleId(0);
    row.first_fused = static_cast<uint32_t>(fused.size());
    row.fused_count = static_cast<uint32_t>(placement.fused.size());
    fused.insert(fused.end(), placement.fused.begin(), placement.fused.end());
    return row;
  }

  // What contains each event, and which lie inside an execution.
  void nest(const EventTree& tree, const std::vector<ContributionId>& event_of) {
    const std::vector<bool> inside = positions_in_execution(tree);
    for (size_t i = 0; i < event_of.size(); ++i) {
      const uint32_t parent = tree.parents[i];
      if (!event_of[i].valid()) continue;
      Event& event = result_.events[event_of[i].value];
      event.in_execution = event.in_execution || inside[i];
      if (parent != kNone && !event.around.valid()) event.around = event_of[parent];
    }
  }

  const Code& code() const { return *result_.landings.code; }

  const EventLog& log_;
  GroupedEvents result_;
  KnownSignatures known_;
};

}  // namespace

GroupedEvents group_events(const EventLog& log, const EventTrees& trees, const Block& block,
                           const std::vector<PlacedSequence>& placed,
                           const std::vector<SequenceConversions>& conversions,
                           std::shared_ptr<const Code> code) {
  Grouping grouping(log, std::move(code));
  for (size_t s = 0; s < block.sequences.size(); ++s) {
    const SequenceId sequence = block.sequences[s];
    grouping.add(sequence, trees[sequence.value], placed[s], conversions[s]);
  }
  return grouping.finish();
}

}  // namespace etlens
