// SPDX-License-Identifier: Apache-2.0
#include "mcp/calls.h"

#include <algorithm>
#include <new>

#include "core/base/budget.h"
#include "mcp/answer.h"

namespace etlens::mcp {
namespace {

constexpr Delay kProgressEvery(1000);
constexpr size_t kMaxSentence = 2000;
constexpr size_t kMaxWaiting = 100;

}  // namespace

// What runs in the background owns all that it touches.
struct Calls::Job {
  Call call;
  lsp::RequestId id;
  std::unique_ptr<Workspace> workspace;
  CancelToken cancel;
  int64_t seconds = 0;
  Result<std::string> result =
      Error{ErrorCode::Unsupported,
            "etlens gave this call up: an artifact or a source that it reads keeps it busy without "
            "an end; ask about another one, or write that one again"};
  bool has_ended = false;  // else it was given up, and its workspace is in use for good

  void run() {
    CommandScope budget(cancel);
    try {
      result = call.tool->run(call.arguments, *workspace, cancel);
    } catch (const std::bad_alloc&) {
      result = budget.error();
    }
    has_ended = true;
  }
};

Calls::Calls(uv::Loop& loop, Connection& connection, const FileSystem& files,
             const RootAccess& access, std::string version)
    : loop_(loop),
      connection_(connection),
      files_(files),
      access_(access),
      version_(std::move(version)),
      worker_(loop) {}

void Calls::set_roots(std::vector<std::string> roots) {
  refusal_.reset();
  is_waiting_for_roots_ = false;
  new_roots_ = std::move(roots);
  run_next();
}

void Calls::refuse(Error why) {
  refusal_ = std::move(why);
  is_waiting_for_roots_ = false;
  run_next();
}

void Calls::add(Call call) {
  if (waiting_.size() >= kMaxWaiting) {
    const Error full{ErrorCode::Unsupported, "too many calls are waiting; wait for answers"};
    answer(call.era, full, std::move(call.reply));
    return;
  }
  waiting_.push_back(std::move(call));
  run_next();
}

void Calls::cancel(const lsp::RequestId& id) {
  const auto at = std::find_if(waiting_.begin(), waiting_.end(),
                               [&](const Call& call) { return call.reply.id() == id; });
  if (at != waiting_.end()) waiting_.erase(at);
  else if (running_ && running_->id == id) worker_.cancel();
}

void Calls::shut() {
  waiting_.clear();
  progress_timer_.cancel();
  worker_.shut();
}

void Calls::run_next() {
  if (running_ || is_waiting_for_roots_) return;
  if (new_roots_) {
    roots_ = *std::exchange(new_roots_, std::nullopt);
    workspace_ = std::make_unique<Workspace>(files_, roots_, access_,
                                             [&loop = loop_] { return loop.now(); });
  }
  while (refusal_ && !waiting_.empty()) {
    Call call = std::move(waiting_.front());
    waiting_.pop_front();
    answer(call.era, *refusal_, std::move(call.reply));
  }
  if (workspace_ == nullptr || waiting_.empty()) return;
  Call call = std::move(waiting_.front());
  waiting_.pop_front();
  start(std::move(call));
}

void Calls::start(Call call) {
  const lsp::RequestId id = call.reply.id();
  running_ = std::make_shared<Job>(Job{std::move(call), id, std::move(workspace_)});
  if (!running_->call.progress_token.is_null()) {
    progress_timer_ = loop_.after(kProgressEvery, [this] { tell_progress(); });
  }
  worker_.start(
      running_, [](Job& job) { job.run(); }, [this](Job& job) { finish(job); });
}

void Calls::finish(Job& job) {
  progress_timer_.cancel();
  if (job.has_ended) workspace_ = std::move(job.workspace);
  else if (!new_roots_) new_roots_ = roots_;
  answer(job.call.era, job.result, std::move(job.call.reply));
  running_.reset();
  run_next();
}

// That it still works, so that the client goes on waiting.
void Calls::tell_progress() {
  if (!running_ || running_->cancel.cancelled()) return;
  JsonWriter out(JsonStyle::Message);
  out.begin_object().key("progressToken").raw(lsp::to_json_text(running_->call.progress_token));
  out.field("progress", ++running_->seconds).field("message", "reading artifacts").end_object();
  connection_.notify("notifications/progress", lsp::JsonText{out.take()});
  progress_timer_ = loop_.after(kProgressEvery, [this] { tell_progress(); });
}

// What went wrong is an answer too: the model that called is who can mend it.
void Calls::answer(Era era, const Result<std::string>& result, ReplyOnce reply) const {
  JsonWriter out = begin_result(era, version_);
  const std::string text = result ? *result : clipped(result.error().message, kMaxSentence);
  out.key("content").begin_array().begin_object().field("type", "text");
  out.field("text", std::string_view(text)).end_object().end_array();
  if (result) out.key("structuredContent").raw(*result);
  out.field("isError", !result).end_object();
  reply.result(out.text());
}

}  // namespace etlens::mcp
