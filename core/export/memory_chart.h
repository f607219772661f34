// SPDX-License-Identifier: Apache-2.0
// The memory chart: for each buffer of planned memory the bytes in use over the instructions, and
// below them its tensors, each from its first to its last instruction at its addresses. The tone of
// what is in use at the peak is its share of it; titles say the rest.
#pragma once

#include "core/export/picture.h"
#include "core/facts/memory_facts.h"

namespace etlens {

void write_memory_chart(const MemoryFacts& facts, PictureKind kind, Sink& sink);

}  // namespace etlens
