// SPDX-License-Identifier: Apache-2.0
// The commands that code actions name, for clients that have no lists of etlens. Our own extension has none of them.
#pragma once

#include <array>

#include "protocol/types.h"

namespace etlens {

// Of workspace/executeCommand, with the place of a line. The first two show a message.
inline constexpr std::array<const char*, 3> kActionCommands{
    "etlens.showDelegateLines",  // which lines ran in one delegate call with it
    "etlens.whyNotDelegated",    // why operators of the line run on the CPU
    "etlens.nextDelegateLine",   // shows the next line of its delegate call
};

struct LinePlace {
  lsp::DocumentUri uri;
  lsp::Position position;
};
FIELDS(LinePlace, uri, position)

}  // namespace etlens
