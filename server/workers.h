// SPDX-License-Identifier: Apache-2.0
// Workers: all of a server that reads in the background.
#pragma once

#include <functional>

#include "server/load/dump_totals.h"
#include "server/load/fleet_loader.h"
#include "server/load/program_loader.h"
#include "server/load/study_loader.h"
#include "server/server_base.h"

namespace etlens {

class Workers {
 public:
  struct Handlers {
    StudyLoader::Handlers study;
    FleetLoader::Handlers fleet;
    std::function<void()> totals_changed;
    std::function<void(const lsp::DocumentUri&, bool differs)> source_looked_at;
  };
  enum class Programs { StillRead, GivenUp };

  Workers(ServerBase& base, StudyLoader::Watching watching, Handlers handlers);

  StudyLoader study;
  FleetLoader fleet;
  DumpTotals totals;
  uv::Worker other_models;

  // The one that questions about memory and size are about: that of the study, with its record;
  // where there is none, the one that the settings name, or the newest that is found.
  void with_program(ProgramLoader::Done done);
  bool is_busy() const;
  // All is told to end, and nothing more is told. A program is read because of a request, which has
  // an answer as long as somebody may read it.
  void shut(Programs programs);

 private:
  Session& session_;
  ProgramLoader programs_;
};

}  // namespace etlens
