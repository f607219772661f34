// SPDX-License-Identifier: Apache-2.0
// Which stored run somebody means: "@prev", "@best", "@42", "@2026-11-20", "@main", "@3f2a91c".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/runs/run_store.h"

namespace etlens {

bool is_run_reference(std::string_view text);  // begins with @

// `current`: the dump that the run is compared with, or nothing.
//   @prev     the newest run before it; if it is not stored, the newest run
//   @best     the one with the least total among runs of the same model
//   @NUMBER   the run of this number
//   @DATE     the newest run of this day, YYYY-MM-DD, in the machine's time
//   @NAME     the newest run of this branch, else of the commit that begins with it (7 digits or more)
// Other runs than `current` itself; of the same model where there are such. NotFound: a sentence with what there is.
Result<StoredRun> choose_run(const StoredRuns& stored, std::string_view reference,
                             const std::optional<StoredRun>& current);

// The run whose dump is this file, as it is now; nullopt if it is not stored.
std::optional<StoredRun> run_of_dump(const FileSystem& files, const StoredRuns& stored,
                                     const std::string& etdump);

// The newest run of the same model before `run`; null if there is none.
const StoredRun* run_before(const StoredRuns& stored, const StoredRun& run);

// The change of the total since `earlier`, as a fraction; nullopt if they do not compare.
std::optional<double> change_since(const StoredRun& earlier, const StoredRun& later);

// "2026-11-20 14:03" of milliseconds since the epoch, in the machine's time.
std::string day_and_time(int64_t ms);

}  // namespace etlens
