// SPDX-License-Identifier: Apache-2.0
// ReportLoader: writes the page of a study when somebody asks for it, in the background.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/workspace/anchored_source.h"
#include "rpc/uv/worker.h"
#include "server/load/open_study.h"
#include "server/load/program_loader.h"

namespace etlens {

struct ReportRequest {
  std::shared_ptr<const OpenStudy> study;  // not null
  std::vector<AnchoredSource> sources;     // one per file of its time's code, as they are now
  std::optional<TimeScale> unit;           // of times; nullopt: chosen for each
  ProgramLoader::Program program;          // for planned memory, if it is the study's
  std::string since;                       // the change since the run before; "" for none
};

struct ReportPage {
  std::string title;
  std::string style;
  std::string body;
};

class ReportLoader {
 public:
  using Page = Result<ReportPage>;  // one sentence if it takes too much
  using Done = std::function<void(const Page&)>;

  explicit ReportLoader(uv::Loop& loop) : worker_(loop) {}

  void ask(ReportRequest request, Done done);
  // Nothing is written any more, and nobody is answered.
  void shut();
  bool is_busy() const { return worker_.is_running(); }

 private:
  struct Job;
  struct Waiting {
    std::shared_ptr<Job> job;
    Done done;
  };

  void start();

  std::deque<Waiting> waiting_;  // the first one is being written
  uv::Worker worker_;
};

}  // namespace etlens
