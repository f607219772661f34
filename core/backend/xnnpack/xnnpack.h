// SPDX-License-Identifier: Apache-2.0
// XNNPACK: events named like "Convolution (NHWC, F32) IGEMM #1", in the runtime's ticks, each cut
// to whole microseconds. There is no delegate map; the payload lists the operators instead.
#pragma once

#include "core/backend/backend.h"

namespace etlens {

Backend xnnpack_backend();

}  // namespace etlens
