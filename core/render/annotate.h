// SPDX-License-Identifier: Apache-2.0
// Annotated source: a file's lines with the hints at their ends, for a terminal or a pipe.
#pragma once

#include <string>

#include "core/workspace/anchored_source.h"
#include "core/render/inlay_hint.h"
#include "core/workspace/snapshot.h"

namespace etlens {

struct AnnotateOptions {
  bool color = false;
  bool fold = true;          // leave cold regions of long files out
  double threshold = 0.005;  // as HintOptions
};

// A file that was not found is shown by its recorded lines alone. Lines that could not be anchored
// stand in a list below the source, so that no time is lost from sight.
std::string annotate_source(const ProfileSnapshot& snapshot, const AnchoredSource& source,
                            const AnnotateOptions& options);

}  // namespace etlens
