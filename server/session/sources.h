// SPDX-License-Identifier: Apache-2.0
// Sources: the files of one code of the shown study as they are now, open in the editor or on
// disk, with every recorded line in its place, and what one measure says of their classes,
// functions and attributes. Looked at when asked for, kept until the text or the study changes.
//
// A look that takes longer than a moment goes on in the background; until it is done the view is
// what was known before, carried along by arithmetic, or there is none.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "server/load/open_study.h"
#include "server/session/documents.h"
#include "server/session/source_job.h"
#include "server/session/source_view.h"
#include "server/session/source_worker.h"

namespace etlens {

class Sources {
 public:
  Sources(const FileSystem& files, const Documents& documents, SourceWorker& worker)
      : files_(files), documents_(documents), worker_(worker) {}
  ~Sources();
  Sources(const Sources&) = delete;
  Sources& operator=(const Sources&) = delete;

  // From now on the code of `facts`, which are of the study; what was computed before is forgotten.
  // Both null: nothing is shown.
  void set_study(std::shared_ptr<const OpenStudy> study, const Facts* facts);
  // How classes, functions and attributes are shown.
  void set_show(const ShowSettings& show);
  void forget(const lsp::DocumentUri& uri);

  // Null if the study has nothing in the file, if it cannot be read, or was not looked at yet.
  // Valid until the next change of a text or the study. The view's syntax is null where places were
  // carried by arithmetic: until settle() they may differ from what a thorough look says.
  const SourceView* view(FileId file);
  const SourceView* view(const lsp::DocumentUri& uri);
  // As view, but after a keystroke by arithmetic even if a thorough look would take a moment only.
  const SourceView* quick_view(FileId file);
  const SourceView* quick_view(const lsp::DocumentUri& uri);
  // Whether the study has something in the file.
  bool has(const lsp::DocumentUri& uri) { return find(uri).valid(); }
  // Whether the file is being looked at in the background.
  bool is_looked_at(const lsp::DocumentUri& uri);
  bool is_settled() const { return unsettled_.empty(); }
  // Looks thoroughly at what was only looked at quickly. True if anything is elsewhere now. Of what
  // takes longer the worker tells later.
  bool settle();
  // The recorded line's place now, as quick_view says; 1-based, 0 if it has none.
  uint32_t current_line(LineId line);
  // No source that is known, but a file of that name was recorded which was not found, or is there
  // no longer: this may be it.
  bool is_missed(std::string_view path) const;
  // Counts up with every change of any place.
  uint64_t changes() const { return changes_; }

 private:
  struct Cached {
    std::shared_ptr<const SourceView> view;  // thorough; null before the first look
    TextVersion version;                     // of it
    std::vector<RecordedLine> recorded;      // of the file; made when they are first needed
    // `view` after the edits since, by arithmetic.
    SourceView quick;
    uint64_t quick_revision = 0;
    bool quick_lost_lines = false;      // in an edit that replaced many lines by many
    std::shared_ptr<SourceJob> job;     // that is running or waits for its turn
    std::optional<TextVersion> failed;  // what a look was without a result at
    Timer rest;  // until then the file on disk is not looked at again, changed or not
  };
  // The syntax of an open document; survives a change of the study.
  struct Parsed {
    uint64_t revision = 0;
    std::shared_ptr<const PythonSyntax> syntax;
  };

  FileId find(const lsp::DocumentUri& uri);
  FileId find_otherwise(const std::string& path) const;
  const Code& code() const { return facts_->code(); }
  // Where it was found; or what is open instead: the same file by another name, or of several that
  // it could be one.
  const std::string& path_of(FileId file) const;
  void forget_all();
  const SourceView* look(FileId file, const OpenDocument* document);
  std::shared_ptr<SourceJob> make_job(FileId file, const TextVersion& version,
                                      const OpenDocument* document) const;
  void start(FileId file, std::shared_ptr<SourceJob> job);
  void finish(FileId file, const std::shared_ptr<SourceJob>& job);
  void take(Cached& cached, const SourceJob& job);
  void rest(Cached& cached, const SourceJob& job);
  const SourceView* carried_view(FileId file, const OpenDocument& document);
  static std::optional<std::vector<TextEdit>> edits_since(const Cached& cached,
                                                          const OpenDocument& document);

  const FileSystem& files_;
  const Documents& documents_;
  SourceWorker& worker_;
  uint64_t changes_ = 0;
  std::shared_ptr<const OpenStudy> study_;
  const Facts* facts_ = nullptr;  // of the study
  ShowSettings show_;
  std::unordered_map<FileId, Cached> cached_;
  std::unordered_set<FileId> unsettled_;  // shown by a quick view
  // Of files that were opened where they were not found: which one that is, invalid for none; and
  // the other way round, the last one that was asked about.
  std::unordered_map<std::string, FileId> opened_;
  std::unordered_map<FileId, std::string> other_names_;
  std::unordered_map<lsp::DocumentUri, Parsed> parsed_;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace etlens
