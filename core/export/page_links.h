// SPDX-License-Identifier: Apache-2.0
// PageLinks: where the source lines that a page names lead: in a file to the excerpt on the same page, in an editor to the
// line itself, in the text of now.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "core/export/export.h"
#include "core/export/report_page.h"

namespace etlens {

// Lines of source that a report shows with what is around them, of all files.
inline constexpr size_t kMaxExcerptLines = 15;

class PageLinks {
 public:
  PageLinks() = default;  // no text leads anywhere
  PageLinks(const ExportInput& input, PageKind kind);

  // The text of a cell for HTML, "layers.py:41,38, rope.py:14", with each line that leads somewhere as a link.
  std::string linked(std::string_view cell) const;
  // The same of one line: `shown` as a link; as it is if the line leads nowhere.
  std::string linked(LineId line, std::string_view shown) const;

 private:
  void append_link(std::string& out, const std::string& place, std::string_view shown) const;

  std::unordered_map<std::string, std::string> attributes_;  // of a link, by "layers.py:41"
  std::unordered_map<uint32_t, std::string> places_;         // "layers.py:41", by line
};

// The id of a line of an excerpt.
std::string excerpt_id(FileId file, uint32_t number);

}  // namespace etlens
