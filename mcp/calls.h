// SPDX-License-Identifier: Apache-2.0
// Calls of tools: one after the other, in the background, so that the loop stays free for pings and
// cancellations. The workspace travels with the call that runs.
#pragma once

#include <list>
#include <memory>
#include <optional>
#include <string>

#include "mcp/era.h"
#include "mcp/tool.h"
#include "rpc/connection.h"
#include "rpc/uv/worker.h"

namespace etlens::mcp {

struct Call {
  const Tool* tool = nullptr;
  Arguments arguments;
  Era era = Era::Session;
  lsp::Json progress_token;  // null: nobody asked for progress
  ReplyOnce reply;
};

class Calls {
 public:
  Calls(uv::Loop& loop, Connection& connection, const FileSystem& files, const RootAccess& access,
        std::string version);

  // Where calls may look. Until it is known they wait, and again while it is asked for anew.
  void set_roots(std::vector<std::string> roots);
  void wait_for_roots() { is_waiting_for_roots_ = true; }
  // Calls that are waiting, and those to come, are answered with the sentence.
  void refuse(Error why);
  void add(Call call);
  // What a tool gave, or why it gave nothing.
  void answer(Era era, const Result<std::string>& result, ReplyOnce reply) const;
  void cancel(const lsp::RequestId& id);
  // Nothing is answered any more.
  void shut();

 private:
  struct Job;
  void run_next();
  void start(Call call);
  void finish(Job& job);
  void tell_progress();

  uv::Loop& loop_;
  Connection& connection_;
  const FileSystem& files_;
  const RootAccess access_;
  std::string version_;
  std::unique_ptr<Workspace> workspace_;  // null while a call has it, or there is none
  std::optional<std::vector<std::string>> new_roots_;
  std::vector<std::string> roots_;  // of the workspace
  std::optional<Error> refusal_;
  bool is_waiting_for_roots_ = true;
  std::list<Call> waiting_;
  std::shared_ptr<Job> running_;
  uv::Worker worker_;
  Timer progress_timer_;
};

}  // namespace etlens::mcp
