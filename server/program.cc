// SPDX-License-Identifier: Apache-2.0
// Server: which program the questions about memory and size are about. That of the study, with its
// record; where there is none, the one that the settings name, or the newest that is found.
#include "core/base/text.h"
#include "server/server.h"

namespace etlens {

void Server::with_program(ProgramLoader::Done done) {
  const LoadSettings& settings = loader_->settings();
  const std::vector<FoundArtifact>& found = loader_->found();
  ProgramRequest request;
  if (session_.study() != nullptr && !session_.time_facts()->study().pte_path.empty()) {
    request.pte = session_.time_facts()->study().pte_path;
    request.etrecord = session_.time_facts()->study().etrecord_path;
  } else if (!settings.pte.empty()) {
    request.pte = resolve_path(session_.files, session_.roots, settings.pte);
  } else if (const auto programs = programs_by_age(found); !programs.empty()) {
    request.pte = programs.front()->path;
  }
  if (request.pte.empty()) {
    const bool is_looking = session_.state == StudyState::Loading && session_.study() == nullptr;
    done(Error{ErrorCode::NotFound, is_looking
                                        ? session_.message
                                        : "no .pte program below " + join(session_.roots, ", ") +
                                              "; save the program that was exported there"});
    return;
  }
  if (request.etrecord.empty() && !settings.etrecord.empty())
    request.etrecord = resolve_path(session_.files, session_.roots, settings.etrecord);
  if (request.etrecord.empty()) {
    for (const FoundArtifact* record : partners(found, request.pte, FileKind::EtRecord)) {
      if (request.records.size() < kMaxScored) request.records.push_back(*record);
    }
  }
  request.sources = {session_.roots, settings.path_mappings};
  for (const std::string& environment : settings.environments) {
    request.sources.environments.push_back(
        resolve_path(session_.files, session_.roots, environment));
  }
  request.library_frames = settings.library_frames;
  request.recovers = settings.recovers;
  programs_.ask(std::move(request), std::move(done));
}

}  // namespace etlens
