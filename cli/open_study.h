// SPDX-License-Identifier: Apache-2.0
// Studies that stay open between the requests of one client (`etlens api`). Every other command
// ends with its answer: for it these are resolve() and load_study().
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options.h"
#include "core/workspace/resolve.h"

namespace etlens::cli {

// From now on studies of this name are kept, as long as their files are what they were. Another
// name: those before it that were used last stay, kMaxSessions of them. `progress` gets a sentence
// before each load.
using Progress = std::function<void(std::string_view)>;
void keep_studies(const std::string& session, Progress progress);
inline constexpr size_t kMaxSessions = 4;
inline constexpr size_t kMaxKept =
    4;  // studies of one session, which differ in how they are loaded

// As resolve(). What it depends on is looked at again, and only read again if it changed.
Result<ResolvedStudy> resolve_kept(const FileSystem& files, const std::vector<FoundArtifact>& found,
                                   const StudyWish& wish);

// As load_study().
Result<std::shared_ptr<const Study>> open_study(const FileSystem& files, LoadRequest request);

// Opens a study for the facts that the options name, and prints what is missing. Errors: those of
// open_study() and facts_of().
Result<Facts> open_facts(LoadRequest request, const CommonOptions& options);

}  // namespace etlens::cli
