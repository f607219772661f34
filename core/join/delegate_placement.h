// SPDX-License-Identifier: Apache-2.0
// Places the events that a backend reported inside one of its calls.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/formats/etdump/event_log.h"
#include "core/join/delegate_call.h"
#include "core/join/delegate_events.h"

namespace etlens {

// By the delegate map where the call has one; otherwise as the backend's own placer does it; and
// where there is neither, by the name of the node that an event's id names.
class DelegatePlacer {
 public:
  // What is odd about payloads goes to `report`. All references must outlive the object.
  DelegatePlacer(const MethodContext& context, const OperatorPlacer& operators, const EventLog& log,
                 BackendEvents& backends, PayloadSource payloads, LoadReport& report);

  // One placement per event of the call, in the order in which they were reported. A placement
  // without a node leaves the event's time with the whole call. Equal calls are placed once; the
  // result lives as long as the object.
  std::span<const NodePlacement> place(Instruction instruction, std::span<const EventKey> events);

  // As nodes_of_call has them: worked out once.
  const std::vector<NodeId>& nodes_of(Instruction instruction);

 private:
  std::vector<NodePlacement> place_anew(Instruction instruction, std::span<const EventKey> events);
  void place_by_map(const DelegateEntry& entry, std::span<const EventKey> events,
                    std::vector<NodePlacement>& placements) const;
  void place_by_node_name(Instruction instruction, std::span<const EventKey> events,
                          std::vector<NodePlacement>& placements);
  std::vector<NodePlacement> place_by_backend(const Backend& backend, Instruction instruction,
                                              std::span<const EventKey> events);

  const MethodContext& context_;
  const OperatorPlacer& operators_;
  const EventLog& log_;
  BackendEvents& backends_;
  PayloadSource payloads_;
  LoadReport& report_;
  std::map<const Backend*, std::shared_ptr<CallMemory>> memories_;
  std::map<Instruction, std::vector<NodeId>> nodes_;
  std::map<Instruction, std::unique_ptr<CallPlacer>> placers_;
  // By instruction and the events' ids.
  std::map<std::pair<Instruction, std::vector<uint64_t>>, std::vector<NodePlacement>> placed_;
};

}  // namespace etlens
