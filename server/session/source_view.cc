// SPDX-License-Identifier: Apache-2.0
#include "server/session/source_view.h"

#include <algorithm>

#include "core/base/budget.h"
#include "core/render/scope_text.h"

namespace etlens {

std::vector<LineId> SourceView::lines_at(uint32_t line) const {
  std::vector<LineId> ids;
  auto at = std::lower_bound(by_line.begin(), by_line.end(), std::pair(line, LineId(0)));
  for (; at != by_line.end() && at->first == line; ++at) ids.push_back(at->second);
  return ids;
}

const AttributeFacts* SourceView::attribute_at(uint32_t line) const {
  const auto at = std::ranges::lower_bound(attributes, line, {}, &AttributeFacts::line);
  return at == attributes.end() || at->line != line ? nullptr : &*at;
}

void list_lines(SourceView& view, const Code& code) {
  view.by_line.clear();
  const CodeFile& row = code.files[view.file.value];
  for (uint32_t i = 0; i < row.line_count; ++i) {
    const Anchor& anchor = view.anchored.anchors[i];
    if (anchor.line > 0) view.by_line.emplace_back(anchor.line - 1, LineId(row.first_line + i));
  }
  if (!std::is_sorted(view.by_line.begin(), view.by_line.end()))
    std::sort(view.by_line.begin(), view.by_line.end());
}

void complete_view(SourceView& view, const Facts& facts, const ShowSettings& show) {
  list_lines(view, facts.code());
  view.classes = classes_of_scopes(facts, view.file, *view.syntax);
  view.attributes = attribute_facts(facts, view.file, *view.syntax, 0);
  std::erase_if(view.attributes, [&](const AttributeFacts& row) {
    return row.total.amount == Amount() && row.total.share < show.threshold;
  });
  std::stable_sort(
      view.attributes.begin(), view.attributes.end(),
      [](const AttributeFacts& a, const AttributeFacts& b) { return a.line < b.line; });
  if (!show.lenses) return;
  const GoneFacts gone = gone_facts(facts, view.anchored);
  if (!gone.functions.empty() && gone.total.share >= show.threshold) {
    const auto last = static_cast<uint32_t>(std::max<size_t>(view.document->line_count(), 1) - 1);
    view.lenses.push_back({0, last, gone_title(facts, gone, show.unit), false});
  }
  for (const ScopeFacts& row : scope_facts(facts, view.anchored, *view.syntax, show.threshold)) {
    go_on();
    view.lenses.push_back({row.line, view.syntax->scopes()[row.scope].last_line,
                           scope_title(facts, row, show.unit), row.has_total});
  }
}

void carry_scopes(const SourceView& base, const LineShift& shift, SourceView& view) {
  view.attributes = base.attributes;
  for (AttributeFacts& facts : view.attributes) facts.line = shift.line_after(facts.line);
  std::erase_if(view.attributes, [](const AttributeFacts& facts) { return facts.line == kNone; });
  view.lenses = base.lenses;
  for (ScopeLens& lens : view.lenses) {
    lens.line = shift.line_after(lens.line);
    const uint32_t last = shift.line_after(lens.last_line);
    lens.last_line = last == kNone ? lens.line : last;
  }
  std::erase_if(view.lenses, [](const ScopeLens& lens) { return lens.line == kNone; });
}

bool shows_same(const SourceView& a, const SourceView& b) {
  const auto same_anchor = [](const Anchor& x, const Anchor& y) {
    return x.line == y.line && x.edited == y.edited && x.verdict == y.verdict;
  };
  const auto same_attribute = [](const AttributeFacts& x, const AttributeFacts& y) {
    return x.line == y.line && x.row == y.row;
  };
  return std::ranges::equal(a.anchored.anchors, b.anchored.anchors, same_anchor) &&
         std::ranges::equal(a.attributes, b.attributes, same_attribute);
}

}  // namespace etlens
