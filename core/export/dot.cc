// SPDX-License-Identifier: Apache-2.0
#include "core/export/dot.h"

#include "core/base/text.h"
#include "core/render/display_width.h"

namespace etlens {

std::string escaped_for_dot(std::string_view text) {
  std::string out;
  for (const char c : printable(valid_utf8(text))) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

}  // namespace etlens
