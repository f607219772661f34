// SPDX-License-Identifier: Apache-2.0
#include "server/load/report_loader.h"

#include <utility>

#include "core/base/budget.h"
#include "core/export/report_page.h"

namespace etlens {
namespace {

// Of the method that is shown, if the program is that of the study.
const MemoryFacts* memory_of(const Facts& facts, const ProgramLoader::Program& program) {
  if (!program || (*program)->pte != facts.study().pte_path) return nullptr;
  for (const MemoryFacts& memory : (*program)->memory)
    if (memory.method().name == facts.code().method_name()) return &memory;
  return nullptr;
}

ReportPage write_page(const ReportRequest& request) {
  const Facts& facts = request.study->time().facts;
  ExportInput input{facts, request.sources, request.unit};
  input.comparison = request.study->comparison.get();
  input.memory = memory_of(facts, request.program);
  input.since = request.since;
  ReportPage page{report_title(input), report_style(), ""};
  Sink sink([&](std::string_view piece) {
    page.body += piece;
    return true;
  });
  write_report(input, PageKind::Live, sink);
  (void)sink.finish();  // writing to a string does not fail
  return page;
}

}  // namespace

struct ReportLoader::Job {
  ReportRequest request;
  CancelToken cancel = {};
  Page result = Error{ErrorCode::Internal, "the report was not written"};
};

void ReportLoader::ask(ReportRequest request, Done done) {
  auto job = std::make_shared<Job>(Job{std::move(request)});
  waiting_.push_back({std::move(job), std::move(done)});
  if (!is_busy()) start();
}

void ReportLoader::start() {
  worker_.start(
      waiting_.front().job,
      [](Job& job) {
        job.result = within_budget(job.cancel, [&]() -> Page { return write_page(job.request); });
      },
      [this](const Job& job) {
        const Done done = std::move(waiting_.front().done);
        waiting_.pop_front();
        if (!waiting_.empty()) start();
        done(job.result);
      });
}

void ReportLoader::shut() {
  worker_.shut();
  waiting_.clear();
}

}  // namespace etlens
