// SPDX-License-Identifier: Apache-2.0
// Vulkan: dispatches by a JSON id, {"operator": {"delegate_node_id": 3}, …}, or up to 1.0 by the
// kernel's name and a number; in nanoseconds of the GPU's clock. The host's phases (ETVK_…) are in
// the runtime's ticks. Metadata, 0.6 to 1.0: 24 bytes, global and local workgroup sizes.
#pragma once

#include "core/backend/backend.h"

namespace etlens {

Backend vulkan_backend();

}  // namespace etlens
