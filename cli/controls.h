// SPDX-License-Identifier: Apache-2.0
// How the command line words what core advises: as its options.
#pragma once

#include "core/base/controls.h"

namespace etlens::cli {

extern const ControlWords kOptionControls;

}  // namespace etlens::cli
