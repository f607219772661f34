// SPDX-License-Identifier: Apache-2.0
// The operators of a Vulkan payload as a graph, with types and shapes: what the backend's passes left
// of the model's. They have no debug handles. WebGPU runs the same payloads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "core/backend/payload_graph.h"

namespace etlens {

// How many bytes say where the rest is.
inline constexpr size_t kVulkanFrontBytes = 30;
// As Backend::operator_bytes has it.
uint64_t vulkan_operator_bytes(std::span<const uint8_t> front, uint64_t size);

// Of release 0.3 or later; nullopt if the payload cannot be read.
std::optional<PayloadGraph> graph_of_vulkan(std::span<const uint8_t> payload);

}  // namespace etlens
