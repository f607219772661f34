// SPDX-License-Identifier: Apache-2.0
// Texts of open documents after changes as editors send them: one message with many changes leaves
// the text that a message for each of them leaves.
#include "server/session/documents.h"

#include <catch2/catch.hpp>
#include <random>

namespace etlens::documents_test {

namespace {

using Change = lsp::TextDocumentContentChangeEvent;
using Random = std::mt19937;

const lsp::DocumentUri kUri = lsp::DocumentUri::from_path("/work/model.py");

uint32_t below(Random& random, size_t limit) { return static_cast<uint32_t>(random() % limit); }

std::string some_text(Random& random) {
  static const std::vector<std::string> kPieces{
      "x = 1", "\n", "\r\n", "\r", "é", "\xF0\x9F\x98\x80", " ", "", "a\nb"};
  std::string text;
  for (uint32_t i = below(random, 6); i > 0; --i) text += kPieces[below(random, kPieces.size())];
  return text;
}

// Anywhere, also behind lines and the text.
Change some_change(Random& random) {
  const auto place = [&] { return lsp::Position{below(random, 12), below(random, 9)}; };
  lsp::Range range{place(), place()};
  if (std::tie(range.end.line, range.end.character) <
      std::tie(range.start.line, range.start.character))
    std::swap(range.start, range.end);
  Change change{range, some_text(random)};
  if (below(random, 20) == 0) change.range.reset();
  return change;
}

std::string open_text(Documents& documents, const std::string& text) {
  documents.open({kUri, "python", 1, text});
  return documents.find(kUri)->text->text();
}

std::string changed(Documents& documents, const std::vector<Change>& changes) {
  return documents.change({{kUri, 2}, changes})->text->text();
}

void check_same(const std::string& text, const std::vector<Change>& changes) {
  Documents one_message;
  open_text(one_message, text);
  const uint64_t revision = one_message.find(kUri)->revision;
  Documents many_messages;
  open_text(many_messages, text);
  std::string expected;
  for (const Change& change : changes) expected = changed(many_messages, {change});
  CHECK(changed(one_message, changes) == expected);
  const auto edits = one_message.find(kUri)->edits.since(revision);
  REQUIRE(edits);
  CHECK(Document(text).edited(*edits).text() == expected);
}

}  // namespace

TEST_CASE("documents: changes of one message are those of many", "[server]") {
  Random random(20261126);
  for (int i = 0; i < 3000; ++i) {
    std::string text;
    for (int piece = 0; piece < 8; ++piece) text += some_text(random);
    std::vector<Change> changes;
    for (uint32_t c = 1 + below(random, 6); c > 0; --c) changes.push_back(some_change(random));
    // As editors with many cursors send them, or not.
    const bool is_sorted = below(random, 2) == 0;
    if (is_sorted) {
      std::stable_sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) {
        const lsp::Position x = a.range.value_or(lsp::Range()).start;
        const lsp::Position y = b.range.value_or(lsp::Range()).start;
        return std::tie(x.line, x.character) > std::tie(y.line, y.character);
      });
    }
    CAPTURE(i, text);
    check_same(text, changes);
  }
}

TEST_CASE("documents: a change on a line that the one before it joined", "[server]") {
  const auto change = [](uint32_t line, uint32_t begin, uint32_t to_line, uint32_t end,
                         const char* text) {
    return Change{lsp::Range{{line, begin}, {to_line, end}}, text};
  };
  check_same("abc\ndef\n", {change(0, 3, 1, 0, ""), change(0, 5, 0, 6, "X")});
  check_same("abc\ndef\n", {change(1, 1, 1, 1, "\n\n"), change(2, 0, 2, 0, "X")});
  check_same("abc\r\ndef\r\n", {change(1, 0, 1, 1, ""), change(0, 3, 1, 0, "Y")});
  check_same("abc", {change(0, 1, 0, 2, ""), change(0, 0, 0, 1, "z"), change(0, 0, 0, 0, "q")});
}

}  // namespace etlens::documents_test
