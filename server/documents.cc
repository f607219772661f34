// SPDX-License-Identifier: Apache-2.0
#include "server/documents.h"

#include <algorithm>

#include "server/convert.h"

namespace etlens {
namespace {

// More than this is not worth remembering: anchoring starts from the text.
constexpr size_t kMaxEdits = 1000;
constexpr size_t kMaxEditBytes = 1 << 20;

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

// Makes one edit of two, the second of the text that the first left; false if they do not meet.
bool join_edits(TextEdit& first, const TextEdit& second) {
  const size_t end = first.begin + first.text.size();
  if (second.begin > end || second.end < first.begin) return false;
  const std::string_view written = first.text;
  std::string text;
  if (second.begin > first.begin) text += written.substr(0, second.begin - first.begin);
  text += second.text;
  if (second.end < end) text += written.substr(second.end - first.begin);
  first.begin = std::min(first.begin, second.begin);
  first.end += second.end > end ? second.end - end : 0;
  first.text = std::move(text);
  return true;
}

}  // namespace

OpenDocument& Documents::open(const lsp::TextDocumentItem& item) {
  OpenDocument document;
  document.uri = item.uri;
  document.version = item.version;
  document.revision = document.edits_base = ++revisions_;
  document.text = std::make_shared<Document>(item.text);
  if (item.uri.is_file()) by_path_[item.uri.path()] = item.uri;
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
    trim_edit(edit, document->text->text());
    document->edit_bytes += edit.text.size();
    document->text = std::make_shared<Document>(document->text->edited(edit));
    if (document->edits.empty() || !join_edits(document->edits.back(), edit)) {
      document->edits.push_back(std::move(edit));
    }
  }
  if (document->edits.size() > kMaxEdits || document->edit_bytes > kMaxEditBytes) {
    document->edits.clear();
    document->edit_bytes = 0;
    document->edits_base = document->revision;
  }
  return document;
}

bool Documents::close(const lsp::DocumentUri& uri) {
  by_path_.erase(uri.path());
  return open_.erase(uri) > 0;
}

OpenDocument* Documents::find(const lsp::DocumentUri& uri) {
  const auto at = open_.find(uri);
  return at == open_.end() ? nullptr : &at->second;
}

OpenDocument* Documents::find_path(const std::string& path) {
  const auto at = by_path_.find(path);
  return at == by_path_.end() ? nullptr : find(at->second);
}

}  // namespace etlens
