// SPDX-License-Identifier: Apache-2.0
// GraphLoader: makes the graph of a method when somebody asks for it, in the background, and keeps
// the last one as long as what it is of stays open.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "rpc/uv/worker.h"
#include "server/load/open_graph.h"

namespace etlens {

// A method of a program, or the one that a record's code is of.
struct GraphRequest {
  std::shared_ptr<const OpenProgram> program;  // null: of the record alone
  size_t method = 0;                           // of the program
  std::string etrecord;                        // of the record alone: its path
  std::shared_ptr<const Code> code;            // of the method; equal codes give equal graphs
};

class GraphLoader {
 public:
  using Graph = Result<std::shared_ptr<const OpenGraph>>;  // one sentence if it cannot be made
  using Done = std::function<void(const Graph&)>;

  GraphLoader(uv::Loop& loop, const FileSystem& files) : files_(files), worker_(loop) {}

  // `done` is called at once if the graph is known.
  void ask(GraphRequest request, Done done);
  // Nothing is made any more, and nobody is answered.
  void shut();
  bool is_busy() const { return worker_.is_running(); }

 private:
  struct Job;
  struct Waiting {
    GraphRequest request;
    Done done;
  };

  void start();
  void finish(const Job& job);

  const FileSystem& files_;
  std::shared_ptr<const Code> known_;
  std::shared_ptr<const OpenGraph> graph_;  // of known_
  std::vector<Waiting> waiting_;
  uv::Worker worker_;
};

}  // namespace etlens
