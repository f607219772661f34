// SPDX-License-Identifier: Apache-2.0
// Hovers as Markdown and plain text: names of artifacts are letters, whatever they hold.
#include "core/render/hover.h"

namespace etlens::hover_text_test {

namespace {

// A name that would be Markdown, HTML and a link.
const std::string kHostile = "`|<b>[x](";
const std::string kEscaped = "\\`\\|\\<b\\>\\[x\\](";

HoverInfo hostile_hover() {
  HoverInfo info;
  info.time = "9.00 µs";
  info.facts = {{HoverSpan{"in "}, {kHostile, SpanKind::Name}}};
  info.advice = {{HoverSpan{"To do: "}, {kHostile, SpanKind::Name}}};
  info.operators.columns = {{"operator"}, {"event"}, {"time", Align::Right}, {"where"}};
  info.operators.rows = {{"topk", kHostile, "9.00 µs", kHostile}};
  info.name_columns = 2;
  info.notes = {{HoverSpan{"why: "}, {"no " + kHostile, SpanKind::Sentence}},
                {HoverSpan{"calls "}, {kHostile, SpanKind::Name}}};
  return info;
}

}  // namespace

TEST_CASE("hover: names are escaped wherever they stand", "[hover]") {
  const std::string text = to_markdown(hostile_hover());
  CAPTURE(text);
  CHECK(text.find("<b>") == std::string::npos);
  CHECK(
      text.starts_with("**9.00 µs** in " + kEscaped + "\n\n| operator | event | time | where |\n"));
  // The table stands before what to do: editors cut long hovers.
  CHECK(text.find("|\n\nTo do: " + kEscaped + "\n\nwhy: ") != std::string::npos);
  CHECK(text.find("| `topk` | " + kEscaped + " | 9.00\u00A0µs | " + kEscaped + " |\n") !=
        std::string::npos);
  CHECK(text.ends_with("\n\nwhy: no " + kEscaped + "\n\ncalls " + kEscaped));
}

TEST_CASE("hover: a link's label is letters, whatever it holds", "[hover]") {
  HoverInfo info = hostile_hover();
  info.notes = {{HoverSpan{"calls "}, {kHostile, SpanKind::Name, "file:///a%5B%29#L1"}},
                {HoverSpan{""}, {"a](b)[", SpanKind::Name, "file:///b#L2"}, HoverSpan{", "}}};
  info.linked_column = 1;
  info.row_addresses = {"file:///c#L3"};
  const std::string text = to_markdown(info);
  CAPTURE(text);
  CHECK(text.find("| [" + kEscaped + "](file:///c#L3) | 9.00\u00A0µs |") != std::string::npos);
  // A code span holds brackets that are no label's.
  CHECK(text.ends_with("\n\ncalls [" + kEscaped +
                       "](file:///a%5B%29#L1)\n\n[`a](b)[`](file:///b#L2), "));
  CHECK(to_plain_text(info).find("file:") == std::string::npos);
}

TEST_CASE("hover: plain text has the answer in its first lines", "[hover]") {
  const std::string text = to_plain_text(hostile_hover());
  CHECK(text.starts_with("9.00 µs in " + kHostile + "\nTo do: " + kHostile + "\n"));
}

}  // namespace etlens::hover_text_test
