// SPDX-License-Identifier: Apache-2.0
// A folder may hold dumps of several models, and only one is shown: which others are there?
#pragma once

#include <string>
#include <vector>

#include "core/base/cancellation.h"
#include "core/base/file_system.h"
#include "core/workspace/discovery.h"

namespace etlens {

// The newest dump of each model other than that of `etdump`, whose record is `etrecord`. A model is
// what one record describes; a copy of a record is the same record. Looks at the newest dumps only,
// and at none if there are not several records: it reads each with its record.
std::vector<std::string> find_other_models(const FileSystem& files,
                                           const std::vector<FoundArtifact>& found,
                                           const std::string& etdump, const std::string& etrecord,
                                           const CancelToken& cancel = {});

// "fp32/a.etdp, b.etdp and 2 more are of other models"; "" for none. `names`: as the reader says
// these paths.
std::string other_models_text(const std::vector<std::string>& names);

}  // namespace etlens
