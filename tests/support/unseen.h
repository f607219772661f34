// SPDX-License-Identifier: Apache-2.0
// Text in which characters stand that nobody sees, and whether an answer shows them all.
#pragma once

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "core/base/shown_text.h"
#include "core/base/text.h"

namespace etlens::test {

// One of each kind: marks of direction, without width, separators, fillers, tags, selectors.
inline const std::string kUnseen =
    "\u061C\u200B\u200D\u200F\u2028\u2029\u202E\u2060\u2066\u206F\uFEFF\u00AD\u180E\uFFF9\u115F"
    "\u3164\uFFA0\uFE0F\U000E0041\U000E007F\U000E0101";

// Bytes of any form: whether one of the characters above stands in them as it is.
inline bool holds_unseen(std::string_view bytes) {
  for (std::string_view rest = kUnseen; !rest.empty(); rest.remove_prefix(utf8_length(rest))) {
    if (bytes.find(rest.substr(0, utf8_length(rest))) != std::string_view::npos) return true;
  }
  return false;
}

// Whether a string that JSON holds is, once it was decoded, what is not seen; names too.
inline bool holds_unseen_in(const nlohmann::json& value) {
  if (value.is_string()) return holds_unseen(value.get_ref<const std::string&>());
  if (value.is_object()) {
    return std::any_of(value.items().begin(), value.items().end(), [](const auto& item) {
      return holds_unseen(item.key()) || holds_unseen_in(item.value());
    });
  }
  return value.is_array() &&
         std::any_of(value.begin(), value.end(),
                     [](const nlohmann::json& each) { return holds_unseen_in(each); });
}

}  // namespace etlens::test
