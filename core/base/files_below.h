// SPDX-License-Identifier: Apache-2.0
// The files below some folders and no others, whatever a name leads to and whoever exchanges files,
// folders and links meanwhile: each file is opened below its folder, which is open, and all that is
// asked is asked of what was opened. Links are followed where their text names a place below one of
// the folders; what lies elsewhere is not even looked at.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "core/base/file_system.h"
#include "core/base/root_names.h"

namespace etlens {

// How files are opened: as well as the system can, or one folder after the other, as where it has
// nothing better.
enum class WayBelow : uint8_t { Best, StepByStep };

// `between`, for tests, is called between two looks at the same name.
std::unique_ptr<const FileSystem> files_below(RootNames roots, WayBelow way = WayBelow::Best,
                                              std::function<void()> between = {});

}  // namespace etlens
