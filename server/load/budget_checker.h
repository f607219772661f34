// SPDX-License-Identifier: Apache-2.0
// BudgetChecker: which budgets of the workspace's policy (etlens.toml) the shown run keeps. It reads the policy and checks
// it in the background; what is shown has been read already, and no artifact that the policy names is.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/view/gate_view.h"
#include "rpc/uv/worker.h"
#include "server/load/open_study.h"
#include "server/load/program_loader.h"

namespace etlens {

struct CheckedBudgets {
  BudgetsView view;
  // Where each of the broken ones is in the code of time; invalid for none.
  std::vector<LineId> lines;
};

// Paths are absolute.
struct PolicyPlace {
  std::string
      root;  // the workspace folder around what is shown: no policy outside of it is looked for
  std::string named;  // the one that the user named, wherever it is; "": the nearest one
};

class BudgetChecker {
 public:
  using AskProgram = std::function<void(ProgramLoader::Done)>;
  // nullopt: the workspace has no policy.
  using Done = std::function<void(const std::optional<CheckedBudgets>&)>;

  BudgetChecker(uv::Loop& loop, const FileSystem& files) : files_(files), worker_(loop) {}

  // Only one at a time: the one before is given up. `ask_program` gives the program of the study; it is called where a budget
  // needs it.
  void check(std::shared_ptr<const OpenStudy> study, PolicyPlace place, AskProgram ask_program,
             Done done);
  // Nobody is answered.
  void drop();
  void shut();
  bool is_busy() const { return worker_.is_running(); }

 private:
  struct Job;

  void judge(const std::shared_ptr<Job>& job, Done done);

  const FileSystem& files_;
  uv::Worker worker_;
  uint64_t turn_ = 0;  // counts checks: a program that is read for an earlier one is not waited for
};

}  // namespace etlens
