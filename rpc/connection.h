// SPDX-License-Identifier: Apache-2.0
// Connection: JSON-RPC on a transport. Binds methods to typed handlers, answers what has none,
// honours cancellation, and sends our own requests and notifications.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "protocol/types.h"
#include "rpc/log.h"
#include "rpc/reply.h"
#include "rpc/transport.h"

namespace etlens {

// How a client takes a request back: protocols on JSON-RPC each have their own notification.
struct Cancellation {
  std::string_view method = "$/cancelRequest";
  const char* id_field = "id";
  bool is_answered = true;  // with an error; else not at all
};

class Connection {
 public:
  Connection(Transport& transport, Log& log, Cancellation cancellation = {});
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // Asked before every handler: an error to answer instead (of a notification: it is dropped).
  using Gate = std::function<std::optional<lsp::ResponseError>(std::string_view method)>;
  void set_gate(Gate gate) { gate_ = std::move(gate); }
  // `on_end`: the client closed the stream.
  void start(std::function<void()> on_end);

  // The client is gone: nothing is sent any more.
  void shut() { outbox_->shut(); }

  // Handler: Result<R>(const Params&).
  template <typename Params, typename R, typename Handler>
  void on_request(std::string method, Handler handler) {
    on_later_request<Params, R>(
        std::move(method), [handler = std::move(handler)](const Params& params, Reply<R> reply) {
          reply(handler(params));
        });
  }
  // Handler: void(const Params&, Reply<R>), which may keep the reply and answer later.
  template <typename Params, typename R, typename Handler>
  void on_later_request(std::string method, Handler handler) {
    requests_[std::move(method)] = [handler = std::move(handler)](const lsp::Json& json,
                                                                  ReplyOnce reply) {
      const Result<Params> params = lsp::decode<Params>(json);
      if (!params) reply.error({lsp::ResponseCode::InvalidParams, params.error().message});
      else handler(*params, Reply<R>(std::move(reply)));
    };
  }
  // Handler: what it makes of the params, and how it answers, is its own.
  using RawHandler = std::function<void(const lsp::Json& params, ReplyOnce reply)>;
  void on_raw_request(std::string method, RawHandler handler) {
    requests_[std::move(method)] = std::move(handler);
  }
  // Told of requests that were taken back while they were open.
  void on_cancel(std::function<void(const lsp::RequestId&)> handler) {
    on_cancel_ = std::move(handler);
  }
  // Handler: void(const Params&).
  template <typename Params, typename Handler>
  void on_notification(std::string method, Handler handler) {
    notifications_[method] = [this, method, handler = std::move(handler)](const lsp::Json& json) {
      const Result<Params> params = lsp::decode<Params>(json);
      if (!params) log_.warning("ignored " + method + ": " + params.error().message);
      else handler(*params);
    };
  }

  template <typename Params>
  void notify(std::string_view method, const Params& params) {
    outbox_->send(lsp::notification_text(method, lsp::to_json_text(params)));
  }
  // `done` gets the client's answer, or its error; never, if the connection ends before.
  template <typename R, typename Params>
  void request(std::string_view method, const Params& params, std::function<void(Result<R>)> done) {
    send_request(method, lsp::to_json_text(params),
                 [done = std::move(done)](const Result<lsp::Json>& json) {
                   if (!done) return;
                   if (!json) done(json.error());
                   else done(lsp::decode<R>(*json));
                 });
  }
  // A request without params whose answer says nothing.
  void request_without_params(std::string_view method);

  // $/setTrace.
  void set_trace(std::string_view value);
  size_t unanswered() const { return outbox_->open_count(); }
  std::vector<std::string> methods() const;  // of requests, for tests

 private:
  using Answer = std::function<void(const Result<lsp::Json>&)>;

  void handle(std::vector<lsp::Frame> frames);
  void handle(lsp::Request request);
  void handle(lsp::Notification notification);
  void handle(lsp::Response response);
  void handle(const lsp::Malformed& malformed);
  std::optional<lsp::RequestId> cancelled_id(const lsp::Message& message) const;
  void cancel(const lsp::RequestId& id);
  void trace(std::string_view what, const lsp::Json& params, double milliseconds);
  void send_request(std::string_view method, std::string_view params, Answer answer);

  Transport& transport_;
  Log& log_;
  std::shared_ptr<Outbox> outbox_;
  Gate gate_;
  Cancellation cancellation_;
  std::function<void(const lsp::RequestId&)> on_cancel_;
  std::unordered_map<std::string, RawHandler> requests_;
  std::unordered_map<std::string, std::function<void(const lsp::Json&)>> notifications_;
  std::map<int64_t, Answer> asked_;  // our requests that the client has not answered
  int64_t next_id_ = 1;
  bool trace_messages_ = false;
  bool trace_params_ = false;
};

}  // namespace etlens
