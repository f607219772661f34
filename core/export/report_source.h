// SPDX-License-Identifier: Apache-2.0
// The source around the most costly lines, for a page of HTML: what annotate prints, in excerpts.
#pragma once

#include "core/export/export.h"
#include "core/export/page_links.h"

namespace etlens {

// The most costly lines of each file with the lines around them and the hints at their ends; the
// most costly file first. Files that were not found are named with what was recorded of them.
// `links`: of the numbers of lines.
void write_sources(const ExportInput& input, const PageLinks& links, Sink& sink);

}  // namespace etlens
