// SPDX-License-Identifier: Apache-2.0
#include "server/session/sources.h"

#include <algorithm>
#include <utility>

#include "core/base/path.h"
#include "core/source/anchor/edited_anchors.h"

namespace etlens {
namespace {

constexpr size_t kLarge = 256 << 10;  // bytes of a text whose tree takes a while to be freed
// How long a file that changes while it is looked at rests, in looks; and bounds of it.
constexpr int64_t kRestInLooks = 4;
constexpr Delay kShortestRest(100);
constexpr Delay kLongestRest(10'000);

}  // namespace

Sources::~Sources() {
  *alive_ = false;
  forget_all();
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
  for (const auto& [file, cached] : cached_) {
    if (cached.job) cached.job->cancel.cancel();
  }
  cached_.clear();
  unsettled_.clear();
  opened_.clear();
  other_names_.clear();
  ++changes_;
}

void Sources::forget(const lsp::DocumentUri& uri) { parsed_.erase(uri); }

FileId Sources::find(const lsp::DocumentUri& uri) {
  if (!study_ || !uri.is_file()) return {};
  const FileId found = facts_->find_source(uri.path());
  if (found.valid() || documents_.find(uri) == nullptr) return found;
  const auto [at, is_new] = opened_.try_emplace(uri.path());
  if (is_new) at->second = find_otherwise(uri.path());
  const FileId file = at->second;
  if (!file.valid()) return {};
  std::string& other = other_names_[file];
  if (other.empty() || documents_.find_path(other) == nullptr) other = uri.path();
  return path_of(file) == uri.path() ? file : FileId();
}

// By way of a symbolic link; or one of several files that a recorded one could be.
FileId Sources::find_otherwise(const std::string& path) const {
  const std::string real = files_.without_links(path);
  const std::vector<SourceLocation>& sources = facts_->sources();
  for (size_t f = 0; f < sources.size(); ++f) {
    const SourceLocation& source = sources[f];
    const bool is_candidate = std::ranges::find(source.candidates, path) != source.candidates.end();
    const bool is_same = !real.empty() && !source.path.empty() &&
                         base_name(source.path) == base_name(real) &&
                         files_.without_links(source.path) == real;
    if (is_candidate || is_same) return FileId(f);
  }
  return {};
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

bool Sources::is_looked_at(const lsp::DocumentUri& uri) {
  const auto at = cached_.find(find(uri));
  return at != cached_.end() && at->second.job;
}

const std::string& Sources::path_of(FileId file) const {
  const std::string& found = facts_->sources()[file.value].path;
  const auto other = other_names_.find(file);
  if (other == other_names_.end() || documents_.find_path(found) != nullptr) return found;
  return documents_.find_path(other->second) == nullptr ? found : other->second;
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
  const OpenDocument* document = documents_.find_path(path_of(file));
  if (document != nullptr) {
    // A formatter's edit leaves nearly all of the lines: a thorough look says where they are.
    const SourceView* carried = carried_view(file, *document);
    if (carried != nullptr && !cached_[file].quick_lost_lines) return carried;
  }
  return look(file, document);
}

const SourceView* Sources::view(FileId file) {
  return study_ ? look(file, documents_.find_path(path_of(file))) : nullptr;
}

uint32_t Sources::current_line(LineId line) {
  if (!study_) return 0;
  const SourceView* source = quick_view(code().lines[line.value].file);
  return source == nullptr ? 0 : source->anchor_of(code(), line).line;
}

// The load read and anchored every source in the background; a file that changed since, on disk or
// in an editor, is looked at again.
const SourceView* Sources::look(FileId file, const OpenDocument* document) {
  const std::string& path = path_of(file);
  if (path.empty()) return nullptr;
  TextVersion version;
  if (document != nullptr) {
    version.revision = document->revision;
  } else if (const Result<FileStamp> stamp = files_.stat(path)) {
    version.stamp = *stamp;
  } else {
    return nullptr;
  }
  Cached& cached = cached_[file];
  if (cached.view && cached.version == version) return cached.view.get();
  if (document == nullptr && cached.rest.pending()) return cached.view.get();
  // A look that is running is at a text that leads to this one, or at one that nobody has any more.
  const bool is_useful =
      cached.job && (document != nullptr ? cached.job->uri == document->uri &&
                                               document->edits.reaches(cached.job->version.revision)
                                         : cached.job->text == nullptr);
  if (!is_useful && cached.failed != version) {
    if (cached.job) cached.job->cancel.cancel();
    std::shared_ptr<SourceJob> job = make_job(file, version, document);
    if (worker_.run_at_once(*job)) {
      cached.job.reset();
      take(cached, *job);
      unsettled_.erase(file);
      return cached.view && cached.version == version ? cached.view.get() : nullptr;
    }
    start(file, std::move(job));
  }
  return document == nullptr ? nullptr : carried_view(file, *document);
}

std::shared_ptr<SourceJob> Sources::make_job(FileId file, const TextVersion& version,
                                             const OpenDocument* document) const {
  auto job = std::make_shared<SourceJob>();
  job->study = study_;
  job->facts = facts_;
  job->show = show_;
  job->file = file;
  job->path = path_of(file);
  job->version = version;
  job->uri = document != nullptr ? document->uri : lsp::DocumentUri::from_path(job->path);
  if (document == nullptr) return job;
  job->text = document->text;
  if (const auto parsed = parsed_.find(document->uri); parsed != parsed_.end()) {
    if (auto edits = document->edits.since(parsed->second.revision)) {
      job->parsed = parsed->second.syntax;
      job->parsed_edits = std::move(*edits);
    }
  }
  const Cached& cached = cached_.at(file);
  if (auto edits = edits_since(cached, *document)) {
    job->anchored = cached.view;
    job->anchored_edits = std::move(*edits);
  }
  return job;
}

void Sources::start(FileId file, std::shared_ptr<SourceJob> job) {
  cached_[file].job = job;
  worker_.add(job, [this, file, job, alive = alive_] {
    if (*alive) finish(file, job);
  });
}

// Of a look that somebody gave up nothing is taken.
void Sources::finish(FileId file, const std::shared_ptr<SourceJob>& job) {
  const auto at = cached_.find(file);
  if (at == cached_.end() || at->second.job != job) return;
  Cached& cached = at->second;
  cached.job.reset();
  job->parsed.reset();
  job->anchored.reset();
  const bool was_carried = cached.quick.document && cached.quick_revision == job->version.revision;
  take(cached, *job);
  if (!job->text && files_.stat(job->path).value_or(FileStamp{}) != job->version.stamp)
    rest(cached, *job);
  const bool is_current = cached.view && cached.version == job->version;
  const bool is_same = is_current && was_carried && shows_same(cached.quick, *cached.view);
  if (is_same) unsettled_.erase(file);
  worker_.tell(job->uri, is_current && !is_same);
}

// A file may change faster than anybody can look: it costs a part of a processor, and no request
// waits for it.
void Sources::rest(Cached& cached, const SourceJob& job) {
  const auto looks =
      std::chrono::duration_cast<Delay>(std::chrono::nanoseconds(kRestInLooks * job.took_ns));
  cached.rest = worker_.after(std::clamp(looks, kShortestRest, kLongestRest),
                              [this, uri = job.uri] { worker_.tell(uri, true); });
}

// Keeps what the look found.
void Sources::take(Cached& cached, const SourceJob& job) {
  if (!job.result) {
    cached.failed = job.version;
    return;
  }
  ++changes_;
  cached.failed.reset();
  cached.quick_revision = 0;
  if (cached.view && cached.view->document->text().size() > kLarge) worker_.release(cached.view);
  cached.view = job.result;
  cached.version = job.version;
  const OpenDocument* document = documents_.find_path(job.path);
  if (job.text && document != nullptr && document->edits.reaches(job.version.revision))
    parsed_[document->uri] = {job.version.revision, job.result->syntax};
}

// The edits that lead from what was anchored last to the document; nullopt if that was another
// text.
std::optional<std::vector<TextEdit>> Sources::edits_since(const Cached& cached,
                                                          const OpenDocument& document) {
  if (!cached.view || cached.version.revision == 0) return std::nullopt;
  if (cached.view->uri != document.uri) return std::nullopt;  // it is open by another name
  return document.edits.since(cached.version.revision);
}

// Null if there is nothing to carry, or nothing that it can be carried from.
const SourceView* Sources::carried_view(FileId file, const OpenDocument& document) {
  const auto at = cached_.find(file);
  if (at == cached_.end()) return nullptr;
  Cached& cached = at->second;
  if (cached.version.revision == document.revision) return nullptr;
  SourceView& view = cached.quick;
  if (view.document && cached.quick_revision == document.revision) return &view;
  const std::optional<std::vector<TextEdit>> edits = edits_since(cached, document);
  if (!edits) return nullptr;
  if (cached.recorded.empty()) cached.recorded = recorded_lines(code(), file);
  const SourceView& base = *cached.view;
  const LineShift shift(*base.document, *edits, *document.text, LineShift::Replaced::Matched);
  view.file = file;
  view.uri = document.uri;
  view.document = view.anchored.document = document.text;
  view.anchored.file = file;
  view.anchored.anchors =
      carry_anchors(*base.document, base.anchored.anchors, shift, *document.text, cached.recorded)
          .anchors;
  list_lines(view, code());
  cached.quick_lost_lines = shift.is_guess() && view.by_line.size() < base.by_line.size();
  carry_scopes(base, shift, view);
  cached.quick_revision = document.revision;
  unsettled_.insert(file);
  ++changes_;
  return &view;
}

bool Sources::settle() {
  bool differs = false;
  for (const FileId file : std::exchange(unsettled_, {})) {
    const SourceView* settled = view(file);
    const SourceView& quick = cached_[file].quick;
    if (settled == &quick) continue;  // still to come, or never
    differs |= settled == nullptr || !shows_same(quick, *settled);
  }
  return differs;
}

}  // namespace etlens
