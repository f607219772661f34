// SPDX-License-Identifier: Apache-2.0
// What a hover says beside the cost, a function for each subject. Where there is nothing to say,
// they add nothing.
#pragma once

#include "core/facts/headline.h"
#include "core/render/hover.h"

namespace etlens {

// The findings that are about the line. The words are ours but for what they are about.
void add_advice(const Facts& facts, const Headline& head, LineId id, const HoverOptions& options,
                HoverInfo& info);
// Why operators of a dump are on the CPU. Those of an export have it in their table, and what to
// do about it is there already.
void add_reasons(const Facts& facts, const LineFacts& line, const HoverOptions& options,
                 HoverInfo& info);
// Who called what is defined on the line, and what it called.
void add_calls(const Facts& facts, const LineFacts& line, const HoverOptions& options,
               HoverInfo& info);
// Branches and loops, and the buffers whose new value it computes.
void add_control(const Facts& facts, LineId id, HoverInfo& info);
// What backends attached to the line's events.
void add_metadata(const Facts& facts, const LineFacts& line, HoverInfo& info);
void add_shape_and_handles(const Facts& facts, const LineFacts& line, HoverInfo& info);
// Those that are far from the others, and why; `from`: the file of the hover.
void add_executions(const Facts& facts, const Headline& head, FileId from,
                    const HoverOptions& options, HoverInfo& info);

}  // namespace etlens
