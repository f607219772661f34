// SPDX-License-Identifier: Apache-2.0
// Sources: the files of one code of the shown study as they are now, open in the editor or on
// disk, with every recorded line in its place, and what one measure says of their classes,
// functions and attributes. Computed when asked for, kept until the text or the study
// changes.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/facts/scopes.h"
#include "core/source/anchor/line_shift.h"
#include "core/source/python/python_syntax.h"
#include "server/documents.h"
#include "server/open_study.h"

namespace etlens {

// One file of the study, as of one text.
struct SourceView {
  FileId file;
  lsp::DocumentUri uri;
  std::shared_ptr<const Document> document;
  std::shared_ptr<const PythonSyntax> syntax;  // null in a quick view
  AnchoredSource anchored;
  std::vector<std::pair<uint32_t, LineId>>
      by_line;                             // 0-based line of now -> recorded line; ascending
  std::vector<AttributeFacts> attributes;  // ascending by line
  std::vector<const ClassRow*> classes;    // one per scope of the syntax; null where none is known

  const Anchor& anchor_of(const Code& code, LineId line) const { return anchored.of(code, line); }
  // The recorded lines that are at a 0-based line now.
  std::vector<LineId> lines_at(uint32_t line) const;
  // What stands behind the attribute that is made on a 0-based line; null if there is nothing.
  const AttributeFacts* attribute_at(uint32_t line) const;
};

// What stands above a class or function.
struct ScopeLens {
  uint32_t scope = kNone;  // of PythonSyntax::scopes
  uint32_t line = 0;       // 0-based, of the header
  std::string title;
};

class Sources {
 public:
  Sources(const FileSystem& files, const Documents& documents)
      : files_(files), documents_(documents) {}

  // From now on the code of `facts`, which are of the study; what was computed before is forgotten.
  // Both null: nothing is shown.
  void set_study(std::shared_ptr<const OpenStudy> study, const Facts* facts);
  // How classes, functions and attributes are shown.
  void set_show(const ShowSettings& show);
  void forget(const lsp::DocumentUri& uri);

  // Null if the study has nothing in the file, or it cannot be read. Valid until the next change of
  // a text or the study.
  const SourceView* view(FileId file);
  const SourceView* view(const lsp::DocumentUri& uri);
  // As view, but after a keystroke at once: places are carried by arithmetic, nothing is parsed,
  // and the view's syntax is null. Until settle() they may differ from what a thorough look says.
  const SourceView* quick_view(FileId file);
  const SourceView* quick_view(const lsp::DocumentUri& uri);
  bool is_settled() const { return unsettled_.empty(); }
  // Looks thoroughly at what was only looked at quickly. True if anything is elsewhere now.
  bool settle();
  // The recorded line's place now, as quick_view says; 1-based, 0 if it has none.
  uint32_t current_line(LineId line);
  // Of a view that is valid.
  const std::vector<ScopeLens>& lenses(const SourceView& view);
  // No source that is known, but a file of that name was recorded which was not found, or is there
  // no longer: this may be it.
  bool is_missed(std::string_view path) const;
  // Counts up with every change of any place.
  uint64_t changes() const { return changes_; }

 private:
  struct Cached {
    uint64_t revision = 0;  // of the open document; 0: from disk
    FileStamp stamp;        // of the file on disk
    SourceView view;
    std::optional<std::vector<ScopeLens>> lenses;
    std::vector<RecordedLine> recorded;  // of the file; made when they are first needed
    // `view` after the edits since, by arithmetic.
    SourceView quick;
    uint64_t quick_revision = 0;
  };
  // The syntax of an open document; survives a change of the study.
  struct Parsed {
    uint64_t revision = 0;
    std::shared_ptr<const PythonSyntax> syntax;
  };

  FileId find(const lsp::DocumentUri& uri) const;
  const Code& code() const { return facts_->code(); }
  const std::string& path_of(FileId file) const;
  void forget_all();
  const SourceView* open_view(FileId file, const OpenDocument& document);
  const SourceView* carried_view(FileId file, const OpenDocument& document);
  const SourceView* disk_view(FileId file);
  const std::shared_ptr<const PythonSyntax>& parse(FileId file, const OpenDocument& document);
  static std::optional<std::vector<TextEdit>> edits_since(const Cached& cached,
                                                          const OpenDocument& document);
  void complete(SourceView& view) const;
  static void carry_attributes(const SourceView& base, const LineShift& shift, SourceView& view);
  void list_lines(SourceView& view) const;

  const FileSystem& files_;
  const Documents& documents_;
  uint64_t changes_ = 0;
  std::shared_ptr<const OpenStudy> study_;
  const Facts* facts_ = nullptr;  // of the study
  ShowSettings show_;
  std::unordered_map<FileId, Cached> cached_;
  std::unordered_set<FileId> unsettled_;  // shown by a quick view
  std::unordered_map<lsp::DocumentUri, Parsed> parsed_;
};

}  // namespace etlens
