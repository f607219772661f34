// SPDX-License-Identifier: Apache-2.0
// Names that backends give to steps of their host code (copying inputs, waiting for the device).
// Such an event lies inside the delegate call but is no operator, and may enclose other phases.
#pragma once

#include <array>
#include <string_view>

namespace etlens {

// `name` of an event without delegate id (Arm Ethos-U), or its delegate id (Vulkan, Arm VGF).
inline bool is_host_phase(std::string_view name) {
  constexpr std::array<std::string_view, 4> kPrefixes{
      "EthosUBackend::", "+EthosUBackend::", "ETVK_", "VGF_"};
  for (const std::string_view prefix : kPrefixes) {
    if (name.starts_with(prefix)) return true;
  }
  return false;
}

// The phase in which the host waits for the device's dispatches (Vulkan): they are part of it.
inline bool is_dispatch_phase(std::string_view name) {
  return name == "ETVK_COMPUTE_GRAPH_EXECUTE";
}

}  // namespace etlens
