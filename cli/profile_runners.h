// SPDX-License-Identifier: Apache-2.0
// Where an exported model runs, if that is not Python: a phone, or a C++ program of the user.
#pragma once

#include <optional>
#include <string>

#include "cli/profile_options.h"
#include "core/view/profile_probe_view.h"

namespace etlens::cli {

// What the runner lacks, asked before anything is exported: a phone, an executor_runner.
std::optional<ProfileProblemView> missing_for_runner(const ProfileOptions& options,
                                                     const InitScript& script);

// That Python cannot be started.
ProfileProblemView no_python(const Error& error);

// "text; remedy: command".
std::string sentence_of(const ProfileProblemView& problem);

// Runs the exported model on the phone, which writes model.etdp. Error: Io, NotFound.
Result<void> run_on_phone(const ProfileOptions& options, const InitScript& script);

// What is left to do with a C++ program.
std::string steps_of_cpp(const InitScript& script);

}  // namespace etlens::cli
