// SPDX-License-Identifier: Apache-2.0
#include "server/workers.h"

#include "core/base/text.h"

namespace etlens {

Workers::Workers(ServerBase& base, StudyLoader::Watching watching, Handlers handlers)
    : study(base.loop, base.session.files, base.timing, base.log, watching,
            std::move(handlers.study)),
      fleet(base.loop, base.session.files, base.timing, std::move(handlers.fleet)),
      totals(base.loop, base.session.files, std::move(handlers.totals_changed)),
      graphs(base.loop, base.session.files),
      reports(base.loop),
      other_models(base.loop),
      runs(base.loop),
      budgets(base.loop, base.session.files),
      session_(base.session),
      programs_(base.loop, base.session.files) {
  SourceWorker::Options options;
  options.background = [&loop = base.loop](std::function<void()> work, std::function<void()> done) {
    loop.run_in_background(std::move(work), std::move(done));
  };
  options.after = [&loop = base.loop](Delay delay, std::function<void()> action) {
    return loop.after(delay, std::move(action));
  };
  options.at_once_ns = base.timing.at_once.count();
  options.looked_at = std::move(handlers.source_looked_at);
  session_.source_worker.start(std::move(options));
}

bool Workers::is_busy() const {
  return study.is_busy() || fleet.is_busy() || totals.is_busy() || programs_.is_busy() ||
         graphs.is_busy() || reports.is_busy() || runs.is_busy() || budgets.is_busy() ||
         session_.source_worker.is_busy();
}

void Workers::shut(Programs programs) {
  study.shut();
  fleet.shut();
  totals.shut();
  other_models.shut();
  runs.shut();
  budgets.shut();
  session_.source_worker.shut();
  if (programs == Programs::StillRead) return;
  programs_.shut();
  graphs.shut();
  reports.shut();
}

void Workers::with_program(ProgramLoader::Done done) {
  const StudyWish settings = absolute_wish(session_.files, session_.roots, study.settings());
  const std::vector<FoundArtifact>& found = study.found();
  ProgramRequest request{of_lines(settings), {}};
  StudyWish& wish = request.wish;
  if (session_.study() != nullptr && !session_.time_facts()->study().pte_path.empty()) {
    wish.pte = session_.time_facts()->study().pte_path;
    wish.etrecord = session_.time_facts()->study().etrecord_path;
  } else if (!settings.pte.empty()) {
    wish.pte = settings.pte;
  } else if (const auto programs = programs_by_age(found); !programs.empty()) {
    wish.pte = programs.front()->path;
  }
  if (wish.pte.empty()) {
    const bool is_looking = session_.state == StudyState::Loading && session_.study() == nullptr;
    done(Error{ErrorCode::NotFound, is_looking
                                        ? session_.message
                                        : "no .pte program below " + join(session_.roots, ", ") +
                                              "; save the program that was exported there"});
    return;
  }
  if (wish.etrecord.empty()) wish.etrecord = settings.etrecord;
  if (wish.etrecord.empty()) {
    for (const FoundArtifact* record : partners(found, wish.pte, FileKind::EtRecord)) {
      if (request.records.size() < kMaxScored) request.records.push_back(*record);
    }
  }
  programs_.ask(std::move(request), std::move(done));
}

}  // namespace etlens
