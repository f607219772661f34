// SPDX-License-Identifier: Apache-2.0
// What there is before a run: `etlens profile --probe`.
#pragma once

#include <string>

#include "cli/profile_options.h"
#include "core/view/profile_probe_view.h"

namespace etlens::cli {

// What is known without Python: the arguments of forward, and where everything goes.
ProfileProbeView planned_probe(const ProfileOptions& options, const InitScript& script);

// That a script which is there makes the class that was named. Error: InvalidParams, with what to do.
Result<void> check_class(const ProfileOptions& options, const InitScript& script);

// For people.
std::string probe_text(const ProfileProbeView& probe);

// Asks Python, and prints. Returns an exit status.
int print_probe(const ProfileOptions& options, const InitScript& script);

}  // namespace etlens::cli
