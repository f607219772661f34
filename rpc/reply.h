// SPDX-License-Identifier: Apache-2.0
// Replies. A request is answered exactly once, whatever happens: ReplyOnce can only be moved, and
// answers InternalError when it dies unused. A request that was cancelled meanwhile has been
// answered; what comes later is dropped.
#pragma once

#include <exception>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "core/base/result.h"
#include "protocol/message.h"
#include "rpc/transport.h"

namespace etlens {

// What is still to be answered, and the way out. Shared by the connection and its replies.
class Outbox {
 public:
  explicit Outbox(Transport& transport) : transport_(&transport) {}

  void send(std::string json) {
    if (transport_ != nullptr) transport_->send(std::move(json));
  }
  // The connection is gone: nothing is sent any more.
  void shut() { transport_ = nullptr; }

  // False if a request of that id is open already.
  bool open(const lsp::RequestId& id) { return open_.insert(id).second; }
  size_t open_count() const { return open_.size(); }

  // The client wants no answer any more. False if the request is not open.
  bool forget(const lsp::RequestId& id) { return open_.erase(id) > 0; }

  void answer(const lsp::RequestId& id, std::string message) {
    if (open_.erase(id) > 0) send(std::move(message));
  }

 private:
  Transport* transport_;
  std::set<lsp::RequestId> open_;
};

class ReplyOnce {
 public:
  ReplyOnce(std::shared_ptr<Outbox> outbox, lsp::RequestId id)
      : outbox_(std::move(outbox)), id_(std::move(id)) {}
  ReplyOnce(ReplyOnce&&) noexcept = default;
  ReplyOnce& operator=(ReplyOnce&&) = delete;
  // Where something was thrown, most likely for want of memory, the answer must not throw as well.
  ~ReplyOnce() {
    if (!outbox_) return;
    try {
      error({lsp::ResponseCode::InternalError,
             std::uncaught_exceptions() > 0
                 ? "this request failed, maybe for want of memory; others are answered as before"
                 : "the request was not answered; this is a bug of etlens"});
    } catch (const std::exception&) {
    }
  }

  // `json`: the result as JSON text.
  void result(std::string_view json) { answer(lsp::result_text(id_, json)); }
  void error(const lsp::ResponseError& error) { answer(lsp::error_text(id_, error)); }
  const lsp::RequestId& id() const { return id_; }

 private:
  void answer(std::string message) {
    if (const auto outbox = std::exchange(outbox_, nullptr))
      outbox->answer(id_, std::move(message));
  }

  std::shared_ptr<Outbox> outbox_;
  lsp::RequestId id_;
};

// A reply whose result is a T.
template <typename T>
class Reply {
 public:
  explicit Reply(ReplyOnce reply) : reply_(std::move(reply)) {}

  void operator()(const Result<T>& result) {
    if (result) reply_.result(lsp::to_json_text(*result));
    else reply_.error({lsp::response_code(result.error().code), result.error().message});
  }

 private:
  ReplyOnce reply_;
};

}  // namespace etlens
