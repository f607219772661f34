// SPDX-License-Identifier: Apache-2.0
// The ticks of one run's events: what each took, without what lies inside it.
//
// A backend's events that are longer than their call count as shares of it, and so do those in a
// unit that nobody can convert, like cycles. Backends that cut their durations to whole steps of a
// coarse clock are centred, unless they are wanted raw: half a step goes from the call's unmeasured
// rest to each of its events, as far as the rest reaches.
#pragma once

#include <cstdint>
#include <vector>

#include "core/formats/etdump/event_log.h"
#include "core/join/delegate_events.h"
#include "core/join/event_tree.h"

namespace etlens {

class RunTimes {
 public:
  // `half_steps`, per position: ticks by which a duration is centred; empty for none. All
  // references must outlive the object.
  RunTimes(const EventLog& log, const EventTree& tree, const SequenceConversions& conversions,
           std::vector<Ticks> half_steps);

  // A run of the tree's sequence; what was computed before is forgotten.
  void compute(const Run& run);

  Ticks self(size_t i) const { return Ticks(static_cast<int64_t>(self_[i])); }
  // What a backend that does not count in ticks logged; 0 for ticks.
  uint64_t reported(size_t i) const { return reported_.empty() ? 0 : reported_[i]; }
  // The time is a share of what is around the event.
  bool is_rescaled(size_t i) const { return any_rescaled_ && rescaled_[i]; }

  bool has_conversions() const { return !conversions_.empty(); }
  // Of any run so far.
  bool was_rescaled() const { return was_rescaled_; }

 private:
  void convert();
  void share_out();
  void rescale();
  void centre();
  bool subtract_children();

  const EventLog& log_;
  const EventTree& tree_;
  const SequenceConversions& conversions_;
  std::vector<Ticks> half_steps_;
  // Positions with a half step, what is around any of them, and how many share the rest of it.
  std::vector<uint32_t> centred_;
  std::vector<uint32_t> around_centred_;
  std::vector<uint32_t> sharing_;  // by position
  std::vector<uint32_t> top_down_;
  bool has_shares_ = false;
  bool any_rescaled_ = false;
  bool was_rescaled_ = false;
  std::vector<uint64_t> reported_;
  // Ticks, as plain numbers: shares are worked out of them.
  std::vector<uint64_t> total_;
  std::vector<uint64_t> self_;
  std::vector<bool> rescaled_;
  // Of each position, while its children are worked out:
  std::vector<uint64_t> weights_;   // of those that only tell a share
  std::vector<uint64_t> children_;  // their own durations
  std::vector<uint64_t> summed_;
  std::vector<uint64_t> given_;
};

}  // namespace etlens
