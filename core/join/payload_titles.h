// SPDX-License-Identifier: Apache-2.0
// Events inside delegate calls by the operators of the payload that they run, where the names that
// the backend gives them tell too little and no record names their nodes.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/formats/pte/program.h"
#include "core/join/join.h"

namespace etlens {

// Fills in Join::titles. `read_payload`: the part of a payload that describes operators; empty if
// that fails.
void name_by_payload(
    const ProgramMethod& program,
    const std::function<std::vector<uint8_t>(const ProgramDelegate&)>& read_payload, Join& join);

}  // namespace etlens
