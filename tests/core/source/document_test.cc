// SPDX-License-Identifier: Apache-2.0
#include "core/source/document.h"

#include <catch2/catch.hpp>
#include <random>

#include "tests/support/each.h"

namespace etlens::document_test {

TEST_CASE("document: every line ending, and a byte order mark that belongs to no line",
          "[document]") {
  const Document document(
      "\xEF\xBB\xBF"
      "a\r\nb\rc\n\nd");
  REQUIRE(document.line_count() == 5);
  CHECK(document.line(0) == "a");
  CHECK(document.line(1) == "b");
  CHECK(document.line(2) == "c");
  CHECK(document.line(3).empty());
  CHECK(document.line(4) == "d");
  CHECK(document.line(5).empty());
  CHECK(document.offset_of(0, 0) == 3);
  CHECK(document.offset_of(0, 99) == 4);
  CHECK(document.offset_of(9, 0) == document.text().size());
  CHECK(document.line_at(0) == 0);
  CHECK(document.line_at(9999) == 4);
}

namespace {

std::vector<size_t> starts_of(const Document& document) {
  std::vector<size_t> starts;
  for (size_t n = 0; n < document.line_count(); ++n) starts.push_back(document.line_start(n));
  return starts;
}

// As editors count lines: behind LF, CRLF and CR.
std::vector<size_t> breaks_of(std::string_view text) {
  std::vector<size_t> starts{0};
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n' || (text[i] == '\r' && !text.substr(i + 1).starts_with('\n')))
      starts.push_back(i + 1);
  }
  return starts;
}

}  // namespace

TEST_CASE("document: an edited one is what its text would give", "[document]") {
  std::mt19937_64 random(7);
  const std::string pieces[] = {"\r", "\n", "\r\n", "x", "ä", "", "self.a(b)\n"};
  Document document("");
  for (int i = 0; i < 3000; ++i) {
    TextEdit edit;
    edit.begin = random() % (document.text().size() + 3);
    edit.end = edit.begin + random() % 6;
    edit.text = pieces[random() % std::size(pieces)] + pieces[random() % std::size(pieces)];
    document = document.edited(edit);
    const Document anew{std::string(document.text())};
    REQUIRE(document.line_count() == anew.line_count());
    for (size_t n = 0; n < anew.line_count(); ++n)
      REQUIRE_OF_EACH(document.line_start(n) == anew.line_start(n));
    REQUIRE(starts_of(document) == breaks_of(document.text()));
  }
}

}  // namespace etlens::document_test
