// SPDX-License-Identifier: Apache-2.0
// The operators of an XNNPACK payload as a graph, with types and shapes.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "core/backend/payload_graph.h"

namespace etlens {

// nullopt if the payload cannot be read.
std::optional<PayloadGraph> graph_of_xnnpack(std::span<const uint8_t> payload);

}  // namespace etlens
