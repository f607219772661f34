// SPDX-License-Identifier: Apache-2.0
// Places the events of an XNNPACK call: by aligning them with the operators of its payload, or
// without a payload with the handles that the map lists for the call.
#pragma once

#include <memory>

#include "core/backend/call_placer.h"
#include "core/base/load_report.h"

namespace etlens {

// What is odd goes to `report`, which must outlive the placer.
std::unique_ptr<CallPlacer> open_xnnpack_placer(DelegateCall call, LoadReport& report);

}  // namespace etlens
