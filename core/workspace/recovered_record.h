// SPDX-License-Identifier: Apache-2.0
// Puts the lines inside helpers that an export lost back into its record (docs/recovery.md), with
// the sources of the workspace.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/cancellation.h"
#include "core/base/file_system.h"
#include "core/recover/recover.h"
#include "core/workspace/anchored_source.h"
#include "core/workspace/record_sources.h"

namespace etlens {

// With what a record's lost lines are looked for.
struct RecoveryRequest {
  SourceSearch search;
  std::vector<std::string> library_frames;  // globs
  // Where sources are, if not where artifacts are: another revision. Null: in the same place.
  std::shared_ptr<const FileSystem> source_files;
};

// What became of the lines that a record lost.
struct RecordRecovery {
  size_t placed = 0;                         // nodes whose line was found again
  std::vector<UnrecoveredCall> unrecovered;  // of all methods
  KnownSources sources;                      // the files that were read
  ParsedSources parsed;                      // and what they hold
  FileStamps stamps;                         // of every place that was looked at for one
  bool is_whole = false;                     // no file that the record names was missing

  // The parsed text, if it is the one that was read from there; null otherwise.
  std::shared_ptr<const PythonSyntax> syntax_of(const std::string& path,
                                                const Document& document) const;
};

// No line of the record is to be looked for.
bool lost_nothing(const EtRecord& record);

// Whether what was found again would be found again now: all that it was found with is as it was.
bool is_current(const RecordRecovery& recovery, const FileSystem& files);

// Changes the stacks of the record and its report. Null if nothing was tried: the record lost
// nothing, or no file of it is here. Nothing outside the search's folders is opened but files that
// the record names. Error: Cancelled; more work than a load may take only leaves the record as it
// is.
Result<std::shared_ptr<const RecordRecovery>> recover_record(const FileSystem& files,
                                                             const RecoveryRequest& request,
                                                             EtRecord& record,
                                                             const CancelToken& cancel);

}  // namespace etlens
