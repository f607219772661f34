// SPDX-License-Identifier: Apache-2.0
#include "server/documents.h"

#include <algorithm>

#include "server/convert.h"

namespace etlens {
namespace {

// Without what the old and the new text have in common at both ends: formatters send whole files.
void trim_edit(TextEdit& edit, std::string_view old_text) {
  const std::string_view old_part = old_text.substr(edit.begin, edit.end - edit.begin);
  const size_t limit = std::min(old_part.size(), edit.text.size());
  size_t front = 0;
  while (front < limit && old_part[front] == edit.text[front]) ++front;
  size_t back = 0;
  while (back < limit - front &&
         old_part[old_part.size() - 1 - back] == edit.text[edit.text.size() - 1 - back])
    ++back;
  edit.begin += front;
  edit.end -= back;
  edit.text = edit.text.substr(front, edit.text.size() - front - back);
}

}  // namespace

const OpenDocument& Documents::open(const lsp::TextDocumentItem& item) {
  OpenDocument document;
  document.uri = item.uri;
  document.version = item.version;
  document.revision = ++revisions_;
  document.edits = EditLog(document.revision);
  document.text = std::make_shared<Document>(item.text);
  if (item.uri.is_file()) by_path_[item.uri.path()] = item.uri;
  OpenDocument& slot = open_[item.uri];
  slot = std::move(document);
  return slot;
}

const OpenDocument* Documents::change(const lsp::DidChangeTextDocumentParams& params) {
  const auto at = open_.find(params.textDocument.uri);
  if (at == open_.end()) return nullptr;
  OpenDocument* document = &at->second;
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
    trim_edit(edit, document->text->text());
    document->text = std::make_shared<Document>(document->text->edited(edit));
    document->edits.add(document->revision, std::move(edit));
  }
  return document;
}

bool Documents::close(const lsp::DocumentUri& uri) {
  by_path_.erase(uri.path());
  return open_.erase(uri) > 0;
}

const OpenDocument* Documents::find(const lsp::DocumentUri& uri) const {
  const auto at = open_.find(uri);
  return at == open_.end() ? nullptr : &at->second;
}

const OpenDocument* Documents::find_path(const std::string& path) const {
  const auto at = by_path_.find(path);
  return at == by_path_.end() ? nullptr : find(at->second);
}

}  // namespace etlens
