// SPDX-License-Identifier: Apache-2.0
// How the language server words what core advises: as its settings.
#pragma once

#include "core/base/controls.h"

namespace etlens {

extern const ControlWords kSettingControls;

}  // namespace etlens
