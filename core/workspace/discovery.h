// SPDX-License-Identifier: Apache-2.0
// Finds artifacts below folders by their content, and which may belong together.
#pragma once

#include <string>
#include <vector>

#include "core/base/cancellation.h"
#include "core/base/file_system.h"
#include "core/base/result.h"
#include "core/formats/file_kind.h"

namespace etlens {

struct FoundArtifact {
  std::string path;  // absolute
  FileKind kind = FileKind::Other;
  FileStamp stamp;
};

struct DiscoveryOptions {
  std::vector<std::string> roots;  // absolute folders
  std::vector<std::string> globs;  // if any: only files that match one, below their root
  // Endings of names: such files are found whatever they hold.
  std::vector<std::string> any_content = {};
  static constexpr size_t kMaxEntries = 500'000;
  size_t max_entries = kMaxEntries;  // where the walk ends
};

// Artifacts below the roots, sorted by path. Hidden folders, environments and
// package folders are not entered; sources and other well-known text files are not opened.
std::vector<FoundArtifact> find_artifacts(const FileSystem& files, const DiscoveryOptions& options,
                                          const CancelToken& cancel = {});

// The newest dump first; equally old ones by path.
std::vector<const FoundArtifact*> dumps_by_age(const std::vector<FoundArtifact>& found);

// The newest program first; bundled ones only where there is no other.
std::vector<const FoundArtifact*> programs_by_age(const std::vector<FoundArtifact>& found);

// The artifact of that kind that was written last; null without one.
const FoundArtifact* newest_of(const std::vector<FoundArtifact>& found, FileKind kind);

// The files of `kind` that may belong to the artifact at `path`, the likeliest first: same folder
// and stem, same folder, the nearest folders above and below, then the rest.
std::vector<const FoundArtifact*> partners(const std::vector<FoundArtifact>& found,
                                           std::string_view path, FileKind kind);

// Programs that may belong to it in the same order: those by themselves, then those in bundled
// programs.
std::vector<const FoundArtifact*> program_partners(const std::vector<FoundArtifact>& found,
                                                   std::string_view path);

// Of several that may belong to an artifact, so many are read at most.
inline constexpr size_t kMaxScored = 8;

// What the values of a dump may be compared with, the likeliest first: .npz and bundled programs in
// its folder, at most kMaxReferences of each, and its record, which may carry outputs.
std::vector<std::string> reference_candidates(const std::vector<FoundArtifact>& found,
                                              const std::string& etdump,
                                              const std::string& etrecord);
inline constexpr size_t kMaxReferences = 4;

}  // namespace etlens
