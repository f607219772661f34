// SPDX-License-Identifier: Apache-2.0
// Documents: what the client has open, as it is there. A document's text is shared and never
// changes; an edit makes a new one and is remembered for whoever saw an earlier one.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <unordered_map>

#include "core/source/document.h"
#include "protocol/position_encoding.h"
#include "protocol/types.h"
#include "server/session/edit_log.h"

namespace etlens {

struct OpenDocument {
  lsp::DocumentUri uri;
  int32_t version = 0;
  uint64_t revision = 0;  // counts up with every change of any document: versions may repeat
  std::shared_ptr<const Document> text;
  EditLog edits;
};

class Documents {
 public:
  explicit Documents(lsp::PositionEncoding encoding = lsp::PositionEncoding::Utf16)
      : encoding_(encoding) {}
  void set_encoding(lsp::PositionEncoding encoding) { encoding_ = encoding; }

  // Opening what is open replaces it.
  const OpenDocument& open(const lsp::TextDocumentItem& item);
  // Null if it is not open.
  const OpenDocument* change(const lsp::DidChangeTextDocumentParams& params);
  bool close(const lsp::DocumentUri& uri);

  const OpenDocument* find(const lsp::DocumentUri& uri) const;
  // Of a file: absolute and normal.
  const OpenDocument* find_path(const std::string& path) const;
  const std::unordered_map<lsp::DocumentUri, OpenDocument>& all() const { return open_; }

 private:
  // As many of the changes from `first` on as can be made at once; the first that was not.
  size_t apply(OpenDocument& document, std::span<const lsp::TextDocumentContentChangeEvent> changes,
               size_t first) const;

  lsp::PositionEncoding encoding_;
  uint64_t revisions_ = 0;
  std::unordered_map<lsp::DocumentUri, OpenDocument> open_;
  std::unordered_map<std::string, lsp::DocumentUri> by_path_;  // of what is open
};

}  // namespace etlens
