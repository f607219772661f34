// SPDX-License-Identifier: Apache-2.0
// A Python profile in a study: beside a dump, or alone.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/base/file_system.h"
#include "core/base/load_report.h"
#include "core/workspace/study.h"

namespace etlens {

// Adds the profile at `path` and its measure to the study, and what is odd about it to the study's
// report. Errors are one sentence: which file, what is wrong, what to do.
Result<void> add_profile(const FileSystem& files, const std::string& path, Study& study);

// A study in which nothing ran: its time is empty, its code has nothing.
std::shared_ptr<Study> study_without_dump(const Backends& backends);

}  // namespace etlens
