// SPDX-License-Identifier: Apache-2.0
// The two ways in which clients say which revision of the protocol they speak. Until 2025-11-25 a
// session begins with `initialize`; from 2026-07-28 on every request says it, and there are no
// sessions.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "core/base/json_writer.h"
#include "core/base/result.h"
#include "protocol/error_code.h"
#include "protocol/json.h"

namespace etlens::mcp {

enum class Era { Session, Stateless };

inline constexpr std::string_view kStatelessVersion = "2026-07-28";
// Of sessions, the newest first. 2025-03-26 is not among them: it has batches, which nobody sends.
inline constexpr std::array<std::string_view, 3> kSessionVersions{"2025-11-25", "2025-06-18",
                                                                  "2024-11-05"};

// The revision for a client that asks for one: the newest that is not newer.
std::string_view session_version(std::string_view asked);

struct EraOrError {
  Era era = Era::Session;
  std::optional<lsp::ResponseError> error;
};
// By the params of a request.
EraOrError era_of(const lsp::Json& params);

// Every error of params.
lsp::ResponseError invalid_params(std::string message);

// Opens a result, with what every result of that era has.
JsonWriter begin_result(Era era, std::string_view server_version);
// Adds to one that does not change while the server runs.
void write_cacheable(JsonWriter& out, Era era);

}  // namespace etlens::mcp
