// SPDX-License-Identifier: Apache-2.0
// JSON text to a tree.
#pragma once

#include <string_view>

#include "core/base/result.h"
#include "protocol/json.h"

namespace etlens::lsp {

inline constexpr size_t kMaxJsonDepth = 512;
// A tree takes up to a hundred times the bytes of its smallest values.
inline constexpr size_t kMaxJsonValues = 1 << 18;

// Parses a whole message: Corrupt for what is no JSON, nested deeper than kMaxJsonDepth, or
// holds more values than kMaxJsonValues.
Result<Json> parse_json(std::string_view text);

}  // namespace etlens::lsp
