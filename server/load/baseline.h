// SPDX-License-Identifier: Apache-2.0
// The baseline: what the shown dump is compared with. A side of dumps, found and read like the
// shown one; it stays in memory while its files are what they were.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/cancellation.h"
#include "core/compare/compare.h"
#include "core/compare/side_files.h"
#include "core/workspace/file_stamps.h"
#include "server/config.h"

namespace etlens {

// What a baseline depends on. Equal keys (and settings) give equal sides.
struct BaselineKey {
  std::vector<std::string> paths;  // absolute; empty: nothing is compared
  std::string root;                // of the working tree whose revision they are of; "": on disk
  std::string commit;              // of that revision
  std::vector<std::string> dumps;  // on disk, the newest first
  bool is_searched = false;        // they were found in a folder or by a glob
  FileStamps stamps;               // of the dumps and their partners
  std::string problem;             // a sentence: why there is none

  bool is_wanted() const { return !paths.empty() || !problem.empty(); }
  friend bool operator==(const BaselineKey&, const BaselineKey&) = default;
};

// Found by the walk through the workspace, unless it lies in a folder that is never entered.
bool is_in_workspace(const std::vector<std::string>& roots, std::string_view path);

// Folders in which the settings' baseline is to be looked for, beside the workspace's.
std::vector<std::string> baseline_folders(const FileSystem& files,
                                          const std::vector<std::string>& roots,
                                          const BaselineSettings& settings);

// Where it is, without its dumps yet. A few looks at files, fit for the loop thread.
BaselineKey name_baseline(const FileSystem& files, const std::vector<std::string>& roots,
                          const BaselineSettings& settings);
// With its dumps. `found`: artifacts of those folders; `shown`: the dump that is shown, which a
// folder's baseline goes without.
BaselineKey find_baseline(const FileSystem& files, const std::vector<std::string>& roots,
                          const BaselineSettings& settings, BaselineKey key,
                          const std::vector<FoundArtifact>& found, const std::string& shown);

struct BaselineSide {
  BaselineKey key;
  LoadSettings settings;                     // that it was read with
  ChosenGroup like;                          // the group that is shown of the shown dump
  Result<std::shared_ptr<const Side>> side;  // or why there is none, in a sentence
};

// Reads it, in the background. `shown`: how the shown dump is read; `like`: the group that is shown
// of it; `before`: what was read last,
// or null. A baseline whose record was written over stays what it was.
std::shared_ptr<const BaselineSide> load_baseline(const FileSystem& files, const BaselineKey& key,
                                                  const LoadSettings& settings,
                                                  const std::vector<FoundArtifact>& found,
                                                  const LoadRequest& shown, const ChosenGroup& like,
                                                  std::shared_ptr<const BaselineSide> before,
                                                  const CancelToken& cancel);

}  // namespace etlens
