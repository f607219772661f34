// SPDX-License-Identifier: Apache-2.0
// A lowered module stands in its graph's JSON as a string that holds JSON again. Most of that text
// is base64 (weights, compiled code), so it is unescaped without those strings: they are left out
// of the inner text and handed over as views of the outer one.
#pragma once

#include <string_view>

#include "core/base/bytes.h"

namespace etlens {

struct LoweredText {
  Bytes json;                        // the inner JSON; each left-out string is ""
  std::string_view processed_bytes;  // base64, into the outer text
};

// `escaped`: the string between its quotes, still escaped as in the outer JSON. Malformed escapes
// are copied as they are; the parser of the inner JSON will refuse them.
LoweredText unescape_lowered(std::string_view escaped);

}  // namespace etlens
