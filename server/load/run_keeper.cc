// SPDX-License-Identifier: Apache-2.0
#include "server/load/run_keeper.h"

#include "core/base/budget.h"
#include "core/base/path.h"
#include "core/runs/choose_run.h"
#include "core/runs/earlier_runs.h"
#include "core/runs/run_of_study.h"

namespace etlens {

struct RunKeeper::Job {
  std::shared_ptr<const OpenStudy> study;
  RunLimits limits;
  CancelToken cancel = {};
  Kept kept = {};

  void run() {
    const Result<void> stored = within_budget(cancel, [this] { return store(); });
    if (!stored) kept = {std::nullopt, {}, stored.error().message};
  }

 private:
  // On the disk, whatever the session reads through: what is written is nothing else.
  Result<void> store() {
    const FileSystem& files = real_file_system();
    const Study& shown = study->study();
    const std::string folder = folder_of_runs(files, std::string(parent_path(shown.etdump_path)));
    RunToStore wanted =
        run_of_study(files, shown, study->time().headline, *study->used.stamp(), folder);
    const Result<StoreOutcome> outcome = store_run(folder, std::move(wanted), limits);
    if (!outcome) return outcome.error();
    const Result<StoredRuns> stored = list_runs(files, folder);
    if (!stored) return stored.error();
    for (EarlierRun& earlier : earlier_runs(*stored, outcome->run)) {
      const LastRun run{earlier.change, earlier.run.number, files_of(*stored, earlier.run)};
      kept.earlier.push_back({std::move(earlier.name), run});
    }
    const StoredRun* before = run_before(*stored, outcome->run);
    if (before == nullptr) return {};
    const std::optional<double> change = change_since(*before, outcome->run);
    if (change) kept.last = LastRun{*change, before->number, files_of(*stored, *before)};
    return {};
  }
};

void RunKeeper::keep(std::shared_ptr<const OpenStudy> study, const RunLimits& limits, Done done) {
  worker_.start(
      std::make_shared<Job>(Job{std::move(study), limits}), [](Job& job) { job.run(); },
      [done = std::move(done)](const Job& job) { done(job.kept); });
}

}  // namespace etlens
