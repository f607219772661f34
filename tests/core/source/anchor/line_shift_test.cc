// SPDX-License-Identifier: Apache-2.0
#include "core/source/anchor/line_shift.h"

#include <catch2/catch.hpp>

namespace etlens::line_shift_test {

namespace {

// Where lines 0 … of "a\nb\nc\nd\n" are after the edits; -1 for kNone.
std::vector<int> shifted(const std::vector<TextEdit>& edits) {
  const Document before("a\nb\nc\nd\n");
  const Document after = before.edited(edits);
  const LineShift shift(before, edits, after);
  std::vector<int> lines;
  for (uint32_t n = 0; n < 4; ++n) {
    const uint32_t line = shift.line_after(n);
    lines.push_back(line == kNone ? -1 : static_cast<int>(line));
    if (line != kNone && !shift.is_touched(line)) CHECK(after.line(line) == before.line(n));
  }
  return lines;
}

}  // namespace

TEST_CASE("line shift: arithmetic of edits", "[anchor]") {
  CHECK(shifted({}) == std::vector<int>{0, 1, 2, 3});
  CHECK(shifted({{2, 2, "x\n"}}) == std::vector<int>{0, 2, 3, 4});        // a line above b
  CHECK(shifted({{3, 3, "\nx"}}) == std::vector<int>{0, 1, 3, 4});        // a line below b
  CHECK(shifted({{2, 2, "b\n"}}) == std::vector<int>{0, 2, 3, 4});        // b doubled from above
  CHECK(shifted({{3, 3, "\nb"}}) == std::vector<int>{0, 1, 3, 4});        // and from below
  CHECK(shifted({{3, 3, "xyz"}}) == std::vector<int>{0, 1, 2, 3});        // typed in the line
  CHECK(shifted({{2, 4, ""}}) == std::vector<int>{0, -1, 1, 2});          // b deleted
  CHECK(shifted({{3, 4, ""}}) == std::vector<int>{0, -1, -1, 2});         // b and c joined
  CHECK(shifted({{2, 5, "x\ny\nz"}}) == std::vector<int>{0, -1, -1, 4});  // both replaced
  CHECK(shifted({{0, 0, "x\n"}, {8, 10, ""}}) == std::vector<int>{1, 2, 3, -1});
}

TEST_CASE("line shift: a line keeps its place under another indent", "[anchor]") {
  const Document before("  a\n  b\n");
  const std::vector<TextEdit> edits{{6, 6, "\n"}};  // enter in front of b
  const Document after = before.edited(edits);
  const LineShift shift(before, edits, after);
  CHECK(shift.line_after(0) == 0);
  CHECK(shift.line_after(1) == 2);
}

TEST_CASE("line shift: the pieces of a line that was broken", "[anchor]") {
  const Document before("abc\nd\n");
  const std::vector<TextEdit> edits{{1, 1, "\n"}, {3, 3, "\n"}, {0, 0, "new\n"}};
  const auto pieces = [&](size_t count) {
    const std::span<const TextEdit> some = std::span(edits).first(count);
    const LineShift shift(before, some, before.edited(some));
    CHECK_FALSE(shift.pieces_after(1));
    const auto range = shift.pieces_after(0);
    return range ? std::pair(int(range->first), int(range->last)) : std::pair(-1, -1);
  };
  CHECK(pieces(1) == std::pair(0, 1));
  CHECK(pieces(2) == std::pair(-1, -1));  // the second piece was broken again
}

TEST_CASE("line shift: very many edits count as one", "[anchor]") {
  std::vector<TextEdit> edits;
  for (int i = 0; i < 50; ++i) edits.push_back({3, 3, "x"});
  CHECK(shifted(edits) == std::vector<int>{0, 1, 2, 3});
  edits.push_back({2, 2, "new\n"});
  CHECK(shifted(edits)[2] == 3);
}

TEST_CASE("line shift: edits that do not lead to the text are not believed", "[anchor]") {
  const Document before("a\nb\n"), after("x\na\nb\n");
  const std::vector<TextEdit> edits{{0, 1, "q"}};
  const LineShift shift(before, edits, after);
  CHECK(shift.line_after(0) == 1);
  CHECK(shift.line_after(1) == 2);
}

}  // namespace etlens::line_shift_test
