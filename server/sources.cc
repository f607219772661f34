// SPDX-License-Identifier: Apache-2.0
#include "server/sources.h"

#include <algorithm>

#include "core/base/path.h"
#include "core/render/scope_text.h"
#include "core/source/anchor/edited_anchors.h"

namespace etlens {

std::vector<LineId> SourceView::lines_at(uint32_t line) const {
  std::vector<LineId> ids;
  auto at = std::lower_bound(by_line.begin(), by_line.end(), std::pair(line, LineId(0)));
  for (; at != by_line.end() && at->first == line; ++at) ids.push_back(at->second);
  return ids;
}

const AttributeFacts* SourceView::attribute_at(uint32_t line) const {
  const auto at = std::ranges::lower_bound(attributes, line, {}, &AttributeFacts::line);
  return at == attributes.end() || at->line != line ? nullptr : &*at;
}

void Sources::set_study(std::shared_ptr<const OpenStudy> study, const Facts* facts) {
  study_ = std::move(study);
  facts_ = facts;
  forget_all();
}

void Sources::set_show(const ShowSettings& show) {
  show_ = show;
  forget_all();
}

void Sources::forget_all() {
  cached_.clear();
  unsettled_.clear();
  ++changes_;
}

void Sources::forget(const lsp::DocumentUri& uri) { parsed_.erase(uri); }

FileId Sources::find(const lsp::DocumentUri& uri) const {
  return study_ && uri.is_file() ? facts_->find_source(uri.path()) : FileId();
}

bool Sources::is_missed(std::string_view path) const {
  if (!study_ || facts_->find_source(path).valid()) return false;
  for (size_t f = 0; f < code().files.size(); ++f) {
    if (base_name(code().recorded_path(FileId(f))) != base_name(path)) continue;
    const SourceLocation& place = facts_->sources()[f];
    if (place.candidates.empty() && (place.path.empty() || !files_.stat(place.path))) return true;
  }
  return false;
}

const std::string& Sources::path_of(FileId file) const {
  return facts_->sources()[file.value].path;
}

const SourceView* Sources::view(const lsp::DocumentUri& uri) {
  const FileId file = find(uri);
  return file.valid() ? view(file) : nullptr;
}

const SourceView* Sources::quick_view(const lsp::DocumentUri& uri) {
  const FileId file = find(uri);
  return file.valid() ? quick_view(file) : nullptr;
}

const SourceView* Sources::quick_view(FileId file) {
  if (!study_) return nullptr;
  const std::string& path = path_of(file);
  if (const OpenDocument* document = documents_.find_path(path)) {
    if (const SourceView* carried = carried_view(file, *document)) return carried;
  }
  return view(file);
}

const SourceView* Sources::view(FileId file) {
  if (!study_) return nullptr;
  const std::string& path = path_of(file);
  if (const OpenDocument* document = documents_.find_path(path)) return open_view(file, *document);
  return disk_view(file);
}

uint32_t Sources::current_line(LineId line) {
  if (!study_) return 0;
  const SourceView* source = quick_view(code().lines[line.value].file);
  return source == nullptr ? 0 : source->anchor_of(code(), line).line;
}

// Parses what changed since the last time; the whole text only if it is neither known from before
// nor what the load found on disk.
const std::shared_ptr<const PythonSyntax>& Sources::parse(FileId file,
                                                          const OpenDocument& document) {
  Parsed& parsed = parsed_[document.uri];
  if (parsed.syntax && parsed.revision == document.revision) return parsed.syntax;
  const DiskSource& loaded = study_->sources_of(code())[file.value];
  std::optional<std::vector<TextEdit>> edits;
  if (parsed.syntax) edits = document.edits.since(parsed.revision);
  if (edits) {
    parsed.syntax = parsed.syntax->edited(*edits, document.text);
  } else if (loaded.syntax && loaded.syntax->document().text() == document.text->text()) {
    parsed.syntax = loaded.syntax;
  } else {
    parsed.syntax = PythonSyntax::parse(document.text);
  }
  parsed.revision = document.revision;
  return parsed.syntax;
}

// The edits that lead from what was anchored last to the document; nullopt if that was another
// text.
std::optional<std::vector<TextEdit>> Sources::edits_since(const Cached& cached,
                                                          const OpenDocument& document) {
  if (!cached.view.document || cached.revision == 0) return std::nullopt;
  return document.edits.since(cached.revision);
}

const SourceView* Sources::open_view(FileId file, const OpenDocument& document) {
  Cached& cached = cached_[file];
  if (cached.view.document && cached.revision == document.revision) return &cached.view;
  SourceView view;
  view.file = file;
  view.uri = document.uri;
  view.document = document.text;
  // The anchors of the text before the edits are carried along.
  const std::optional<std::vector<TextEdit>> edits = edits_since(cached, document);
  view.syntax = parse(file, document);
  const DiskSource& loaded = study_->sources_of(code())[file.value];
  if (view.syntax == loaded.syntax) {
    view.anchored = loaded.anchored;
  } else if (edits) {
    view.anchored =
        anchor_source_after(code(), cached.view.anchored, *edits, document.text, view.syntax);
  } else {
    view.anchored =
        anchor_source(code(), file, document.text, {view.syntax, loaded.anchored.recorded});
  }
  complete(view);
  // Nobody can tell what is assigned in a text that is no valid Python: what was known stays.
  if (edits && !view.syntax->is_valid())
    carry_attributes(cached.view, LineShift(*cached.view.document, *edits, *document.text), view);
  ++changes_;
  cached.lenses.reset();
  cached.revision = document.revision;
  cached.view = std::move(view);
  unsettled_.erase(file);
  return &cached.view;
}

// Null if there is nothing to carry, or nothing that it can be carried from.
const SourceView* Sources::carried_view(FileId file, const OpenDocument& document) {
  const auto at = cached_.find(file);
  if (at == cached_.end()) return nullptr;
  Cached& cached = at->second;
  if (cached.revision == document.revision) return nullptr;
  SourceView& view = cached.quick;
  if (view.document && cached.quick_revision == document.revision) return &view;
  const std::optional<std::vector<TextEdit>> edits = edits_since(cached, document);
  if (!edits) return nullptr;
  if (cached.recorded.empty()) cached.recorded = recorded_lines(code(), file);
  const SourceView& base = cached.view;
  const LineShift shift(*base.document, *edits, *document.text);
  view.file = file;
  view.uri = document.uri;
  view.document = view.anchored.document = document.text;
  view.anchored.file = file;
  view.anchored.anchors =
      carry_anchors(*base.document, base.anchored.anchors, shift, *document.text, cached.recorded)
          .anchors;
  list_lines(view);
  carry_attributes(base, shift, view);
  cached.quick_revision = document.revision;
  unsettled_.insert(file);
  ++changes_;
  return &view;
}

bool Sources::settle() {
  const auto shows_same = [](const SourceView& a, const SourceView& b) {
    const auto same_anchor = [](const Anchor& x, const Anchor& y) {
      return x.line == y.line && x.edited == y.edited && x.verdict == y.verdict;
    };
    const auto same_attribute = [](const AttributeFacts& x, const AttributeFacts& y) {
      return x.line == y.line && x.row == y.row;
    };
    return std::ranges::equal(a.anchored.anchors, b.anchored.anchors, same_anchor) &&
           std::ranges::equal(a.attributes, b.attributes, same_attribute);
  };
  bool differs = false;
  for (const FileId file : std::exchange(unsettled_, {})) {
    const SourceView quick = std::move(cached_[file].quick);
    const SourceView* settled = view(file);
    differs |= settled == nullptr || !shows_same(quick, *settled);
  }
  return differs;
}

// The load read and anchored every source in the background; a file that changed since is read
// again.
const SourceView* Sources::disk_view(FileId file) {
  const std::string& path = path_of(file);
  if (path.empty()) return nullptr;
  const FileStamp stamp = files_.stat(path).value_or(FileStamp{});
  Cached& cached = cached_[file];
  if (cached.view.document && cached.revision == 0 && cached.stamp == stamp) return &cached.view;
  SourceView view;
  view.file = file;
  view.uri = lsp::DocumentUri::from_path(path);
  const DiskSource& loaded = study_->sources_of(code())[file.value];
  if (loaded.syntax && loaded.stamp == stamp) {
    view.anchored = loaded.anchored;
    view.syntax = loaded.syntax;
  } else if (const Result<Bytes> bytes = files_.read(path)) {
    auto document = std::make_shared<const Document>(std::string(bytes->text()));
    view.syntax = PythonSyntax::parse(document);
    view.anchored =
        anchor_source(code(), file, std::move(document), {view.syntax, loaded.anchored.recorded});
  }
  view.document = view.anchored.document;
  if (view.document == nullptr) {
    cached_.erase(file);
    return nullptr;
  }
  complete(view);
  ++changes_;
  cached.lenses.reset();
  cached.revision = 0;
  cached.stamp = stamp;
  cached.view = std::move(view);
  return &cached.view;
}

const std::vector<ScopeLens>& Sources::lenses(const SourceView& view) {
  std::optional<std::vector<ScopeLens>>& lenses = cached_.at(view.file).lenses;
  if (lenses) return *lenses;
  lenses.emplace();
  for (const ScopeFacts& row : scope_facts(*facts_, view.anchored, *view.syntax, show_.threshold))
    lenses->push_back({row.scope, row.line, scope_title(*facts_, row, show_.unit)});
  return *lenses;
}

void Sources::list_lines(SourceView& view) const {
  view.by_line.clear();
  const CodeFile& row = code().files[view.file.value];
  for (uint32_t i = 0; i < row.line_count; ++i) {
    const Anchor& anchor = view.anchored.anchors[i];
    if (anchor.line > 0) view.by_line.emplace_back(anchor.line - 1, LineId(row.first_line + i));
  }
  if (!std::is_sorted(view.by_line.begin(), view.by_line.end()))
    std::sort(view.by_line.begin(), view.by_line.end());
}

void Sources::carry_attributes(const SourceView& base, const LineShift& shift, SourceView& view) {
  view.attributes = base.attributes;
  for (AttributeFacts& facts : view.attributes) facts.line = shift.line_after(facts.line);
  std::erase_if(view.attributes, [](const AttributeFacts& facts) { return facts.line == kNone; });
}

// What follows from text, syntax and anchors.
void Sources::complete(SourceView& view) const {
  list_lines(view);
  view.classes = classes_of_scopes(*facts_, view.file, *view.syntax);
  view.attributes = attribute_facts(*facts_, view.file, *view.syntax, show_.threshold);
  std::stable_sort(
      view.attributes.begin(), view.attributes.end(),
      [](const AttributeFacts& a, const AttributeFacts& b) { return a.line < b.line; });
}

}  // namespace etlens
