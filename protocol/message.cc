// SPDX-License-Identifier: Apache-2.0
#include "protocol/message.h"

#include "core/base/json_writer.h"
#include "protocol/parse_json.h"

namespace etlens::lsp {
namespace {

std::optional<RequestId> read_id(const Json& message) {
  const auto at = message.find("id");
  if (at == message.end()) return std::nullopt;
  RequestId id;
  Decoder decoder;
  if (!decoder.read(*at, id)) return std::nullopt;
  return id;
}

Malformed invalid_request(std::optional<RequestId> id, std::string why) {
  return {std::move(id), {ResponseCode::InvalidRequest, std::move(why)}};
}

Json take_field(Json& message, const char* name) {
  const auto at = message.find(name);
  return at == message.end() ? Json() : std::move(*at);
}

Message read_response(Json& message, std::optional<RequestId> id) {
  if (!id) {
    Malformed malformed = invalid_request(std::nullopt, "a response has no usable id");
    malformed.wants_answer = false;
    return malformed;
  }
  Response response{std::move(*id), take_field(message, "result"), std::nullopt};
  const auto at = message.find("error");
  if (at != message.end()) {
    ResponseError error{ResponseCode::InternalError, "the client's error says nothing"};
    if (at->is_object()) {
      Decoder decoder;
      int32_t code = 0;
      const auto code_at = at->find("code");
      if (code_at != at->end() && decoder.read(*code_at, code))
        error.code = static_cast<ResponseCode>(code);
      const auto text_at = at->find("message");
      if (text_at != at->end()) decoder.read(*text_at, error.message);
    }
    response.error = std::move(error);
  }
  return response;
}

// A client's id comes back to it as it was, whatever it holds.
void write_id(JsonWriter& out, const RequestId& id) {
  const std::string* text = std::get_if<std::string>(&id);
  if (text == nullptr) {
    write_json(out, id);
    return;
  }
  out.exact(*text);
}

// With room for `body` bytes beside what every message has.
JsonWriter begin_message(size_t body = 0) {
  constexpr size_t kFrame = 64;
  JsonWriter out(JsonStyle::Message);
  out.reserve(body + kFrame);
  out.begin_object().field("jsonrpc", "2.0");
  return out;
}

std::string end_call(JsonWriter& out, std::string_view method, std::string_view params) {
  out.field("method", method);
  if (!params.empty()) out.key("params").raw(params);
  out.end_object();
  return out.take();
}

}  // namespace

Message parse_message(std::string_view text) {
  Result<Json> parsed = parse_json(text);
  if (!parsed) {
    return Malformed{std::nullopt, {ResponseCode::ParseError, parsed.error().message}};
  }
  Json& message = *parsed;
  if (!message.is_object()) return invalid_request(std::nullopt, "the message is not an object");
  std::optional<RequestId> id = read_id(message);
  const bool has_id = message.contains("id");
  const auto method = message.find("method");
  if (method == message.end()) {
    if (message.contains("result") || message.contains("error"))
      return read_response(message, std::move(id));
    return invalid_request(std::move(id), "the message has neither a method nor a result");
  }
  if (!method->is_string()) return invalid_request(std::move(id), "the method is not a string");
  std::string name = std::move(method->get_ref<std::string&>());
  Json params = take_field(message, "params");
  if (!params.is_null() && !params.is_object() && !params.is_array()) {
    return invalid_request(std::move(id), "params is neither an object nor an array");
  }
  if (!has_id) return Notification{std::move(name), std::move(params)};
  if (!id) return invalid_request(std::nullopt, "the id is neither a number nor a string");
  return Request{std::move(*id), std::move(name), std::move(params)};
}

std::string request_text(const RequestId& id, std::string_view method, std::string_view params) {
  JsonWriter out = begin_message();
  out.key("id");
  write_id(out, id);
  return end_call(out, method, params);
}

std::string notification_text(std::string_view method, std::string_view params) {
  JsonWriter out = begin_message();
  return end_call(out, method, params);
}

std::string result_text(const RequestId& id, std::string_view result) {
  JsonWriter out = begin_message(result.size());
  out.key("id");
  write_id(out, id);
  out.key("result").raw(result).end_object();
  return out.take();
}

std::string error_text(const std::optional<RequestId>& id, const ResponseError& error) {
  JsonWriter out = begin_message();
  out.key("id");
  if (id) write_id(out, *id);
  else out.null();
  out.key("error").begin_object().key("code");
  write_json(out, error.code);
  out.field("message", error.message);
  if (!error.data.empty()) out.key("data").raw(error.data);
  out.end_object().end_object();
  return out.take();
}

std::string to_text(const RequestId& id) { return to_json_text(id); }

}  // namespace etlens::lsp
