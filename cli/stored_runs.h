// SPDX-License-Identifier: Apache-2.0
// The memory of runs as the command line names it.
#pragma once

#include <memory>
#include <string>

#include "cli/sides.h"
#include "core/runs/run_store.h"

namespace etlens::cli {

// The runs of what lies in `folder` (absolute): there, above it in the git working tree, or around the newest dump below.
Result<StoredRuns> find_runs(const std::string& folder);

// Sides that name stored runs ("@prev", "@best", "@42", "@2026-11-20", "@main") get the files of these. If the base does
// and no new side is named, the newest dump below the working folder is the new side. Errors: NotFound with what there is.
Result<void> use_stored_runs(SideOptions& base, SideOptions& fresh);

// Stores the run that a study shows, and says on stderr what could not be done. Returns the sentence about it.
Result<std::string> store_study(const std::shared_ptr<const Study>& study, const RunLimits& limits);

}  // namespace etlens::cli
