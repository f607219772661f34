// SPDX-License-Identifier: Apache-2.0
#include "server/load/graph_loader.h"

#include <iterator>
#include <utility>

#include "core/base/budget.h"
#include "core/workspace/load_graph.h"

namespace etlens {
namespace {

GraphLoader::Graph make_graph(const FileSystem& files, const GraphRequest& wanted) {
  const auto graph = std::make_shared<OpenGraph>();
  graph->program = wanted.program;
  graph->method = wanted.method;
  if (!wanted.program) {
    graph->loaded = {"", wanted.etrecord, graph_of_record(wanted.code), {}};
    return std::shared_ptr<const OpenGraph>(graph);
  }
  const OpenProgram& open = *wanted.program;
  const EtProgram& program = open.program();
  graph->loaded = {open.pte,
                   open.etrecord,
                   graph_of_loaded(files, program, program.methods[wanted.method], wanted.code,
                                   built_in_backends()),
                   {}};
  return std::shared_ptr<const OpenGraph>(graph);
}

}  // namespace

struct GraphLoader::Job {
  GraphRequest request;
  CancelToken cancel;
  Graph result = Error{ErrorCode::Internal, "the graph was not made"};
};

void GraphLoader::ask(GraphRequest request, Done done) {
  if (known_ != nullptr && known_ == request.code) {
    done(graph_);
    return;
  }
  waiting_.push_back({std::move(request), std::move(done)});
  if (!is_busy()) start();
}

void GraphLoader::start() {
  const auto next = std::make_shared<Job>();
  next->request = waiting_.front().request;
  worker_.start(
      next,
      [&files = files_](Job& job) {
        job.result = within_budget(job.cancel, [&] { return make_graph(files, job.request); });
      },
      [this](const Job& job) { finish(job); });
}

void GraphLoader::finish(const Job& job) {
  known_.reset();
  if (job.result) {
    known_ = job.request.code;
    graph_ = *job.result;
  }
  std::vector<Waiting> others;
  for (Waiting& waiting : std::exchange(waiting_, {})) {
    if (waiting.request.code == job.request.code) waiting.done(job.result);
    else others.push_back(std::move(waiting));
  }
  waiting_.insert(waiting_.begin(), std::make_move_iterator(others.begin()),
                  std::make_move_iterator(others.end()));
  if (!waiting_.empty() && !is_busy()) start();
}

void GraphLoader::shut() {
  worker_.shut();
  waiting_.clear();
}

}  // namespace etlens
