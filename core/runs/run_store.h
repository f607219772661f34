// SPDX-License-Identifier: Apache-2.0
// The memory of runs: FOLDER/.etlens/runs.
//
//   .gitignore          git ignores all of it
//   lock                one process at a time writes
//   12/run              what is known of run 12: written last
//   12/model.etdp       its dump, and the sidecar of the run next to it
//   12/pinned           never removed to make room
//   kept/HASH.etrecord  a record, once for all runs that have it; its sidecar next to it
//   kept/HASH.pte       a program, also once
//
// All of it is for the user alone (0700). What is read is as hostile as any file: a repository may bring such a folder.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/file_system.h"
#include "core/runs/run.h"

namespace etlens {

struct RunLimits {
  uint64_t bytes = uint64_t{1} << 30;
  size_t runs = 500;
};

struct StoredRuns {
  std::string folder;           // that has .etlens/runs: absolute
  std::vector<StoredRun> runs;  // by number
  size_t damaged = 0;           // folders of runs that cannot be read
  uint64_t bytes = 0;           // of all files of the runs

  const StoredRun* find(uint32_t number) const;
};

// The files of a stored run: absolute paths, "" for none.
struct RunFiles {
  std::string etdump;
  std::string etrecord;
  std::string pte;
};

// FOLDER/.etlens/runs.
std::string runs_folder(std::string_view folder);
bool is_stored_file(std::string_view path);  // below some .etlens/runs
// The folder (absolute) that has the runs of what lies in `folder`: itself, else the nearest above it in the same git
// working tree that has runs already, else itself. Above the working tree others may write.
std::string folder_of_runs(const FileSystem& files, const std::string& folder);

// No runs is no error. Error: Io if the folder is there and cannot be read.
Result<StoredRuns> list_runs(const FileSystem& files, const std::string& folder);
RunFiles files_of(const StoredRuns& stored, const StoredRun& run);

struct RunToStore {
  StoredRun run;       // paths, time, total, method, code; what storing finds out is filled in then
  std::string etdump;  // absolute
  FileStamp stamp;     // of the dump that the total is of
  std::string etrecord;  // absolute; "" without one
  std::string pte;
};
struct StoreOutcome {
  StoredRun run;
  bool is_new = true;  // false: the same dump with the same record is stored already
  size_t removed = 0;  // older runs, to make room
};
// Copies the files (or clones them, where the disk can) and removes the oldest runs above the limits; those that are pinned
// and the newest stay. What is there stays as it was if this fails. Errors are one sentence: Io, Incomplete if a file
// changed meanwhile, Unsupported if the run is larger than the limit.
Result<StoreOutcome> store_run(const std::string& folder, RunToStore wanted,
                               const RunLimits& limits = {});

// Error: NotFound, Io.
Result<void> pin_run(const std::string& folder, uint32_t number, bool is_pinned);
Result<void> remove_run(const std::string& folder, uint32_t number);
// Removes the oldest above the limits, and returns how many.
Result<size_t> trim_runs(const std::string& folder, const RunLimits& limits);

}  // namespace etlens
