// SPDX-License-Identifier: Apache-2.0
// What etlens knows of backends: one row each, and nothing about them anywhere else. A new backend
// is a folder beside this file, whose row is added to the table in registry.cc.
//
// Whatever looks a backend up is given the table (`Backends`), so that a caller may have rows of
// its own; where nothing is said it is built_in_backends().
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/backend/backend_event.h"
#include "core/backend/call_placer.h"
#include "core/backend/metadata.h"
#include "core/backend/payload_graph.h"
#include "core/base/load_report.h"
#include "core/formats/runtime_ids.h"

namespace etlens {

// A debug handle that a record lists for a delegate call.
struct ListedHandle {
  std::vector<std::string_view> operators;  // base operators of the nodes that may be in the call
  bool is_shared = false;                   // some of them may be in another call
};

// Data that never change, as a payload has them.
struct PayloadConstant {
  uint64_t offset = 0;  // from the payload's start
  uint64_t size = 0;
  std::string key;          // of the program's named data; "" if they are in the payload
  uint32_t op_row = kNone;  // of the first operator that uses them; kNone if none does
  std::string op;           // the first operator that uses them; "" if none does
  std::string role;         // what they are to it: "filter", "bias", …
  DebugHandle debug_handle = kNoHandle;  // of the operator; kNoHandle if the exporter knew none
};

// Every text must live as long as the program. A null function: nothing special.
struct Backend {
  std::string_view id;     // as records and programs write it
  std::string_view label;  // what a person calls it

  // Event ids. Steps of the backend's host code (copying inputs, waiting for the device) lie inside
  // the delegate call but are no operators, and may enclose other steps.
  std::span<const std::string_view> host_phases = {};  // how their names begin
  // The step in which the host waits for the device's dispatches, whose clock is another one.
  std::string_view dispatch_phase = {};
  // What an id means in a call of this backend; nullopt if it is one like any other's.
  std::optional<BackendEvent> (*describe)(std::string_view id, bool id_is_integer) = nullptr;
  // The same for ids whose form alone tells whose they are, where no record does.
  std::optional<BackendEvent> (*recognise)(std::string_view id) = nullptr;

  // Values.
  bool has_estimates = false;  // the times of operators are estimates
  bool has_host_tail = false;  // a call's greatest integer id is what the host did at the end
  uint32_t resolution_ns = 0;  // durations are cut to whole multiples; 0: the clock's own ticks

  // Payloads: how many bytes from the start describe operators, not weights. `front` is the start
  // of the payload, payload_front_bytes or all of it; `size` all of it. Null: payloads are not
  // read.
  uint64_t (*operator_bytes)(std::span<const uint8_t> front, uint64_t size) = nullptr;
  size_t payload_front_bytes = 0;

  // Opens a placer for the events of one delegate call that has no delegate map. What is odd goes
  // to the report, which must outlive the placer. Null: delegate map and names of nodes alone.
  std::unique_ptr<CallPlacer> (*open_placer)(DelegateCall call, LoadReport& report) = nullptr;

  // What the events of a call are, for people to read, where their names stand for many operators;
  // `payload` is the part that describes operators, `ids` as below. One per event, "" where the
  // name says it or nothing is sure; or none at all. Null: names say it.
  std::vector<std::string> (*title_operators)(std::span<const uint8_t> payload,
                                              std::span<const std::string_view> ids) = nullptr;

  // Does what a call reported fit what a record holds for it? Each says how many of the events
  // contradict; `ids` are those of one call in the order in which they were reported. nullopt if
  // the payload cannot be read. Null: nothing can be said.
  std::optional<size_t> (*contradict_payload)(std::span<const uint8_t> payload,
                                              std::span<const std::string_view> ids) = nullptr;
  size_t (*contradict_handles)(std::span<const ListedHandle> handles,
                               std::span<const std::string_view> ids) = nullptr;

  // The constants of a payload, given the part that describes operators; empty if that cannot be
  // read. Null: nothing is known of what a payload holds.
  std::vector<PayloadConstant> (*list_constants)(std::span<const uint8_t> payload) = nullptr;

  // The operators of a payload, given the same part; nullopt if that cannot be read. Null: a
  // payload shows none.
  std::optional<PayloadGraph> (*read_graph)(std::span<const uint8_t> payload) = nullptr;

  // The bytes that it attaches to its events; nullopt if they are like any other's.
  std::optional<MetadataFields> (*read_metadata)(std::string_view bytes) = nullptr;
};

class Backends {
 public:
  // Ids must be distinct and not empty.
  explicit Backends(std::vector<Backend> rows);
  Backends with(Backend row) const;  // a copy with one more

  std::span<const Backend> rows() const { return rows_; }
  // A backend that is not known has a row without anything special.
  const Backend& find(std::string_view id) const;

  // What a person calls a backend. Unknown ones lose a trailing "Backend".
  std::string label(std::string_view id) const;

  // Trees of events are built before any record says whose they are, so names of phases are told
  // apart by their form alone.
  bool is_host_phase(std::string_view name) const;
  bool is_dispatch_phase(std::string_view name) const;

  // `backend`: its id, "" if no record tells. `id`: the delegate debug id as text, integers in
  // decimal.
  BackendEvent describe(std::string_view backend, std::string_view id, bool id_is_integer) const;
  // An event's name for people to read; the id itself where that is fit to be read.
  std::string readable_name(std::string_view backend, std::string_view id) const;

  MetadataFields read_metadata(std::string_view backend, std::string_view bytes) const;

 private:
  std::vector<Backend> rows_;
  std::bitset<256> begins_phase_;  // by the first byte of a name: some host phase begins so
};

// Every backend that etlens knows.
const Backends& built_in_backends();

}  // namespace etlens
