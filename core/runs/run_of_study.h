// SPDX-License-Identifier: Apache-2.0
// What is kept of a study that is open, as the run that it shows.
#pragma once

#include <string>

#include "core/facts/headline.h"
#include "core/runs/run_store.h"

namespace etlens {

// `time`: the headline of the study's time. `stamp`: of the dump when it was read. `folder`: folder_of_runs(). Of git the
// branch and the commit of the working tree around the dump are read.
RunToStore run_of_study(const FileSystem& files, const Study& study, const Headline& time,
                        const FileStamp& stamp, const std::string& folder);

}  // namespace etlens
