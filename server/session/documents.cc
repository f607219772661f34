// SPDX-License-Identifier: Apache-2.0
#include "server/session/documents.h"

#include <algorithm>
#include <span>

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

// The text after edits that all count in the text itself, each before the one before it.
std::string edited_backwards(std::string_view text, std::span<const TextEdit> edits) {
  std::string edited;
  size_t copied = 0;
  for (size_t e = edits.size(); e > 0; --e) {
    const TextEdit& edit = edits[e - 1];
    edited.append(text.substr(copied, edit.begin - copied)).append(edit.text);
    copied = edit.end;
  }
  return edited.append(text.substr(copied));
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
  for (size_t next = 0; next < params.contentChanges.size();)
    next = apply(*document, params.contentChanges, next);
  return document;
}

// Editors send what was typed at many cursors from the end of the text to its begin: then all
// changes count in the text before them, which is copied once and not for each.
size_t Documents::apply(OpenDocument& document,
                        std::span<const lsp::TextDocumentContentChangeEvent> changes,
                        size_t first) const {
  const Document& before = *document.text;
  std::vector<TextEdit> edits;
  size_t next = first;
  size_t limit = before.text().size();  // from here on the text has changed
  for (; next < changes.size(); ++next) {
    const lsp::TextDocumentContentChangeEvent& change = changes[next];
    TextEdit edit;
    edit.end = before.text().size();
    edit.text = change.text;
    if (change.range) {
      edit.begin = to_offset(before, change.range->start, encoding_);
      edit.end = std::max(edit.begin, to_offset(before, change.range->end, encoding_));
    }
    if (!edits.empty() && edit.end >= limit) break;
    limit = edit.begin;
    trim_edit(edit, before.text());
    edits.push_back(std::move(edit));
  }
  document.text = edits.size() == 1
                      ? std::make_shared<Document>(before.edited(edits.front()))
                      : std::make_shared<Document>(edited_backwards(before.text(), edits));
  for (TextEdit& edit : edits) document.edits.add(document.revision, std::move(edit));
  return next;
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
