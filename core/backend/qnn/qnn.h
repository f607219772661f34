// SPDX-License-Identifier: Apache-2.0
// QNN (Qualcomm): ids name the node, "aten_relu_default_3:OpId_60 (cycles)", in microseconds or in
// cycles of the accelerator; beside them stand totals and counts of the whole call, "Accelerator
// (execute) time (us)".
#pragma once

#include "core/backend/backend.h"

namespace etlens {

Backend qnn_backend();

}  // namespace etlens
