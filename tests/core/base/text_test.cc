// SPDX-License-Identifier: Apache-2.0
#include "core/base/text.h"

namespace etlens::text_test {

TEST_CASE("text: lines end at line feeds only", "[base]") {
  CHECK(split_lines("a\r\nb\nc") == std::vector<std::string_view>{"a", "b", "c"});
  CHECK(split_lines("a\n") == std::vector<std::string_view>{"a"});
  CHECK(split_lines("").empty());
  CHECK(split_lines("a\xE2\x80\xA8z\n\n") == std::vector<std::string_view>{"a\xE2\x80\xA8z", ""});
}

TEST_CASE("text: numbers are whole or nothing", "[base]") {
  CHECK(parse_int("-12") == -12);
  CHECK_FALSE(parse_int("12x"));
  CHECK_FALSE(parse_int(""));
  CHECK_FALSE(parse_int("99999999999999999999"));
  CHECK(parse_double("1e-3") == Approx(0.001));
  CHECK_FALSE(parse_double("one"));
}

TEST_CASE("text: numbers in names are in the order of numbers", "[base]") {
  CHECK(natural_less("layers.2", "layers.10"));
  CHECK_FALSE(natural_less("layers.10", "layers.2"));
  CHECK(natural_less("layers", "layers.0"));
  CHECK(natural_less("a9b", "b1"));
  CHECK(natural_less("x99999999999999999998", "x99999999999999999999"));
  CHECK_FALSE(natural_less("x07", "x7"));
  CHECK_FALSE(natural_less("", ""));
}

TEST_CASE("text: globs", "[base]") {
  const auto [pattern, text, matches] = GENERATE(table<const char*, const char*, bool>({
      {"*.py", "a.py", true},
      {"*.py", "dir/a.py", false},
      {"**/*.py", "dir/sub/a.py", true},
      {"**/*.py", "a.py", true},
      {"**", "any/thing", true},
      {"a?c", "abc", true},
      {"a?c", "a/c", false},
      {"lib/**/x.py", "lib/x.py", true},
      {"lib/**/x.py", "lib/a/b/x.py", true},
      {"lib/**/x.py", "lib/a/b/y.py", false},
      {"*a*a*a*a*b", "aaaaaaaaaaaaaaaaaaaaaaaa", false},
      {"", "", true},
      {"", "a", false},
  }));
  CAPTURE(pattern, text);
  CHECK(glob_match(pattern, text) == matches);
}

TEST_CASE("text: UTF-8", "[base]") {
  CHECK(is_valid_utf8("größe 🚀"));
  CHECK_FALSE(is_valid_utf8("\xC3"));
  CHECK_FALSE(is_valid_utf8("\xED\xA0\x80"));  // a surrogate
  CHECK_FALSE(is_valid_utf8("\xC0\x80"));      // overlong
  CHECK_FALSE(is_valid_utf8("\xF5\x80\x80\x80"));
  CHECK(valid_utf8("a\xFFz") == "a\xEF\xBF\xBDz");
  CHECK(utf8_count("größe 🚀") == 7);
}

TEST_CASE("text: base64 of bytes", "[base]") {
  // The test vectors of RFC 4648.
  CHECK(base64_encode("") == "");
  CHECK(base64_encode("f") == "Zg==");
  CHECK(base64_encode("fo") == "Zm8=");
  CHECK(base64_encode("foo") == "Zm9v");
  CHECK(base64_encode("foobar") == "Zm9vYmFy");
  CHECK(base64_encode("\xff\xfe") == "//4=");
}

TEST_CASE("text: base64", "[base]") {
  const auto text = [](std::string_view code, size_t limit = SIZE_MAX) {
    const auto bytes = base64_decode(code, limit);
    return bytes ? std::string(bytes->begin(), bytes->end()) : "refused";
  };
  CHECK(text("") == "");
  CHECK(text("TQ==") == "M");
  CHECK(text("TWE=") == "Ma");
  CHECK(text("TWFu") == "Man");
  CHECK(text("TWFuTWFu", 4) == "ManM");
  CHECK(text("TW u") == "refused");
}

}  // namespace etlens::text_test
