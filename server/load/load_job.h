// SPDX-License-Identifier: Apache-2.0
// What a load takes along and brings back. Made on the loop thread, run in the background, and not
// looked at until it is done.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "server/load/open_study.h"

namespace etlens {

struct LoadJob {
  LoadKey key;
  std::vector<FoundArtifact> found;
  std::vector<FoundArtifact> baseline_found;  // around the baseline, the workspace's too
  CancelToken cancel;
  std::shared_ptr<const OpenStudy> shown;        // may be null
  std::shared_ptr<const BaselineSide> baseline;  // likewise; after the job what it is now
  bool reads_again = false;                      // also what is shown and has not changed
  bool is_try = false;                           // the dump may still be written

  // Null: what is shown is what would be loaded.
  Result<std::shared_ptr<const OpenStudy>> result =
      Error{ErrorCode::Internal, "the load did not run"};

  void run(const FileSystem& files);
  // Nothing about the result suggests that a file is still being written or to come.
  bool is_whole() const;

 private:
  // What is shown need not be read again.
  bool can_reuse_shown() const { return shown != nullptr && !reads_again; }
  Result<LoadRequest> choose(const FileSystem& files) const;
  std::string damaged_record(const FileSystem& files) const;
  Result<std::shared_ptr<const OpenStudy>> load(const FileSystem& files);
  // Nothing: what is shown is what would be loaded.
  Result<std::optional<OpenStudy>> choose_and_open(const FileSystem& files,
                                                   LoadRequest& request) const;
  // Without the record if that cannot be used and nothing better is shown.
  Result<OpenStudy> open(const FileSystem& files, const LoadRequest& request) const;
  Result<OpenStudy> open_all(const FileSystem& files, const LoadRequest& request) const;
  std::vector<DiskSource> read_sources(const FileSystem& files, const Code& code,
                                       const std::vector<SourceLocation>& locations,
                                       const RecordRecovery* recovery, LoadReport& problems) const;
  static void read_values(const Study& study, uint64_t most_bytes, OpenStudy& open);
  // Into `study`; or why it is not compared.
  Result<void> compare(const FileSystem& files, const LoadRequest& request, OpenStudy& study);
};

}  // namespace etlens
