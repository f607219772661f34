// SPDX-License-Identifier: Apache-2.0
// What a hover says of delegate calls: what the line is fused with, the calls that have work of it,
// and the calls between which it runs on the CPU.
#pragma once

#include "core/render/hover.h"

namespace etlens {

void add_delegate_notes(const Facts& facts, const LineFacts& line, const HoverOptions& options,
                        HoverInfo& info);

}  // namespace etlens
