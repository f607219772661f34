// SPDX-License-Identifier: Apache-2.0
#include "core/base/shown_text.h"

#include <catch2/catch.hpp>

namespace etlens::shown_text_test {

TEST_CASE("text that is shown holds nothing that a terminal obeys", "[shown_text]") {
  CHECK(shown_text("a\tb\nc größe 深度 😀") == "a\tb\nc größe 深度 😀");
  CHECK(shown_text("\x1b]0;title\x07") == "\uFFFD]0;title\uFFFD");
  CHECK(shown_text(std::string_view("a\0b\r\x7f", 5)) == "a\uFFFDb\uFFFD\uFFFD");
  CHECK(shown_text("\u0080\u009b31m\u009f\u00a0") == "\uFFFD\uFFFD31m\uFFFD\u00a0");
  CHECK(shown_text("\u2029\u202a\u202e\u202f") == "\u2029\uFFFD\uFFFD\u202f");
  CHECK(shown_text("\u2065\u2066\u2069\u206a") == "\u2065\uFFFD\uFFFD\u206a");
  CHECK(shown_text("a\xFF\xC3z\xED\xA0\x80") == "a\uFFFD\uFFFDz\uFFFD\uFFFD\uFFFD");
}

TEST_CASE("of what a terminal obeys only colours are left", "[shown_text]") {
  CHECK(shown_in_color("\x1b[1;31mred\x1b[0m") == "\x1b[1;31mred\x1b[0m");
  CHECK(shown_in_color("\x1b[2J\x1b[31\x1b") == "\uFFFD[2J\uFFFD[31\uFFFD");
  CHECK(shown_text("\x1b[1;31mred") == "\uFFFD[1;31mred");
}

TEST_CASE("shown text: a cell is no formula", "[text]") {
  for (const char* formula :
       {"=1+1", "+1", "-1", "@sum", " =1", "\t=1", "\u200b=1", "\ufeff =1", "\uff1d1"})
    CHECK(spreadsheet_text(formula) == "'" + std::string(formula));
  for (const char* text : {"", " ", "a=b", "aten.add", "\u00e9", "1-2"})
    CHECK(spreadsheet_text(text) == text);
}

}  // namespace etlens::shown_text_test
