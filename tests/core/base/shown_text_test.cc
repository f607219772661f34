// SPDX-License-Identifier: Apache-2.0
#include "core/base/shown_text.h"

#include <catch2/catch.hpp>

namespace etlens::shown_text_test {

TEST_CASE("text that is shown holds nothing that a terminal obeys", "[shown_text]") {
  CHECK(shown_text("a\tb\nc größe 深度 😀") == "a\tb\nc größe 深度 😀");
  CHECK(shown_text("\x1b]0;title\x07") == "\uFFFD]0;title\uFFFD");
  CHECK(shown_text(std::string_view("a\0b\r\x7f", 5)) == "a\uFFFDb\uFFFD\uFFFD");
  CHECK(shown_text("\u0080\u009b31m\u009f\u00a0") == "\uFFFD\uFFFD31m\uFFFD\u00a0");
  CHECK(shown_text("a\xFF\xC3z\xED\xA0\x80") == "a\uFFFD\uFFFDz\uFFFD\uFFFD\uFFFD");
}

namespace {

struct Unseen {
  const char* text;
  const char* shown;
};

// The first and the last of each kind.
constexpr Unseen kUnseen[] = {
    {"\u00AD", "<U+00AD>"},      {"\u034F", "<U+034F>"},      {"\u061C", "<U+061C>"},
    {"\u115F", "<U+115F>"},      {"\u1160", "<U+1160>"},      {"\u17B4", "<U+17B4>"},
    {"\u180E", "<U+180E>"},      {"\u200B", "<U+200B>"},      {"\u200D", "<U+200D>"},
    {"\u200F", "<U+200F>"},      {"\u2028", "<U+2028>"},      {"\u2029", "<U+2029>"},
    {"\u202A", "<U+202A>"},      {"\u202E", "<U+202E>"},      {"\u2060", "<U+2060>"},
    {"\u2064", "<U+2064>"},      {"\u2066", "<U+2066>"},      {"\u206F", "<U+206F>"},
    {"\u3164", "<U+3164>"},      {"\uFE00", "<U+FE00>"},      {"\uFEFF", "<U+FEFF>"},
    {"\uFFA0", "<U+FFA0>"},      {"\uFFF9", "<U+FFF9>"},      {"\uFFFB", "<U+FFFB>"},
    {"\U0001D173", "<U+1D173>"}, {"\U000E0000", "<U+E0000>"}, {"\U000E0041", "<U+E0041>"},
    {"\U000E007F", "<U+E007F>"}, {"\U000E0100", "<U+E0100>"}, {"\U000E01EF", "<U+E01EF>"},
};

}  // namespace

TEST_CASE("what nobody sees is shown by its number, and found again by it", "[shown_text]") {
  for (const auto& [text, shown] : kUnseen) {
    const std::string around = "a" + std::string(text) + "b";
    CAPTURE(shown);
    CHECK(shown_text(around) == "a" + std::string(shown) + "b");
    CHECK(text_behind(shown_text(around)) == around);
    CHECK(shown_in_color("\x1b[1m" + around) == "\x1b[1ma" + std::string(shown) + "b");
  }
  // Joiners of emoji, too.
  CHECK(shown_text("👩\u200D💻") == "👩<U+200D>💻");
}

TEST_CASE("what is seen beside what is not stays as it is", "[shown_text]") {
  for (const char* text :
       {"\u00A0",   "\u00AC", "\u00AE",     "\u0300", "\u061B",     "\u115E",     "\u2007",
        "\u200A",   "\u2010", "\u2027",     "\u202F", "\u205F",     "\u2070",     "\u3163",
        "\uFDFF",   "\uFE10", "\uFF9F",     "\uFFFC", "\U0001F680", "\U000E1000", "<U+200B",
        "<U+0041>", "<U+>",   "<U+110000>", "U+200B", "<U+200B >"}) {
    CAPTURE(text);
    CHECK(shown_text(text) == text);
    CHECK(text_behind(text) == text);
  }
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
