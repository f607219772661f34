// SPDX-License-Identifier: Apache-2.0
// The flame graph (core/render/flame_graph.h) as SVG. Frames hang from the whole at the top; their
// tone is their heat, their titles say the rest.
#pragma once

#include <optional>

#include "core/base/time_scale.h"
#include "core/export/picture.h"
#include "core/facts/facts.h"

namespace etlens {

struct FlameGraphOptions {
  std::optional<TimeScale> unit;  // of times; nullopt: chosen for each value
  PictureKind kind = PictureKind::File;
};

void write_flame_graph(const Facts& facts, const FlameGraphOptions& options, Sink& sink);

}  // namespace etlens
