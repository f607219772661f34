// SPDX-License-Identifier: Apache-2.0
// Workers: all of a server that reads in the background.
#pragma once

#include <functional>

#include "server/load/budget_checker.h"
#include "server/load/dump_totals.h"
#include "server/load/fleet_loader.h"
#include "server/load/graph_loader.h"
#include "server/load/program_loader.h"
#include "server/load/report_loader.h"
#include "server/load/run_keeper.h"
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
  GraphLoader graphs;
  ReportLoader reports;
  uv::Worker other_models;
  RunKeeper runs;
  BudgetChecker budgets;

  // Reads the program for memory and size: that of the study, with its record; else the one that the
  // settings name; else the newest one that is found.
  void with_program(ProgramLoader::Done done);
  bool is_busy() const;
  // Ends all of them; none reports any more. Programs, graphs and reports are made for requests, which
  // are answered until `exit`: they may still be made.
  void shut(Programs programs);

 private:
  Session& session_;
  ProgramLoader programs_;
};

}  // namespace etlens
