// SPDX-License-Identifier: Apache-2.0
// AnchoredSource: a recorded file as it is now, with the place of each of its recorded lines.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/base/file_system.h"
#include "core/snapshot.h"
#include "core/source/anchor.h"
#include "core/source/document.h"

namespace etlens {

struct AnchoredSource {
  FileId file;
  std::shared_ptr<const Document> document;  // null if the file was not found or not readable
  std::vector<Anchor> anchors;               // one per line of the file's row, in its order

  const Anchor& of(const Profile& profile, LineId line) const {
    return anchors[line.value - profile.files[file.value].first_line];
  }
};

// Anchors the lines of `file` in a document that the caller has (an open editor's).
AnchoredSource anchor_source(const Profile& profile, FileId file,
                             std::shared_ptr<const Document> document);

// Reads every source of the snapshot from disk and anchors it. One per Profile::files.
std::vector<AnchoredSource> read_and_anchor(const FileSystem& files, const ProfileSnapshot& snapshot);

}  // namespace etlens
