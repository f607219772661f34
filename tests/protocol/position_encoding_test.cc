// SPDX-License-Identifier: Apache-2.0
#include "protocol/position_encoding.h"

#include <catch2/catch.hpp>
#include <random>

namespace etlens::position_encoding_test {

using namespace etlens::lsp;

namespace {

constexpr auto kEncodings = {PositionEncoding::Utf8, PositionEncoding::Utf16,
                             PositionEncoding::Utf32};

}  // namespace

TEST_CASE("columns in three units", "[protocol]") {
  //                         a é   €   😀   b
  const std::string line =
      "a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80"
      "b";
  CHECK(to_client_column(line, line.size(), PositionEncoding::Utf8) == 11);
  CHECK(to_client_column(line, line.size(), PositionEncoding::Utf16) == 6);
  CHECK(to_client_column(line, line.size(), PositionEncoding::Utf32) == 5);
  CHECK(to_byte_column(line, 3, PositionEncoding::Utf16) == 6);   // before the emoji
  CHECK(to_byte_column(line, 4, PositionEncoding::Utf16) == 6);   // between its surrogates
  CHECK(to_byte_column(line, 5, PositionEncoding::Utf16) == 10);  // behind it
  CHECK(to_byte_column(line, 2, PositionEncoding::Utf8) == 1);    // inside the é
}

TEST_CASE("columns behind the end of a line are its end", "[protocol]") {
  for (const PositionEncoding encoding : kEncodings) {
    CHECK(to_byte_column("abc", 99, encoding) == 3);
    CHECK(to_byte_column("", 7, encoding) == 0);
    CHECK(to_client_column("abc", 99, encoding) == 3);
    CHECK(to_byte_column("abc", UINT32_MAX, encoding) == 3);
  }
}

TEST_CASE("there and back again, on valid and invalid UTF-8", "[protocol]") {
  std::mt19937 random(7);
  const std::vector<std::string> pieces{
      "a", "\t", "\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x98\x80", "\xFF", "\xE2\x82", "\xC0"};
  for (int round = 0; round < 500; ++round) {
    std::string line;
    for (size_t n = random() % 20; n > 0; --n) line += pieces[random() % pieces.size()];
    for (const PositionEncoding encoding : kEncodings) {
      uint32_t last = 0;
      for (size_t byte = 0; byte <= line.size(); ++byte) {
        const uint32_t column = to_client_column(line, byte, encoding);
        CHECK(column >= last);
        last = column;
        const size_t back = to_byte_column(line, column, encoding);
        CHECK(back <= byte);  // the beginning of the character that holds the byte
        CHECK(to_client_column(line, back, encoding) == column);
      }
    }
  }
}

}  // namespace etlens::position_encoding_test
