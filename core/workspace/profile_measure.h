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

// The measure of the profile at `path`; what is odd about it goes to the report. Errors are one
// sentence: which file, what is wrong, what to do.
Result<Measure> load_profile_measure(const FileSystem& files, const std::string& path,
                                     LoadReport& report);

// A study in which nothing ran: its time is empty, its code has nothing.
std::shared_ptr<Study> study_without_dump(const Backends& backends);

}  // namespace etlens
