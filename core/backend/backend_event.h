// SPDX-License-Identifier: Apache-2.0
// What a backend means by an event that it logs inside its call: in which unit it counts, whether
// the event is an operator at all, and by which name the delegate map or the graph knows it.
//
//   backend         ids                                        unit
//   Core ML         "var_5:ios17.linear"                       ns, estimates
//   QNN             "aten_relu_default_3:OpId_60 (cycles)"     µs or cycles of the accelerator
//                   "Accelerator (execute) time (us)", …       totals and counts of the whole call
//   Vulkan          {"operator": {"delegate_node_id": 3}, …}   ns of the GPU's clock
//                   "ETVK_EXECUTE", …                          host phases, the runtime's ticks
//   Arm VGF         "VGF_EXECUTE", …                           host phases
//   Arm Ethos-U     names without delegate id                  host phases
//   NXP Neutron     0, 1, 2, …                                 the NPU's own counter
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace etlens {

inline constexpr std::string_view kCoreMlBackend = "CoreMLBackend";
inline constexpr std::string_view kQnnBackend = "QnnBackend";
inline constexpr std::string_view kVulkanBackend = "VulkanBackend";
inline constexpr std::string_view kNeutronBackend = "NeutronBackend";

enum class DelegateUnit : uint8_t {
  Ticks,        // of the runtime's clock: XNNPACK, host phases, unknown backends
  Nanoseconds,  // of a clock of its own
  Microseconds,
  Cycles,   // of the accelerator
  Counter,  // of a counter whose rate nobody knows
  Count,    // no time at all
  Bytes,    // likewise
};
// "ticks", "ns", "us", "cycles", "counter", "count", "bytes".
std::string_view name_of(DelegateUnit unit);

enum class DelegateEventKind : uint8_t {
  Operator,   // work of one operator
  HostPhase,  // a step of the backend's host code
  Total,      // a value of the whole call, beside its operators; never part of a sum
};

struct BackendEvent {
  DelegateEventKind kind = DelegateEventKind::Operator;
  DelegateUnit unit = DelegateUnit::Ticks;
  std::string key;        // what the delegate map has; the id itself for most backends
  std::string node_name;  // the FX node that the id names (QNN); "" for the others
};

// `backend`: its id, "" if no record tells. `id`: the delegate debug id as text, integers in
// decimal.
BackendEvent describe_backend_event(std::string_view backend, std::string_view id,
                                    bool id_is_integer);

// "Accelerator (execute) time (us)" -> {"Accelerator (execute) time", Microseconds}; nothing
// without a unit behind the name.
struct NamedUnit {
  std::string_view name;
  DelegateUnit unit;
};
std::optional<NamedUnit> split_unit(std::string_view id);

// A Vulkan dispatch's JSON id as a person reads it: "aten.linear.default (linear_naive_texture)".
// Other ids come back as they are.
std::string readable_event_name(std::string_view id);

}  // namespace etlens
