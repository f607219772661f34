// SPDX-License-Identifier: Apache-2.0
// What a program tells about the run of a dump beyond its instructions: how often branches and
// loops ran, and which lines write the model's state.
#pragma once

#include "core/workspace/load.h"

namespace etlens {

// Sets Study::control and Study::writes. Both stay empty without a record and its program.
void add_control_and_state(const Artifacts& artifacts, const JoinedBlock& joined, BlockId block,
                           Study& study);

}  // namespace etlens
