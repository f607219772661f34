// SPDX-License-Identifier: Apache-2.0
#include "rpc/connection.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <new>

namespace etlens {
namespace {

constexpr size_t kMaxAsked = 1000;  // a client that never answers must not make us grow

// What params may be: absent means "nothing in particular".
const lsp::Json& object_of(const lsp::Json& params) {
  static const lsp::Json kEmpty = lsp::Json::object();
  return params.is_null() ? kEmpty : params;
}

lsp::Message parse(const std::string& frame) {
  try {
    return lsp::parse_message(frame);
  } catch (const std::bad_alloc&) {
    return lsp::Malformed{
        std::nullopt,
        {lsp::ResponseCode::InternalError, "there is not enough memory to read a message"}};
  }
}

// Whether a request may hold names that were answers of ours.
bool names_what_was_shown(std::string_view method) {
  return method.starts_with("etlens/") || method == "workspace/executeCommand" ||
         method == "workspace/symbol";
}

bool is_lifecycle(std::string_view method) {
  return method == "initialize" || method == "shutdown";
}

}  // namespace

Connection::Connection(Transport& transport, Log& log, Cancellation cancellation)
    : transport_(transport),
      log_(log),
      outbox_(std::make_shared<Outbox>(transport)),
      cancellation_(cancellation) {}

Connection::~Connection() { shut(); }

void Connection::start(std::function<void()> on_end) {
  transport_.start(
      {[this](std::vector<lsp::Frame> frames) { handle(std::move(frames)); }, std::move(on_end)});
}

// All frames of a read are parsed before the first is handled: a request whose cancellation stands
// behind it is not worth the work.
void Connection::handle(std::vector<lsp::Frame> frames) {
  std::vector<lsp::Message> messages;
  messages.reserve(frames.size());
  std::map<lsp::RequestId, size_t> cancelled;  // id -> position of its last cancellation
  for (lsp::Frame& frame : frames) {
    if (frame) {
      messages.push_back(parse(*frame));
      if (auto id = cancelled_id(messages.back())) cancelled[std::move(*id)] = messages.size() - 1;
    } else {
      messages.push_back(
          lsp::Malformed{std::nullopt, {lsp::ResponseCode::ParseError, frame.error().message}});
    }
  }
  for (size_t i = 0; i < messages.size(); ++i) {
    if (const auto* request = std::get_if<lsp::Request>(&messages[i])) {
      const auto at = cancelled.find(request->id);
      if (at != cancelled.end() && at->second > i && !is_lifecycle(request->method) &&
          outbox_->open(request->id)) {
        cancel(request->id);
        continue;
      }
    }
    try {  // a request that was not answered is answered as its reply goes
      std::visit([&](auto& message) { handle(std::move(message)); }, messages[i]);
    } catch (const std::bad_alloc&) {
      log_.warning("there is not enough memory to answer");
    } catch (const std::exception& exception) {
      log_.warning(std::string("a message could not be handled: ") + exception.what());
    }
  }
}

void Connection::handle(lsp::Request request) {
  if (!outbox_->open(request.id)) {
    outbox_->send(lsp::error_text(
        request.id, {lsp::ResponseCode::InvalidRequest, "a request with this id is still open"}));
    return;
  }
  ReplyOnce reply(outbox_, request.id);
  if (gate_) {
    if (const auto error = gate_(request.method)) {
      reply.error(*error);
      return;
    }
  }
  const auto handler = requests_.find(request.method);
  if (handler == requests_.end()) {
    reply.error({lsp::ResponseCode::MethodNotFound, "etlens has no method " + request.method});
    return;
  }
  if (names_what_was_shown(request.method)) lsp::put_back(request.params);
  const auto begin = std::chrono::steady_clock::now();
  handler->second(object_of(request.params), std::move(reply));
  if (!trace_messages_) return;
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
  trace("request '" + request.method + " - (" + lsp::to_text(request.id) + ")'", request.params,
        took.count());
}

void Connection::handle(lsp::Notification notification) {
  if (notification.method == cancellation_.method) {
    if (const auto id = cancelled_id(notification)) cancel(*id);
    return;
  }
  if (gate_ && gate_(notification.method)) return;
  const auto handler = notifications_.find(notification.method);
  if (handler == notifications_.end()) {
    // Those of $/ may be ignored in silence.
    if (!notification.method.starts_with("$/")) log_.info("no handler for " + notification.method);
    return;
  }
  const auto begin = std::chrono::steady_clock::now();
  handler->second(object_of(notification.params));
  if (!trace_messages_) return;
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
  trace("notification '" + notification.method + "'", notification.params, took.count());
}

void Connection::handle(lsp::Response response) {
  const auto* id = std::get_if<int64_t>(&response.id);
  const auto at = id == nullptr ? asked_.end() : asked_.find(*id);
  if (at == asked_.end()) {
    log_.warning("the client answered a request that was not asked: " + lsp::to_text(response.id));
    return;
  }
  const Answer answer = std::move(at->second);
  asked_.erase(at);
  if (response.error) answer(Error{ErrorCode::Unsupported, response.error->message});
  else answer(std::move(response.result));
}

void Connection::handle(const lsp::Malformed& malformed) {
  log_.warning("malformed message: " + malformed.error.message);
  if (malformed.wants_answer) outbox_->send(lsp::error_text(malformed.id, malformed.error));
}

// The request that the message takes back; nullopt for every other message.
std::optional<lsp::RequestId> Connection::cancelled_id(const lsp::Message& message) const {
  const auto* notification = std::get_if<lsp::Notification>(&message);
  if (notification == nullptr || notification->method != cancellation_.method ||
      !notification->params.is_object())
    return std::nullopt;
  const auto at = notification->params.find(cancellation_.id_field);
  if (at == notification->params.end()) return std::nullopt;
  Result<lsp::RequestId> id = lsp::decode<lsp::RequestId>(*at);
  return id ? std::optional(std::move(*id)) : std::nullopt;
}

// A request that waits for something is answered here; one that was answered before is not known
// any more.
void Connection::cancel(const lsp::RequestId& id) {
  if (cancellation_.is_answered) {
    outbox_->answer(id, lsp::error_text(id, {lsp::ResponseCode::RequestCancelled,
                                             "the client cancelled the request"}));
  } else if (outbox_->forget(id) && on_cancel_) {
    on_cancel_(id);
  }
}

void Connection::request_without_params(std::string_view method) { send_request(method, {}, {}); }

void Connection::send_request(std::string_view method, std::string_view params, Answer answer) {
  if (asked_.size() >= kMaxAsked) asked_.erase(asked_.begin());
  const int64_t id = next_id_++;
  asked_[id] = answer ? std::move(answer) : [](const Result<lsp::Json>&) {};
  outbox_->send(lsp::request_text(id, method, params));
}

void Connection::set_trace(std::string_view value) {
  trace_params_ = value == "verbose";
  trace_messages_ = trace_params_ || value == "messages";
}

void Connection::trace(std::string_view what, const lsp::Json& params, double milliseconds) {
  lsp::LogTraceParams entry;
  char took[32];
  std::snprintf(took, sizeof took, "%.2f ms", milliseconds);
  ((entry.message = "Handled ") += what) += ", took ";
  entry.message += took;
  if (trace_params_) entry.verbose = "Params: " + lsp::to_json_text(params);
  notify("$/logTrace", entry);
}

std::vector<std::string> Connection::methods() const {
  std::vector<std::string> names;
  for (const auto& [name, handler] : requests_) names.push_back(name);
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace etlens
