// SPDX-License-Identifier: Apache-2.0
// etlens/report: the page of the study, with its sources as they are now.
#include "core/export/report_page.h"
#include "core/render/runs_table.h"
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

// Of the method that is shown, if the program is that of the study.
const MemoryFacts* memory_of(const Facts& facts, const ProgramLoader::Program& program) {
  if (!program || (*program)->pte != facts.study().pte_path) return nullptr;
  for (const MemoryFacts& memory : (*program)->memory)
    if (memory.method().name == facts.code().method_name()) return &memory;
  return nullptr;
}

}  // namespace

extensions::ReportResult show_report(Session& session, const ProgramLoader::Program& program,
                                     const lsp::EmptyParams&) {
  extensions::ReportResult result;
  result.generation = session.generation();
  const Facts* facts = session.time_facts();
  if (facts == nullptr) {
    result.why = session.message;
    return result;
  }
  const std::vector<AnchoredSource> sources = sources_now(session, *facts);
  ExportInput input{*facts, sources, session.config.show.unit};
  input.comparison = session.comparison();
  input.memory = memory_of(*facts, program);
  const std::string since =
      session.last_run ? run_change_text(session.last_run->change) + " since the last run" : "";
  input.since = since;
  result.title = report_title(input);
  result.style = report_style();
  Sink sink([&](std::string_view piece) {
    result.body += piece;
    return true;
  });
  write_report(input, PageKind::Live, sink);
  (void)sink.finish();  // writing to a string does not fail
  return result;
}

}  // namespace etlens
