// SPDX-License-Identifier: Apache-2.0
// Arm: Ethos-U (two ids, of different releases) logs names without delegate ids, VGF ids of its
// own; both only what the host does. VGF's metadata is a JSON object (neural statistics).
#pragma once

#include "core/backend/backend.h"

namespace etlens {

Backend ethos_u_backend();
Backend arm_backend();
Backend vgf_backend();

}  // namespace etlens
