// SPDX-License-Identifier: Apache-2.0
// How an agent is told what core advises: as arguments of the tools.
#pragma once

#include "core/base/controls.h"

namespace etlens::mcp {

extern const ControlWords kArgumentControls;

}  // namespace etlens::mcp
