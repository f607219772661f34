// SPDX-License-Identifier: Apache-2.0
// What really differs between two texts of which one replaced the other as a whole.
#include "core/source/anchor/line_hunks.h"

#include <catch2/catch.hpp>
#include <tuple>

#include "core/source/anchor/line_shift.h"

namespace etlens::line_hunks_test {

namespace {

using Hunks = std::vector<LineHunk>;

Hunks hunks(const std::string& before, const std::string& after) {
  const Document a(before);
  const Document b(after);
  return line_hunks(
      a, b, {0, static_cast<uint32_t>(a.line_count()), 0, static_cast<uint32_t>(b.line_count())});
}

// Where the lines of `before` are when all of it was replaced by `after`; -1 for kNone.
std::vector<int> shifted(const std::string& before, const std::string& after) {
  const Document a(before);
  const Document b(after);
  const LineShift shift(a, std::vector<TextEdit>{{0, before.size(), after}}, b,
                        LineShift::Replaced::Matched);
  std::vector<int> lines;
  for (uint32_t n = 0; n < a.line_count(); ++n) {
    const uint32_t line = shift.line_after(n);
    lines.push_back(line == kNone ? -1 : static_cast<int>(line));
  }
  return lines;
}

}  // namespace

TEST_CASE("line hunks: nothing, one line, lines apart", "[anchor]") {
  CHECK(hunks("a\nb\nc", "a\nb\nc").empty());
  CHECK(hunks("a\nb\nc", "a\nx\nc") == Hunks{{1, 2, 1, 2}});
  CHECK(hunks("a\nb\nc\nd\ne", "a\nx\nc\ny\ne") == Hunks{{1, 2, 1, 2}, {3, 4, 3, 4}});
  CHECK(hunks("  a\n\tb\nc", "a\n  b\nc").empty());  // another indent
  CHECK(hunks("a\nb\nc", "a\nx\ny\nc") == Hunks{{1, 2, 1, 3}});
  CHECK(hunks("a\nc", "a\nb\nc") == Hunks{{1, 1, 1, 2}});
  CHECK(hunks("a\nb\nc", "a\nc") == Hunks{{1, 2, 1, 1}});
  // Lines that both have once part what lies between.
  CHECK(hunks("p\nq\na\nr\nb\ns", "u\na\nv\nw\nb\nt") ==
        Hunks{{0, 2, 0, 1}, {3, 4, 2, 4}, {5, 6, 5, 6}});
}

TEST_CASE("line hunks: of more or fewer lines those that are alike", "[anchor]") {
  CHECK(hunks("f(a, b)\ng(a)", "f(\n    a, b\n)\ng( a )") == Hunks{{0, 1, 0, 3}, {1, 2, 3, 4}});
  CHECK(hunks("x = long_name(a)\n\n\nz", "x = long_name( a )\n\nz") ==
        Hunks{{0, 1, 0, 1}, {1, 2, 1, 1}});
  CHECK(shifted("best, where = topk(x, 2)\nreturn head(best)\nend",
                "best, where = topk(\n    x, 2\n)\nreturn head( best )\nend") ==
        std::vector<int>{0, 3, 4});
  CHECK(shifted("aaaa\nbbbb\ncccc", "xxxx\nyyyy\nzzzz\nwwww") == std::vector<int>{-1, -1, -1});
}

TEST_CASE("line hunks: lines that stand twice, and lines that changed their order", "[anchor]") {
  CHECK(hunks("x\na\na\ny", "u\na\nv\na\nw") == Hunks{{0, 1, 0, 1}, {2, 2, 2, 3}, {3, 4, 4, 5}});
  const Hunks crossed = hunks("a\nb", "b\na");
  for (const LineHunk& hunk : crossed) CHECK((hunk.end <= 2 && hunk.new_end <= 2));
}

TEST_CASE("line shift: a replaced text keeps the lines that it has in common", "[anchor]") {
  CHECK(shifted("a\nb\nc\nd", "a\nb\nc\nd") == std::vector<int>{0, 1, 2, 3});
  CHECK(shifted("a\nb\nc\nd", "x\nb\nc\ny") == std::vector<int>{0, 1, 2, 3});
  CHECK(shifted("p\na\nq\nb\nr", "P\nn\na\nQ\nb\nR") == std::vector<int>{-1, 2, 3, 4, 5});
  CHECK(shifted("p\na\nq\nb\nr", "P\na\nb\nR") == std::vector<int>{0, 1, -1, 2, 3});
  CHECK(shifted("p\na\nq\nr", "P\na\nn\nm\nQ\nR\nS")[1] == 1);
  // At the end and at the beginning.
  CHECK(shifted("a\nb\nq", "n\na\nb") == std::vector<int>{1, 2, -1});
  CHECK(shifted("q\na\nb", "a\nb\nn") == std::vector<int>{-1, 0, 1});
}

TEST_CASE("line shift: whatever was replaced, a line that it says is one of the text", "[anchor]") {
  uint32_t seed = 1;
  const auto below = [&](uint32_t n) {
    seed = seed * 1664525 + 1013904223;
    return (seed >> 16) % n;
  };
  size_t found = 0;
  for (int round = 0; round < 2000; ++round) {
    std::string texts[2];
    for (std::string& text : texts) {
      for (uint32_t n = 2 + below(9); n > 0; --n)
        text += std::string(1, char('a' + below(9))) + "\n";
    }
    const Document a(texts[0]);
    const Document b(texts[1]);
    const LineShift shift(a, std::vector<TextEdit>{{0, texts[0].size(), texts[1]}}, b,
                          LineShift::Replaced::Matched);
    uint32_t last = 0;
    bool is_first = true;
    for (uint32_t n = 0; n < a.line_count(); ++n) {
      const uint32_t line = shift.line_after(n);
      if (line == kNone) continue;
      REQUIRE(line < b.line_count());
      REQUIRE((is_first || line > last));  // in the same order, no two on one line
      std::tie(last, is_first) = std::pair(line, false);
      if (shift.is_touched(line)) continue;
      REQUIRE(b.line(line) == a.line(n));
      ++found;
    }
  }
  CHECK(found > 1000);
}

}  // namespace etlens::line_hunks_test
