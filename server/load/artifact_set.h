// SPDX-License-Identifier: Apache-2.0
// ArtifactSet: the artifacts of the workspace, kept up to date, and which of them are to be shown.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/workspace/resolve.h"
#include "server/config.h"
#include "server/load/baseline.h"

namespace etlens {

// What a load depends on. Equal keys give equal studies.
struct LoadKey {
  // With absolute paths. They name what is shown: `etdump`; without a dump `pte` or `etrecord`, of
  // an export that has not run, or `profile`.
  LoadSettings settings;
  bool is_chosen = false;  // somebody named the dump, whether it is the newest or not
  FileStamps stamps;       // looked_at() of the settings
  BaselineKey baseline;    // filled in by the StudyLoader

  bool is_empty() const { return name().empty(); }
  // What is shown, for messages.
  const std::string& name() const {
    for (const std::string* path : {&settings.etdump, &settings.pte, &settings.etrecord})
      if (!path->empty()) return *path;
    return settings.profile;
  }
  // As it was when it was looked at; nullopt if it was not there.
  std::optional<FileStamp> stamp() const;
  friend bool operator==(const LoadKey&, const LoadKey&) = default;
};

class ArtifactSet {
 public:
  explicit ArtifactSet(const FileSystem& files) : files_(files) {}

  const std::vector<FoundArtifact>& found() const { return found_; }
  // The result of a walk; true if it differs from what was known.
  bool replace(std::vector<FoundArtifact> found);
  // Looks at one path that changed, appeared or went; true if that matters here.
  bool update(const std::string& path);

  // What to load now: the dump that the settings name or the newest, the record and program that
  // they name or the likely ones, the newest Python profile; without a dump the newest export; with
  // their stamps as they are at this moment. `baseline`: paths that name the baseline; its dumps
  // are the newest only where there are no others.
  LoadKey key(const std::vector<std::string>& roots, const LoadSettings& settings,
              const std::vector<std::string>& baseline = {}) const;

  // Folders in which a change may concern us, at most `limit`.
  std::vector<std::string> folders(const std::vector<std::string>& roots, size_t limit) const;

 private:
  bool is_beside_dump(const std::string& path) const;

  const FileSystem& files_;
  std::vector<FoundArtifact> found_;  // by path
};

// The artifact that was shown as `path`: names that are no UTF-8, or hold control characters, are
// shown as another text. `path` itself if there is none, or one of exactly that name.
std::string path_as_shown(const std::vector<FoundArtifact>& found, const std::string& path);

// The wish of the settings, with absolute paths. Its sources are below the roots.
StudyWish absolute_wish(const FileSystem& files, const std::vector<std::string>& roots,
                        StudyWish wish);

// A path of the settings: itself if it is absolute, else below the first root that has it.
std::string resolve_path(const FileSystem& files, const std::vector<std::string>& roots,
                         const std::string& path);

}  // namespace etlens
