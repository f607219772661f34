// SPDX-License-Identifier: Apache-2.0
#include "core/export/page_links.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "core/base/budget.h"
#include "core/base/path.h"
#include "core/export/markup.h"

namespace etlens {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

size_t end_of_number(std::string_view text, size_t at) {
  while (at < text.size() && is_digit(text[at])) ++at;
  return at;
}

}  // namespace

std::string excerpt_id(FileId file, uint32_t number) {
  return fmt::format("f{}l{}", file.value, number);
}

PageLinks::PageLinks(const ExportInput& input, PageKind kind) {
  const Facts& facts = input.facts;
  const Code& code = facts.code();
  std::unordered_set<uint32_t> in_excerpts;
  for (const LineId line : facts.hot_lines()) {
    if (in_excerpts.size() == kMaxExcerptLines) break;
    in_excerpts.insert(line.value);
  }
  std::unordered_set<std::string> ambiguous;  // two files of one name
  for (uint32_t l = 0; l < code.lines.size(); ++l) {
    go_on();
    const CodeLine& line = code.lines[l];
    const AnchoredSource& source = input.sources[line.file.value];
    const std::string& path = facts.sources()[line.file.value].path;
    const uint32_t now = source.document == nullptr ? 0 : source.of(code, LineId(l)).line;
    std::string attributes;
    if (kind == PageKind::Live) {
      if (path.empty() || now == 0) continue;
      attributes =
          fmt::format("href=\"#\" data-path=\"{}\" data-line=\"{}\"", escape_markup(path), now);
    } else {
      const uint32_t shown = source.document == nullptr ? line.number : now;
      if (!in_excerpts.contains(l) || shown == 0) continue;
      attributes = fmt::format("href=\"#{}\"", excerpt_id(line.file, shown));
    }
    const std::string_view name =
        path.empty() ? code.recorded_path(line.file) : std::string_view(path);
    std::string place = fmt::format("{}:{}", base_name(name), line.number);
    if (!attributes_.emplace(place, attributes).second) ambiguous.insert(place);
    places_.emplace(l, std::move(place));
  }
  for (const std::string& place : ambiguous) attributes_.erase(place);
}

void PageLinks::append_link(std::string& out, const std::string& place,
                            std::string_view shown) const {
  const auto link = attributes_.find(place);
  if (link == attributes_.end()) out += escape_markup(shown);
  else out += fmt::format("<a {}>{}</a>", link->second, escape_markup(shown));
}

std::string PageLinks::linked(LineId line, std::string_view shown) const {
  std::string out;
  const auto place = places_.find(line.value);
  append_link(out, place == places_.end() ? "" : place->second, shown);
  return out;
}

std::string PageLinks::linked(std::string_view cell) const {
  std::string out;
  std::string_view file;  // of the numbers that come
  size_t done = 0;
  for (size_t colon = cell.find(':'); colon != cell.npos; colon = cell.find(':', done)) {
    const size_t before = cell.substr(done, colon - done).rfind(", ");
    size_t begin = before == cell.npos ? done : done + before + 2;
    size_t end = end_of_number(cell, colon + 1);
    // A sign of confidence may stand in front of the name.
    for (const std::string_view sign : {"≈", "↳"}) {
      if (cell.substr(begin, colon - begin).starts_with(sign)) begin += sign.size();
    }
    out += escape_markup(cell.substr(done, begin - done));
    file = cell.substr(begin, colon - begin);
    append_link(out, std::string(cell.substr(begin, end - begin)), cell.substr(begin, end - begin));
    // ",38" is another line of the file.
    while (end + 1 < cell.size() && cell[end] == ',' && is_digit(cell[end + 1])) {
      const size_t next = end_of_number(cell, end + 1);
      const std::string_view number = cell.substr(end + 1, next - end - 1);
      out += ',';
      append_link(out, fmt::format("{}:{}", file, number), number);
      end = next;
    }
    done = end;
  }
  return out + escape_markup(cell.substr(done));
}

}  // namespace etlens
