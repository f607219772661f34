// SPDX-License-Identifier: Apache-2.0
// A file as far as a record tells: its recorded lines, in classes and functions of their names. For
// anchoring the lines of another record in it where the file itself is not at hand.
#pragma once

#include <memory>
#include <vector>

#include "core/code/code.h"
#include "core/source/document.h"
#include "core/workspace/anchored_source.h"

namespace etlens {

struct RecordedText {
  std::shared_ptr<const Document> document;
  std::vector<LineId> line_of;  // one per line of the document; invalid for the headers
};

// Recorded files as text; null where one is not at hand.
using SourceTexts = std::vector<std::shared_ptr<const Document>>;  // one per Code::files

// The sources as they were exported: on disk, or in git's history of the file, which may take a
// second. Where neither has them the record's own lines have to do.
SourceTexts read_recorded_texts(const FileSystem& files, const Code& code,
                                const std::vector<SourceLocation>& sources,
                                const CancelToken& cancel = {});

RecordedText text_of_record(const Code& code, FileId file);
// The same of a file that is at hand, if it is the one that was recorded; else of the record.
RecordedText text_of_file(const Code& code, FileId file,
                          const std::shared_ptr<const Document>& document);

}  // namespace etlens
