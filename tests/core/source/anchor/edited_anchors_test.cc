// SPDX-License-Identifier: Apache-2.0
#include "core/source/anchor/edited_anchors.h"

#include <catch2/catch.hpp>
#include <random>

#include "core/base/text.h"

namespace etlens::edited_anchors_test {

namespace {

const char* const kSource =
    "class Block(nn.Module):\n"
    "    def forward(self, x):\n"
    "        h = self.norm(x)\n"
    "        h = self.up(h)\n"
    "        h = F.gelu(h)\n"
    "        return x + self.down(h)\n"
    "\n"
    "    def scale(self, x):\n"
    "        y = x * 2\n"
    "        return torch.tanh(y)\n";

struct Session {
  std::shared_ptr<const Document> document;
  std::vector<RecordedLine> lines;
  std::vector<Anchor> anchors;
  CarriedAnchors at_once;

  Session() : document(std::make_shared<Document>(kSource)) {
    for (const uint32_t n : {3u, 4u, 5u, 6u, 9u, 10u}) {
      RecordedLine line{n, n < 8 ? "forward" : "scale", {}};
      line.text = trim(original().line(n - 1));
      line.classes = {"model.Block"};
      lines.push_back(line);
    }
    anchors = anchor_lines(document, lines);
  }
  static const Document& original() {
    static const Document kDocument{kSource};
    return kDocument;
  }
  // What is known at once has no line elsewhere than a thorough look.
  void edit(TextEdit edit) {
    auto after = std::make_shared<Document>(document->edited(edit));
    const LineShift shift(*document, std::span(&edit, 1), *after);
    at_once = carry_anchors(*document, anchors, shift, *after, lines);
    anchors = anchor_after_edits(*document, anchors, std::span(&edit, 1), after, lines);
    document = after;
    for (size_t r = 0; r < lines.size(); ++r) {
      CAPTURE(document->text(), r);
      const uint32_t line = at_once.anchors[r].line;
      if (at_once.is_certain || line > 0) REQUIRE(line == anchors[r].line);
    }
  }
  // Replaces text that is there once.
  void replace(std::string_view from, std::string_view to) {
    const size_t at = document->text().find(from);
    REQUIRE(at != std::string::npos);
    edit({at, at + from.size(), std::string(to)});
  }
  std::vector<uint32_t> places() const {
    std::vector<uint32_t> found;
    for (const Anchor& anchor : anchors) found.push_back(anchor.line);
    return found;
  }
};

using Places = std::vector<uint32_t>;

}  // namespace

TEST_CASE("edited anchors: carried by arithmetic", "[anchor]") {
  Session session;
  CHECK(session.places() == Places{3, 4, 5, 6, 9, 10});
  CHECK(session.anchors[0].verdict == AnchorVerdict::Exact);
  session.replace("class Block", "# first\nclass Block");
  CHECK(session.places() == Places{4, 5, 6, 7, 10, 11});
  CHECK(session.anchors[0].verdict == AnchorVerdict::Moved);
  CHECK(session.anchors[0].rung == AnchorRung::Edits);
  CHECK_FALSE(session.anchors[0].edited);
  session.replace("# first\n", "");
  CHECK(session.places() == Places{3, 4, 5, 6, 9, 10});
  CHECK(session.anchors[0].verdict == AnchorVerdict::Exact);
}

TEST_CASE("edited anchors: a line typed in keeps its place and says so", "[anchor]") {
  Session session;
  session.replace("self.up(h)", "self.up(h, 2)");
  CHECK(session.places() == Places{3, 4, 5, 6, 9, 10});
  CHECK(session.anchors[1].edited);
  session.replace("self.up(h, 2)", "self.up(h)");
  CHECK_FALSE(session.anchors[1].edited);
  CHECK(session.anchors[1].verdict == AnchorVerdict::Exact);
}

TEST_CASE("edited anchors: a deleted line has no place until it is back", "[anchor]") {
  Session session;
  session.replace("        h = F.gelu(h)\n", "");
  CHECK(session.places() == Places{3, 4, 0, 5, 8, 9});
  CHECK(session.anchors[2].verdict == AnchorVerdict::Stale);
  CHECK(session.anchors[2].function_line == 2);
  session.replace("class Block", "\nclass Block");
  CHECK(session.places() == Places{4, 5, 0, 6, 9, 10});
  CHECK(session.anchors[2].function_line == 3);
  session.replace("        return x +", "        h = F.gelu(h)\n        return x +");
  CHECK(session.places() == Places{4, 5, 6, 7, 10, 11});
}

TEST_CASE("edited anchors: what is certain at once, and what is guessed", "[anchor]") {
  const auto at_once = [](std::string_view from, std::string_view to) {
    Session session;
    session.replace(from, to);
    Places places;
    for (const Anchor& anchor : session.at_once.anchors) places.push_back(anchor.line);
    return std::pair(session.at_once.is_certain, places);
  };
  CHECK(at_once("class", "\n\nclass") == std::pair(true, Places{5, 6, 7, 8, 11, 12}));
  CHECK(at_once("self.up(h)", "self.up(h, 2)") == std::pair(true, Places{3, 4, 5, 6, 9, 10}));
  CHECK(at_once("h = self.up(h)", "\n        h = self.up(h)") ==
        std::pair(true, Places{3, 5, 6, 7, 10, 11}));
  // Broken within: the piece that is most of it.
  CHECK(at_once("self.up(h)", "self.up(\n            h)") ==
        std::pair(false, Places{3, 4, 6, 7, 10, 11}));
  CHECK(at_once("        h = F.gelu(h)\n", "") == std::pair(false, Places{3, 4, 0, 5, 8, 9}));
  CHECK(at_once("def scale", "def scaled") == std::pair(true, Places{3, 4, 5, 6, 9, 10}));
  // Two statements exchanged in one edit.
  CHECK(at_once("h = self.up(h)\n        h = F.gelu(h)", "h = F.gelu(h)\n        h = self.up(h)") ==
        std::pair(false, Places{3, 5, 4, 6, 9, 10}));
}

TEST_CASE("edited anchors: a line that became another statement is given up", "[anchor]") {
  Session session;
  session.replace("h = self.up(h)", "print('looking at', mask.shape)");
  CHECK(session.places() == Places{3, 0, 5, 6, 9, 10});
}

TEST_CASE("edited anchors: the whole text replaced by a formatted one", "[anchor]") {
  Session session;
  std::string formatted = kSource;
  formatted.replace(formatted.find("self.up(h)"), 10, "self.up(\n            h\n        )");
  session.edit({0, session.document->text().size(), formatted});
  CHECK(session.places() == Places{3, 4, 7, 8, 11, 12});
  CHECK_FALSE(session.anchors[1].edited);
}

// Random lines inserted and deleted one keystroke at a time: what has a place always has the text
// that was recorded there, and lines that nobody touched are never lost.
TEST_CASE("edited anchors: many edits", "[anchor]") {
  std::mt19937_64 random(3);
  for (int round = 0; round < 60; ++round) {
    Session session;
    std::vector<bool> is_deleted(session.lines.size(), false);
    for (int i = 0; i < 25; ++i) {
      const size_t at = random() % session.document->line_count();
      const size_t begin = session.document->line_start(at);
      const bool has_next = at + 1 < session.document->line_count();
      const bool is_free =
          session.document->line(at).empty() || session.document->line(at).starts_with("#");
      if (random() % 3 > 0 || !has_next) {
        session.edit({begin, begin, random() % 2 ? "\n" : "# note\n"});
      } else if (is_free) {
        session.edit({begin, session.document->line_start(at + 1), ""});
      } else if (random() % 4 == 0) {
        for (size_t r = 0; r < session.lines.size(); ++r) {
          if (session.anchors[r].line == at + 1) is_deleted[r] = true;
        }
        const bool is_recorded = std::any_of(session.anchors.begin(), session.anchors.end(),
                                             [&](const Anchor& a) { return a.line == at + 1; });
        if (is_recorded) session.edit({begin, session.document->line_start(at + 1), ""});
      }
      for (size_t r = 0; r < session.lines.size(); ++r) {
        const uint32_t line = session.anchors[r].line;
        CAPTURE(round, i, r, session.document->text());
        REQUIRE((line > 0) == !is_deleted[r]);
        if (line > 0) REQUIRE(trim(session.document->line(line - 1)) == session.lines[r].text);
      }
    }
  }
}

}  // namespace etlens::edited_anchors_test
