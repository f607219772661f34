// SPDX-License-Identifier: Apache-2.0
// The report as a page: a file that can be sent, or live in an editor.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/export/export.h"

namespace etlens {

enum class PageKind : uint8_t {
  File,  // a whole document; lines lead to excerpts on the page, and no path of this machine is in it
  Live,  // what is inside of <body>; a line is a link with data-path (of this machine) and data-line (1-based)
};

// "forward: 19.7 ms".
std::string report_title(const ExportInput& input);
// The styles of its whole content. Colours are custom properties of :root, which an editor may set to those of its theme.
std::string report_style();

void write_report(const ExportInput& input, PageKind kind, Sink& sink);

}  // namespace etlens
