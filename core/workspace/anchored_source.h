// SPDX-License-Identifier: Apache-2.0
// AnchoredSource: a recorded file as it is now, with the place of each of its recorded lines.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/cancellation.h"
#include "core/base/file_system.h"
#include "core/base/load_report.h"
#include "core/code/code.h"
#include "core/source/anchor/anchor.h"
#include "core/source/document.h"
#include "core/source/paths/path_mapper.h"

namespace etlens {

struct AnchoredSource {
  FileId file;
  std::shared_ptr<const Document> document;  // null if the file was not found or not readable
  std::vector<Anchor> anchors;               // one per line of the file's row, in its order
  // The file as it was recorded, if git has it and it differs.
  std::shared_ptr<const Document> recorded;

  const Anchor& of(const Code& code, LineId line) const {
    return anchors[line.value - code.files[file.value].first_line];
  }
};

// What anchoring looks for, one per line of the file's row, in its order. Views into the record.
std::vector<RecordedLine> recorded_lines(const Code& code, FileId file);

// Anchors the lines of `file` in a document that the caller has (an open editor's), which may be
// null.
AnchoredSource anchor_source(const Code& code, FileId file,
                             std::shared_ptr<const Document> document,
                             const AnchorEvidence& evidence = {});

// Anchors them in the file at `path` as it is on disk. Where it is no longer what was recorded, git
// is asked for the version that was, which takes a while; where it takes too long, that is a row of
// `report`, which may be null.
AnchoredSource anchor_source_on_disk(const FileSystem& files, const Code& code, FileId file,
                                     std::string_view path,
                                     std::shared_ptr<const Document> document,
                                     AnchorEvidence evidence = {}, const CancelToken& cancel = {},
                                     LoadReport* report = nullptr);

// `before`, after edits of its document that led to `document`.
AnchoredSource anchor_source_after(const Code& code, const AnchoredSource& before,
                                   std::span<const TextEdit> edits,
                                   std::shared_ptr<const Document> document,
                                   std::shared_ptr<const PythonSyntax> syntax);

// Where a recorded file is in this workspace.
struct SourceLocation {
  std::string path;                     // absolute; "" if it was not found
  std::vector<std::string> candidates;  // if several fit equally well
};

// Where recorded files (with slashes) are known to be.
using KnownSources = std::map<std::string, std::string>;

// Where to look for recorded files.
struct SourceSearch {
  std::vector<std::string> roots;  // absolute folders that hold sources
  std::vector<PathMapping> path_mappings;
  KnownSources known = {};
  std::vector<std::string> environments = {};  // of Python, absolute: where packages are installed
};

// Finds every recorded file of the code, one per Code::files, and says which were not found.
std::vector<SourceLocation> find_sources(const FileSystem& files, const Code& code,
                                         const SourceSearch& search, LoadReport& report,
                                         const CancelToken& cancel = {});

// Reads every source from disk and anchors it. One per Code::files. A source that costs more than
// it may is as if it were not there, and a row of `report`, which may be null. `texts`: where
// sources are read, if not where git is asked for their history.
std::vector<AnchoredSource> read_and_anchor(const FileSystem& files, const Code& code,
                                            const std::vector<SourceLocation>& sources,
                                            LoadReport* report = nullptr,
                                            const CancelToken& cancel = {},
                                            const FileSystem* texts = nullptr);

}  // namespace etlens
