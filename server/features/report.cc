// SPDX-License-Identifier: Apache-2.0
// etlens/report: the page of the study, with its sources as they are now. It is written in the background.
#include "server/features/features.h"

namespace etlens {
namespace {

std::vector<AnchoredSource> sources_now(Session& session, const Facts& facts) {
  std::vector<AnchoredSource> sources;
  const Code& code = facts.code();
  for (uint32_t f = 0; f < code.files.size(); ++f) {
    const SourceView* view = session.sources_of(facts).view(FileId(f));
    if (view != nullptr) sources.push_back(view->anchored);
    else sources.push_back(anchor_source(code, FileId(f), nullptr));
  }
  return sources;
}

}  // namespace

std::optional<ReportRequest> report_of_study(Session& session,
                                             const ProgramLoader::Program& program) {
  if (session.study() == nullptr) return std::nullopt;
  const std::optional<extensions::LastRunItem> last = last_run_item(session);
  return ReportRequest{session.kept_study(), sources_now(session, *session.time_facts()),
                       session.config.show.unit, program, last ? last->text : ""};
}

extensions::ReportResult show_report(const Session& session, const ReportLoader::Page& page) {
  extensions::ReportResult result;
  result.generation = session.generation();
  if (page) {
    result.title = page->title;
    result.style = page->style;
    result.body = page->body;
  } else {
    result.why = page.error().message;
  }
  return result;
}

}  // namespace etlens
