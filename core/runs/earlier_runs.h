// SPDX-License-Identifier: Apache-2.0
// The stored runs that somebody compares the newest one with: the best, the last of an earlier day, the last of the main branch.
#pragma once

#include <string>
#include <vector>

#include "core/runs/run_store.h"

namespace etlens {

struct EarlierRun {
  std::string name;   // "the best run", "2026-11-20", "main": what the change is since
  double change = 0;  // of the total, as a fraction
  StoredRun run;
};

// Other runs of the same model that were stored before `shown`, each of those that there are, in this order:
//   the best run   the one with the least total
//   YYYY-MM-DD     the newest of the last day before that of `shown`, in the machine's time
//   main, master   the newest of this branch; of master only where no run is of main
// One run may have several names. A run without a total is none of them.
std::vector<EarlierRun> earlier_runs(const StoredRuns& stored, const StoredRun& shown);

}  // namespace etlens
