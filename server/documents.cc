// SPDX-License-Identifier: Apache-2.0
#include "server/documents.h"

#include <algorithm>

#include "server/convert.h"

namespace etlens {
namespace {

// More edits than this are not worth remembering: anchoring starts from the text.
constexpr size_t kMaxEdits = 1000;

}  // namespace

OpenDocument& Documents::open(const lsp::TextDocumentItem& item) {
  OpenDocument document;
  document.uri = item.uri;
  document.version = item.version;
  document.revision = document.edits_base = ++revisions_;
  document.text = std::make_shared<Document>(item.text);
  OpenDocument& slot = open_[item.uri];
  slot = std::move(document);
  return slot;
}

OpenDocument* Documents::change(const lsp::DidChangeTextDocumentParams& params) {
  OpenDocument* document = find(params.textDocument.uri);
  if (document == nullptr) return nullptr;
  document->version = params.textDocument.version;
  document->revision = ++revisions_;
  for (const lsp::TextDocumentContentChangeEvent& change : params.contentChanges) {
    TextEdit edit;
    edit.end = document->text->text().size();
    edit.text = change.text;
    if (change.range) {
      edit.begin = to_offset(*document->text, change.range->start, encoding_);
      edit.end = std::max(edit.begin, to_offset(*document->text, change.range->end, encoding_));
    }
    document->text = std::make_shared<Document>(document->text->edited(edit));
    document->edits.push_back(std::move(edit));
  }
  if (document->edits.size() > kMaxEdits) {
    document->edits.clear();
    document->edits_base = document->revision;
  }
  return document;
}

bool Documents::close(const lsp::DocumentUri& uri) { return open_.erase(uri) > 0; }

OpenDocument* Documents::find(const lsp::DocumentUri& uri) {
  const auto at = open_.find(uri);
  return at == open_.end() ? nullptr : &at->second;
}

OpenDocument* Documents::find_path(std::string_view path) {
  return path.empty() ? nullptr : find(lsp::DocumentUri::from_path(path));
}

}  // namespace etlens
