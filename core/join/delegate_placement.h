// SPDX-License-Identifier: Apache-2.0
// Places the events that a backend reported inside one of its calls.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/formats/etdump/event_log.h"
#include "core/backend/xnnpack/alignment.h"
#include "core/join/delegate_call.h"
#include "core/join/delegate_events.h"
#include "core/join/operator_nodes.h"

namespace etlens {

// By the delegate map where the backend has one, or by the name of the node where the event's id is
// one (QNN); XNNPACK's events by aligning them with the operators of its payload, or without a
// payload with the handles that the map lists for the call.
class DelegatePlacer {
 public:
  // What is odd about payloads goes to `report`. All references must outlive the object.
  DelegatePlacer(const MethodContext& context, const OperatorPlacer& operators, const EventLog& log,
                 BackendEvents& backends, PayloadSource payloads, LoadReport& report);
  ~DelegatePlacer();

  // One placement per event of the call, in the order in which they were reported. A placement
  // without a node leaves the event's time with the whole call. Equal calls are placed once; the
  // result lives as long as the object.
  std::span<const EventPlacement> place(int32_t instruction, std::span<const EventKey> events);

 private:
  struct Call;  // what events of one instruction are placed with

  Call& call_of(int32_t instruction);
  std::unique_ptr<Call> open(int32_t instruction);
  std::vector<uint8_t> payload_bytes(int32_t instruction);
  void read_payload(int32_t instruction, Call& call);

  std::vector<EventPlacement> place_anew(int32_t instruction, std::span<const EventKey> events);
  void place_by_map(const DelegateEntry& entry, std::span<const EventKey> events,
                    std::vector<EventPlacement>& placements) const;
  void place_by_node_name(int32_t instruction, std::span<const EventKey> events,
                          std::vector<EventPlacement>& placements);
  void place_by_payload(const Call& call, std::span<const std::string_view> names,
                        std::vector<EventPlacement>& placements) const;
  void place_by_handles(int32_t instruction, const Call& call,
                        std::span<const std::string_view> names,
                        std::vector<EventPlacement>& placements);

  const MethodContext& context_;
  const OperatorPlacer& operators_;
  const EventLog& log_;
  BackendEvents& backends_;
  PayloadSource payloads_;
  LoadReport& report_;
  std::map<int32_t, std::unique_ptr<Call>> calls_;
  std::map<std::pair<int32_t, std::vector<uint64_t>>, std::vector<EventPlacement>>
      placed_;  // by the events' ids
};

}  // namespace etlens
