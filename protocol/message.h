// SPDX-License-Identifier: Apache-2.0
// Messages of JSON-RPC 2.0: requests, notifications and responses.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "protocol/decode.h"
#include "protocol/error_code.h"
#include "protocol/json_text.h"

namespace etlens::lsp {

using RequestId = std::variant<int64_t, std::string>;

struct Request {
  RequestId id;
  std::string method;
  Json params;  // null if the message has none
};

struct Notification {
  std::string method;
  Json params;
};

struct Response {
  RequestId id;
  Json result;
  std::optional<ResponseError> error;
};

// A message that is none of the three, with what to answer; `id` where it could be read.
struct Malformed {
  std::optional<RequestId> id;
  ResponseError error;
  bool wants_answer = true;  // never for what may be a response
};

using Message = std::variant<Request, Notification, Response, Malformed>;

// From the JSON text of a frame.
Message parse_message(std::string_view text);

// JSON texts of whole messages; `params` and `result` are JSON texts.
std::string request_text(const RequestId& id, std::string_view method, std::string_view params);
std::string notification_text(std::string_view method, std::string_view params);
std::string result_text(const RequestId& id, std::string_view result);
// Without an id: the request's could not be read.
std::string error_text(const std::optional<RequestId>& id, const ResponseError& error);

// For logs: 7 or "abc".
std::string to_text(const RequestId& id);

}  // namespace etlens::lsp
