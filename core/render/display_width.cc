// SPDX-License-Identifier: Apache-2.0
#include "core/render/display_width.h"

#include <utf8proc.h>

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

}  // namespace etlens
