// SPDX-License-Identifier: Apache-2.0
// Which export is shown where no dump is there: a record, a program, or both of one export.
#pragma once

#include <vector>

#include "core/base/result.h"
#include "core/workspace/discovery.h"
#include "core/workspace/file_stamps.h"
#include "core/workspace/load.h"

namespace etlens {

// Names the newest of the records and programs in the wish, where it names neither. Without one,
// the wish stays as it is.
void name_newest_export(const std::vector<FoundArtifact>& found, StudyWish& wish);

// Then the other one of the same export, where it is found. A single candidate is not opened:
// loading says whether it fits; of several at most kMaxScored are read. NotFound if there is neither
// a record nor a program.
Result<void> choose_export(const FileSystem& files, const std::vector<FoundArtifact>& found,
                           LoadRequest& request, const CancelToken& cancel = {});

// The files that choose_export() may read for the wish.
void look_at_export(const FileSystem& files, const std::vector<FoundArtifact>& found,
                    StudyWish wish, FileStamps& stamps);

}  // namespace etlens
