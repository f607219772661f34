// SPDX-License-Identifier: Apache-2.0
// Widths of text and the forms of tables.
#include "core/render/table.h"

#include "core/render/display_width.h"

namespace etlens::table_test {

TEST_CASE("display width: characters of all kinds", "[table]") {
  const auto [text, width] = GENERATE(table<const char*, size_t>({
      {"", 0},
      {"name", 4},
      {"größe", 5},
      {"12.4 µs … ×", 11},
      {"深度", 4},
      {"ｆｕｌｌ", 8},
      {"한글", 4},
      {"e\u0301", 1},        // a combining accent
      {"a\u20D7\u0308", 1},  // two of them
      {"│╒═╤┼─⋮█", 8},       // box drawing
      {"🚀", 2},
      {"\u231A", 2},    // an emoji outside the emoji blocks
      {"a\u200Bb", 2},  // a zero width space
      {"👩\u200D💻", 4},  // two emoji and a joiner
      {"\uFEFFx", 1},
      {"x\xFF\xC3", 3},       // bytes that are no UTF-8
      {"a\tb\x1b\u009B", 5},  // control characters
      {"\xE6\xB7", 2},        // half of a character
  }));
  CAPTURE(text);
  CHECK(display_width(text) == width);
}

TEST_CASE("tables: columns are aligned by what a terminal shows", "[table]") {
  const Table table{
      {{"name"}, {"time", Align::Right}, {"note"}},
      {{"größe", "1", ""}, {"深度", "20", "x"}, {"e\u0301", "3 µs", ""}, {"🚀 go", "深", "a b"}}};
  CHECK(to_text(table) ==
        "name   time  note\n"
        "größe     1\n"
        "深度     20  x\n"
        "e\u0301      3 µs\n"
        "🚀 go    深  a b\n");
}

TEST_CASE("tables: a cell stays in its line", "[table]") {
  const Table table{{{"name"}, {"n", Align::Right}},
                    {{"a\tb\nc\x1b[1m\u009B", "1"}, {"x\xFFy", "20"}}};
  CHECK(to_text(table) == "name         n\na b c [1m    1\nx\uFFFDy         20\n");
  CHECK(to_markdown(table) ==
        "| name | n |\n| --- | ---: |\n| a b c \\[1m  | 1 |\n| x\uFFFDy | 20 |\n");
}

TEST_CASE("tables: what nobody sees has a width, and is shown in every form", "[table]") {
  const Table table{{{"name"}, {"n", Align::Right}}, {{"a\u200Bb", "1"}, {"\U000E0041", "20"}}};
  CHECK(to_text(table) ==
        "name         n\n"
        "a<U+200B>b   1\n"
        "<U+E0041>   20\n");
  CHECK(to_markdown(table) ==
        "| name | n |\n| --- | ---: |\n| a\\<U+200B\\>b | 1 |\n| \\<U+E0041\\> | 20 |\n");
}

TEST_CASE("tables: without rows there is the header", "[table]") {
  const Table table{{{"name"}, {"n", Align::Right}}, {}};
  CHECK(to_text(table) == "name  n\n");
  CHECK(to_csv(table) == "name,n\n");
  CHECK(to_tsv(table) == "name\tn\n");
  CHECK(to_markdown(table) == "| name | n |\n| --- | ---: |\n");
}

TEST_CASE("tables: separated values are quoted where they must be", "[table]") {
  const auto [cell, csv, tsv] = GENERATE(table<const char*, const char*, const char*>({
      {"plain text", "plain text", "plain text"},
      {"", "", ""},
      {"a,b", "\"a,b\"", "a,b"},
      {"a\tb", "a\tb", "\"a\tb\""},
      {"say \"x\"", "\"say \"\"x\"\"\"", "\"say \"\"x\"\"\""},
      {"two\nlines", "\"two\nlines\"", "\"two\nlines\""},
      {"\r", "\"\r\"", "\"\r\""},
      {"x\xFFy", "x\uFFFDy", "x\uFFFDy"},
  }));
  const Table table{{{"a"}, {"b"}}, {{cell, "1"}}};
  CHECK(to_csv(table) == std::string("a,b\n") + csv + ",1\n");
  CHECK(to_tsv(table) == std::string("a\tb\n") + tsv + "\t1\n");
}

TEST_CASE("tables: nothing of an artifact becomes Markdown", "[table]") {
  CHECK(escape_markdown("[a](command:x) <b> `c` https://d") ==
        "\\[a\\](command\\:x) \\<b\\> \\`c\\` https\\://d");
  CHECK(escape_markdown("a|b\\c *d* _e_ ~f~ #g {h} &amp; $i$ @j") ==
        "a\\|b\\\\c \\*d\\* \\_e\\_ \\~f\\~ \\#g \\{h\\} \\&amp; \\$i\\$ \\@j");
  CHECK(escape_markdown("one\r\n| two") == "one  \\| two");
}

TEST_CASE("tables: an underscore inside a word is no emphasis and stays as it is", "[table]") {
  const auto [text, markdown] = GENERATE(table<const char*, const char*>({
      {"native_layer_norm", "native_layer_norm"},
      {"aten_cumsum_default_5", "aten_cumsum_default_5"},
      {"_a_b_", "\\_a_b\\_"},
      {"__init__", "\\_\\_init\\_\\_"},
      {"a__b", "a\\_\\_b"},
      {"a _b_ c", "a \\_b\\_ c"},
      {"(_a_)", "(\\_a\\_)"},
      {"a_*b*_c", "a\\_\\*b\\*\\_c"},
      {"a_.b_c._d", "a\\_.b_c.\\_d"},
      {"a_\xC3\xA9_b", "a\\_\xC3\xA9\\_b"},
      {"x_www.evil.org", "x_www\\.evil.org"},
      {"_", "\\_"},
      {"", ""},
  }));
  CHECK(escape_markdown(text) == markdown);
}

}  // namespace etlens::table_test
