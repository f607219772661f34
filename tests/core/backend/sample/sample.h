// SPDX-License-Identifier: Apache-2.0
// A backend that exists for tests only. It shows what a new one takes: this folder and one row.
//
// Events are named "step 0 (us)", "step 1 (us)", … in microseconds. The payload is text: "SAMPLE",
// one digit with the number of steps, the debug handle of each step as a digit, and weights.
// Metadata is one byte, the lane on which a step ran.
#pragma once

#include "core/backend/backend.h"

namespace etlens::test {

Backend sample_backend();

}  // namespace etlens::test
