// SPDX-License-Identifier: Apache-2.0
#include "core/source/anchor/definitions.h"

#include <catch2/catch.hpp>

#include "core/source/anchor/edited_anchors.h"

namespace etlens::definitions_test {

namespace {

// Two forwards, a decorated function, a lambda.
const std::string kSource =
    "import torch\n"                          // 1
    "\n"                                      // 2
    "class A:\n"                              // 3
    "    def forward(self, x):\n"             // 4
    "        return x\n"                      // 5
    "\n"                                      // 6
    "@torch.no_grad()\n"                      // 7
    "def helper(x):\n"                        // 8
    "    return list(map(lambda y: y, x))\n"  // 9
    "\n"                                      // 10
    "class B:\n"                              // 11
    "    def forward(self, x):\n"             // 12
    "        return helper(x)\n";             // 13

RecordedLine recorded(uint32_t line, std::string_view function) {
  RecordedLine row{line, function, ""};
  row.is_definition = true;
  return row;
}

const std::vector<RecordedLine> kRecorded{recorded(12, "forward"), recorded(4, "forward"),
                                          recorded(7, "helper"), recorded(9, "<lambda>")};

std::vector<Anchor> anchors_in(const std::string& text,
                               const std::vector<RecordedLine>& lines = kRecorded) {
  return anchor_lines(std::make_shared<Document>(text), lines);
}

std::vector<uint32_t> lines_of(const std::vector<Anchor>& anchors) {
  std::vector<uint32_t> lines;
  for (const Anchor& anchor : anchors) lines.push_back(anchor.line);
  return lines;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

}  // namespace

TEST_CASE("definitions: where they were, on the line of the def", "[anchor]") {
  const std::vector<Anchor> anchors = anchors_in(kSource);
  CHECK(lines_of(anchors) == std::vector<uint32_t>{12, 4, 8, 9});
  for (const Anchor& anchor : anchors) {
    CHECK(anchor.verdict == AnchorVerdict::Exact);
    CHECK(anchor.rung == AnchorRung::SameLine);
    CHECK(!anchor.edited);
  }
}

TEST_CASE("definitions: lines above move everything", "[anchor]") {
  const std::vector<Anchor> anchors = anchors_in("# one\n# two\n" + kSource);
  CHECK(lines_of(anchors) == std::vector<uint32_t>{14, 6, 10, 11});
  for (const Anchor& anchor : anchors) CHECK(anchor.verdict == AnchorVerdict::Moved);
}

TEST_CASE("definitions: a further function of the name makes no guess", "[anchor]") {
  // Behind helper there are two forwards now, of which one was recorded.
  const std::string text = kSource + "\nclass C:\n    def forward(self, x):\n        return x\n";
  CHECK(lines_of(anchors_in(text)) == std::vector<uint32_t>{12, 4, 8, 9});  // all where they were
  const std::vector<Anchor> moved = anchors_in("#\n" + text);
  CHECK(moved[1].line == 5);  // the only one before helper
  CHECK(moved[2].line == 9);
  CHECK(moved[0].line == 0);
  CHECK(moved[0].verdict == AnchorVerdict::Lost);
}

TEST_CASE("definitions: between functions that moved alike", "[anchor]") {
  const std::string tail = "\ndef last(x):\n    return x\n";
  std::vector<RecordedLine> lines = kRecorded;
  lines.push_back(recorded(15, "last"));
  CHECK(anchors_in(kSource + tail, lines)[0].line == 12);
  // Another forward appeared behind, inside C: counts differ, but what is around moved by one.
  const std::string text = "#\n" + replaced(kSource + tail, "class B:", "class B:");
  CHECK(anchors_in(text, lines)[0].line == 13);
  const std::string grown = "#\n" +
                            replaced(kSource, "return helper(x)\n",
                                     "return helper(x)\n    class D:\n"
                                     "        def forward(self): pass\n") +
                            tail;
  CHECK(anchors_in(grown, lines)[0].line == 0);  // last moved by three, helper by one
}

TEST_CASE("definitions: a renamed or removed function is lost, the others are not", "[anchor]") {
  const std::vector<Anchor> anchors = anchors_in(replaced(kSource, "def helper", "def other"));
  CHECK(lines_of(anchors) == std::vector<uint32_t>{12, 4, 0, 0});
  CHECK(anchors[0].verdict == AnchorVerdict::Exact);
}

TEST_CASE("definitions: a lambda needs a lambda on its line", "[anchor]") {
  CHECK(anchors_in(replaced(kSource, "lambda y: y", "str"))[3].line == 0);
}

TEST_CASE("definitions: nothing of them is there", "[anchor]") {
  for (const Anchor& anchor : anchors_in("x = 1\n")) CHECK(anchor.verdict == AnchorVerdict::Lost);
  for (const Anchor& anchor : anchors_in("")) CHECK(anchor.line == 0);
  CHECK(anchors_in(kSource, {recorded(4'000'000'000u, "forward")})[0].line == 0);
  CHECK(anchors_in(kSource, {recorded(1, "<module>")})[0].line == 1);
}

TEST_CASE("definitions: carried through edits, found again when a def is typed over", "[anchor]") {
  const auto before = std::make_shared<const Document>(kSource);
  const std::vector<Anchor> anchors = anchor_lines(before, kRecorded);
  const auto edited = [&](const std::string& from, const std::string& to) {
    const auto at = static_cast<uint32_t>(kSource.find(from));
    const TextEdit edit{at, at + static_cast<uint32_t>(from.size()), to};
    const auto after = std::make_shared<const Document>(before->edited(edit));
    return lines_of(anchor_after_edits(*before, anchors, std::span(&edit, 1), after, kRecorded));
  };
  CHECK(edited("import torch\n", "import torch\nimport sys\n") ==
        std::vector<uint32_t>{13, 5, 9, 10});
  CHECK(edited("def helper(x)", "def helper(x, y)") == std::vector<uint32_t>{12, 4, 8, 9});
  CHECK(edited("def helper(x)", "def helped(x)") == std::vector<uint32_t>{12, 4, 0, 0});
}

TEST_CASE("definitions: many of one name take no square of time", "[anchor]") {
  std::string text;
  std::vector<RecordedLine> lines;
  for (uint32_t n = 0; n < 20'000; ++n) {
    text += "def f(): pass\n";
    lines.push_back(recorded(n + 2, n % 2 == 0 ? "f" : "<lambda>"));
  }
  CHECK(anchors_in(text, lines).size() == lines.size());
}

}  // namespace etlens::definitions_test
