// SPDX-License-Identifier: Apache-2.0
// RunKeeper: stores the run that is shown, in the background, and finds the runs before it that it is compared with.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/runs/run_store.h"
#include "rpc/uv/worker.h"
#include "server/load/open_study.h"

namespace etlens {

// The run before the shown one, of the same model.
struct LastRun {
  double change = 0;  // of the total since then, as a fraction
  uint32_t number = 0;
  RunFiles files;
};

// One that people ask for by what it is.
struct NamedRun {
  std::string name;  // "the best run", "2026-11-20", "main"
  LastRun run;
};

class RunKeeper {
 public:
  struct Kept {
    std::optional<LastRun> last;
    std::vector<NamedRun> earlier;
    std::string problem;  // a sentence: why the run is not stored; "" if it is
  };
  using Done = std::function<void(const Kept&)>;

  explicit RunKeeper(uv::Loop& loop) : worker_(loop) {}

  // Only one at a time: a run that is still being stored is given up, and stored when it is shown again. `study` has a
  // dump.
  void keep(std::shared_ptr<const OpenStudy> study, const RunLimits& limits, Done done);
  void drop() { worker_.drop(); }
  void shut() { worker_.shut(); }
  bool is_busy() const { return worker_.is_running(); }

 private:
  struct Job;

  uv::Worker worker_;
};

}  // namespace etlens
