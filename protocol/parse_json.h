// SPDX-License-Identifier: Apache-2.0
// JSON text to a tree.
#pragma once

#include <string_view>

#include "core/base/result.h"
#include "protocol/fields.h"

namespace etlens::lsp {

inline constexpr size_t kMaxJsonDepth = 512;

// Parses a whole message: Corrupt for what is no JSON, or nested deeper than kMaxJsonDepth.
Result<Json> parse_json(std::string_view text);

}  // namespace etlens::lsp
