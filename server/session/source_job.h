// SPDX-License-Identifier: Apache-2.0
// SourceJob: one look at a source: read, parsed, its recorded lines put in their places. Made on
// the loop thread, run there if it is done in a moment, else in the background, and not looked at
// until it is done. What it takes along never changes.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/cancellation.h"
#include "server/load/open_study.h"
#include "server/session/source_view.h"

namespace etlens {

// Which text of a file: of the open document, or of the disk.
struct TextVersion {
  uint64_t revision = 0;  // of the open document; 0: from disk
  FileStamp stamp;        // of the file on disk

  friend bool operator==(const TextVersion&, const TextVersion&) = default;
};

struct SourceJob {
  std::shared_ptr<const OpenStudy> study;
  const Facts* facts = nullptr;  // of the study
  ShowSettings show;
  FileId file;
  std::string path;
  lsp::DocumentUri uri;
  TextVersion version;
  std::shared_ptr<const Document> text;  // of the open document; null: the file is read
  CancelToken cancel;

  // What an earlier text was found to be, and the edits since; null without.
  std::shared_ptr<const PythonSyntax> parsed;
  std::vector<TextEdit> parsed_edits;
  std::shared_ptr<const SourceView> anchored;
  std::vector<TextEdit> anchored_edits;

  // Null until it is done.
  std::shared_ptr<const SourceView> result;
  int64_t took_ns = 0;  // of processor time, in the background

  // Under the budget of a load. Without a result if there is no such file, or it costs too much.
  void run(const FileSystem& files);
  // As run, but takes so much processor time at most. False if that is too little, and for what
  // is too large to be tried.
  bool run_at_once(const FileSystem& files, int64_t limit_ns);

 private:
  const DiskSource& loaded() const { return study->sources_of(facts->code())[file.value]; }
  bool is_small() const;
  void look(const FileSystem& files);
  std::shared_ptr<const PythonSyntax> parse(const std::shared_ptr<const Document>& document) const;
  AnchoredSource anchor(const SourceView& view) const;
};

}  // namespace etlens
