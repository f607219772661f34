// SPDX-License-Identifier: Apache-2.0
// Annotated source: a file's lines with the hints at their ends, for a terminal or a pipe.
#pragma once

#include <optional>
#include <string>

#include "core/base/time_scale.h"
#include "core/facts/facts.h"
#include "core/render/legend.h"
#include "core/workspace/anchored_source.h"

namespace etlens {

struct AnnotateOptions {
  bool color = false;
  bool fold = true;               // leave cold regions of long files out
  double threshold = 0.005;       // as HintOptions
  std::optional<TimeScale> unit;  // of times; nullopt: chosen for each value
  Legend* legend = nullptr;       // learns the words and signs that were used
};

// A file that was not found is shown by its recorded lines alone. Lines that could not be anchored
// stand in a list below the source, so that no cost is lost from sight.
std::string annotate_source(const Facts& facts, const AnchoredSource& source,
                            const AnnotateOptions& options);

}  // namespace etlens
