// SPDX-License-Identifier: Apache-2.0
// NXP Neutron: kernels by number (0, 1, 2, …), in ticks of the NPU's own counter, and one record
// more than kernels ran: what the host did at the end, partly in ticks of another clock. Metadata:
// 1 byte, the kernel's function code.
#pragma once

#include "core/backend/backend.h"

namespace etlens {

Backend neutron_backend();

}  // namespace etlens
