// SPDX-License-Identifier: Apache-2.0
// The JSON of a record, written again with other strings. Strings that hold JSON themselves (lowered modules, from_node) are
// entered; strings that hold weights are emptied.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace etlens {

struct JsonChange {
  // A key, or a string that is no JSON; unescaped. Null: they stay.
  std::function<std::string(std::string_view)> text;
  // The payload of a delegate, decoded; gives the bytes to keep of it.
  std::function<std::string(std::string_view backend, std::string bytes)> payload;
};

// Everything but strings stays byte for byte. Corrupt for a string without an end, or JSON in more than eight strings.
Result<std::string> changed_json(std::string_view json, const JsonChange& change);

}  // namespace etlens
