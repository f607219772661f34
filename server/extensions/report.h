// SPDX-License-Identifier: Apache-2.0
// etlens/report: the report of what is shown, as a page in the editor. It is the page that `etlens report` writes, with a link
// for each source line that is found: data-path (absolute) and data-line (1-based, in the text of now).
#pragma once

#include <cstdint>
#include <string>

#include "core/base/fields.h"

namespace etlens::extensions {

struct ReportResult {
  uint64_t generation = 0;
  std::string why;    // why there is nothing, in one sentence, or ""
  std::string title;  // text
  std::string style;  // CSS
  std::string body;   // HTML of what is inside of <body>; without scripts
};
FIELDS(ReportResult, generation, why, title, style, body)

}  // namespace etlens::extensions
