// SPDX-License-Identifier: Apache-2.0
// The flame graph of modules, with the lines and operations below them: an SVG without a script,
// light and dark. Frames hang from the whole at the top; their widths are their costs, their tone
// is their heat, their titles say the rest.
#pragma once

#include <optional>

#include "core/base/time_scale.h"
#include "core/export/sink.h"
#include "core/facts/facts.h"

namespace etlens {

struct FlameGraphOptions {
  std::optional<TimeScale> unit;  // of times; nullopt: chosen for each value
  // A file of its own, with styles; else an element of a page that has kFlameGraphStyle.
  bool is_file = true;
};

void write_flame_graph(const Facts& facts, const FlameGraphOptions& options, Sink& sink);

// CSS of the frames, for light and dark.
extern const std::string_view kFlameGraphStyle;

}  // namespace etlens
