// SPDX-License-Identifier: Apache-2.0
#include "core/backend/arm/arm.h"

#include <array>

namespace etlens {
namespace {

constexpr std::array<std::string_view, 2> kEthosPhases{"EthosUBackend::", "+EthosUBackend::"};
constexpr std::array<std::string_view, 2> kVgfPhases{"VGF_", "VGF::"};

}  // namespace

Backend ethos_u_backend() {
  return {.id = "EthosUBackend", .label = "Ethos-U", .host_phases = kEthosPhases};
}

Backend arm_backend() {
  return {.id = "ArmBackend", .label = "Ethos-U", .host_phases = kEthosPhases};
}

Backend vgf_backend() { return {.id = "VgfBackend", .label = "VGF", .host_phases = kVgfPhases}; }

}  // namespace etlens
