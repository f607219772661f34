// SPDX-License-Identifier: Apache-2.0
#include "core/render/display_width.h"

#include <utf8proc.h>

#include "core/base/shown_text.h"
#include "core/base/text.h"

namespace etlens {
namespace {

size_t width_of(utf8proc_int32_t character) {
  if (utf8proc_category(character) == UTF8PROC_CATEGORY_CC) return 1;
  return static_cast<size_t>(utf8proc_charwidth(character));  // 0, 1 or 2
}

}  // namespace

size_t display_width(std::string_view text) {
  size_t width = 0;
  while (!text.empty()) {
    utf8proc_int32_t character = 0;
    const utf8proc_ssize_t length =
        utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                         static_cast<utf8proc_ssize_t>(text.size()), &character);
    width += length < 1 ? 1 : width_of(character);
    text.remove_prefix(length < 1 ? 1 : static_cast<size_t>(length));
  }
  return width;
}

std::string printable(std::string_view text) {
  const std::string valid = valid_utf8(text);
  std::string shown;
  shown.reserve(valid.size());
  for (std::string_view rest = valid; !rest.empty();) {
    const std::string_view character = rest.substr(0, utf8_length(rest));
    const bool is_control = character.size() == 1 || character < "\u00A0";
    if (unsafe_length(rest) == 0) shown += character;
    else if (is_control) shown += ' ';
    else shown += shown_instead(character);
    rest.remove_prefix(character.size());
  }
  return shown;
}

}  // namespace etlens
