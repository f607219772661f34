// SPDX-License-Identifier: Apache-2.0
// LoadStatus: which budgets of the workspace's policy (etlens.toml) the shown run keeps, checked again with each load and when
// the policy changes. It only reads and shows, so it does so in a workspace that nobody trusts, too.
#include <algorithm>

#include "core/base/path.h"
#include "core/gate/policy.h"
#include "server/load_status.h"

namespace etlens {

void LoadStatus::check_budgets() {
  workers_.budgets.drop();
  const std::shared_ptr<const OpenStudy> open = session_.kept_study();
  if (open == nullptr || open->study().first_measure() != 0) return;
  const std::string& shown = open->study().shown_path();
  const auto root = std::ranges::find_if(
      session_.roots, [&](const std::string& folder) { return is_below(folder, shown); });
  if (root == session_.roots.end()) return;
  const std::string& named = session_.config.budgets.policy;
  workers_.budgets.check(
      open, {*root, named.empty() ? "" : absolute_path(*root, named)},
      [this](ProgramLoader::Done done) { workers_.with_program(std::move(done)); },
      [this](const std::optional<CheckedBudgets>& checked) {
        if (!base_.is_running()) return;
        const bool differs = session_.budgets || checked;
        session_.budgets = checked;
        if (checked && checked->view.problem) publisher_.show_problem(*checked->view.problem);
        if (differs) publisher_.notify_profile_changed();
      });
}

// What is known stays until the new verdicts are there. Editors write a file in several steps, so the look waits.
void LoadStatus::policy_may_differ(const std::string& path) {
  const bool is_policy =
      base_name(path) == kPolicyName || (session_.budgets && session_.budgets->view.policy == path);
  if (!is_policy || session_.study() == nullptr) return;
  budgets_timer_ = base_.loop.after(base_.timing.settle, [this] { check_budgets(); });
}

}  // namespace etlens
