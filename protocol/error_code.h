// SPDX-License-Identifier: Apache-2.0
// Error codes of JSON-RPC and LSP, and the error of a response.
#pragma once

#include <string>

#include "core/base/result.h"

namespace etlens::lsp {

enum class ResponseCode {
  ParseError = -32700,
  InvalidRequest = -32600,
  MethodNotFound = -32601,
  InvalidParams = -32602,
  InternalError = -32603,
  ServerNotInitialized = -32002,
  RequestFailed = -32803,
  ServerCancelled = -32802,
  ContentModified = -32801,
  RequestCancelled = -32800,
};

struct ResponseError {
  ResponseCode code = ResponseCode::InternalError;
  std::string message = {};
  std::string data = {};  // JSON text; "" for none
};

// What a failed handler's error is called on the wire.
inline ResponseCode response_code(ErrorCode code) {
  switch (code) {
    case ErrorCode::InvalidParams:
      return ResponseCode::InvalidParams;
    case ErrorCode::Cancelled:
      return ResponseCode::RequestCancelled;
    case ErrorCode::Internal:
      return ResponseCode::InternalError;
    default:
      return ResponseCode::RequestFailed;
  }
}

}  // namespace etlens::lsp
