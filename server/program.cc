// SPDX-License-Identifier: Apache-2.0
// Server: which program the questions about memory and size are about. That of the study, with its
// record; where there is none, the one that the settings name, or the newest that is found.
#include "core/base/text.h"
#include "server/server.h"

namespace etlens {

void Server::with_program(ProgramLoader::Done done) {
  const StudyWish settings = absolute_wish(session_.files, session_.roots, loader_->settings());
  const std::vector<FoundArtifact>& found = loader_->found();
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
