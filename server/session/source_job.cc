// SPDX-License-Identifier: Apache-2.0
#include "server/session/source_job.h"

#include "core/base/budget.h"
#include "core/workspace/source_file.h"

namespace etlens {
namespace {

// Of texts that are as they were loaded, and of others. What must be done of larger ones without a
// look at the clock would take too long.
constexpr size_t kSmallKnown = 1 << 20;
constexpr size_t kSmall = 64 << 10;

}  // namespace

bool SourceJob::is_small() const {
  const size_t bytes = text ? text->text().size() : static_cast<size_t>(version.stamp.size);
  const bool is_loaded = text ? parsed != nullptr || loaded().syntax != nullptr
                              : loaded().syntax && loaded().stamp == version.stamp;
  return bytes <= (is_loaded ? kSmallKnown : kSmall);
}

void SourceJob::run(const FileSystem& files) {
  const int64_t before = thread_time_ns();
  (void)within_budget(cancel, [&]() -> Result<void> {
    look(files);
    return {};
  });
  took_ns = thread_time_ns() - before;
}

bool SourceJob::run_at_once(const FileSystem& files, int64_t limit_ns) {
  if (!is_small()) return false;
  const Result<void> done = within_moment(limit_ns, [&]() -> Result<void> {
    look(files);
    return {};
  });
  return done.has_value();
}

void SourceJob::look(const FileSystem& files) {
  auto view = std::make_shared<SourceView>();
  view->file = file;
  view->uri = uri;
  const bool is_loaded = !text && loaded().syntax && loaded().stamp == version.stamp;
  if (text) grant_reading(path, text->text().size(), text->text().size());
  view->document = text ? text : is_loaded ? loaded().anchored.document : read_source(files, path);
  if (view->document == nullptr || view->document->text().size() > kMaxSourceBytes) return;
  view->syntax = parse(view->document);
  view->anchored = anchor(*view);
  view->document = view->anchored.document;
  complete_view(*view, *facts, show);
  // Nobody can tell what is assigned in a text that is no valid Python: what was known stays.
  if (anchored && !view->syntax->is_valid()) {
    const LineShift shift(*anchored->document, anchored_edits, *view->document);
    carry_scopes(*anchored, shift, *view);
  }
  result = std::move(view);
}

// Parses what changed since the last time; the whole text only if it is neither known from before
// nor what the load found on disk.
std::shared_ptr<const PythonSyntax> SourceJob::parse(
    const std::shared_ptr<const Document>& document) const {
  const std::shared_ptr<const PythonSyntax>& before = loaded().syntax;
  const bool is_loaded = before && before->document().text() == document->text();
  if (is_loaded) return before;
  if (parsed) return parsed_edits.empty() ? parsed : parsed->edited(parsed_edits, document);
  return PythonSyntax::parse(document);
}

// The anchors of the text before the edits are carried along.
AnchoredSource SourceJob::anchor(const SourceView& view) const {
  if (view.syntax == loaded().syntax) return loaded().anchored;
  if (anchored) {
    return anchor_source_after(facts->code(), anchored->anchored, anchored_edits, view.document,
                               view.syntax);
  }
  return anchor_source(facts->code(), file, view.document,
                       {view.syntax, loaded().anchored.recorded});
}

}  // namespace etlens
