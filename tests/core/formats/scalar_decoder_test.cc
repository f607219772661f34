// SPDX-License-Identifier: Apache-2.0
#include "core/formats/scalar_decoder.h"

#include <cmath>

#include "core/formats/scalar_type.h"

namespace etlens::scalar_decoder_test {

namespace {

std::vector<double> decode(int type, const std::string& bytes) {
  const size_t size = scalar_type_size(type);
  std::vector<double> values(size == 0 ? 0 : bytes.size() / size);
  const std::span<const uint8_t> raw(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
  REQUIRE(decode_scalars(type, raw, values.data()));
  return values;
}

double one(int type, std::initializer_list<int> bytes) {
  std::string text;
  for (const int byte : bytes) text += static_cast<char>(byte);
  return decode(type, text).front();
}

}  // namespace

TEST_CASE("scalars: every type that is a number", "[scalar]") {
  CHECK(one(0, {0xFF}) == 255);
  CHECK(one(1, {0xFF}) == -1);
  CHECK(one(2, {0xFE, 0xFF}) == -2);
  CHECK(one(3, {0, 0, 0, 0x80}) == -2147483648.0);
  CHECK(one(4, {1, 0, 0, 0, 0, 0, 0, 0x80}) == -9223372036854775807.0);
  CHECK(one(11, {0}) == 0);
  CHECK(one(11, {2}) == 1);
  CHECK(one(12, {0x80}) == -128);
  CHECK(one(13, {0x80}) == 128);
  CHECK(one(14, {0xFF, 0xFF, 0xFF, 0xFF}) == -1);
  CHECK(one(22, {0xFF, 0xFF}) == 65535);
  CHECK(one(27, {0xFF, 0xFF}) == 65535);
  CHECK(one(28, {0xFF, 0xFF, 0xFF, 0xFF}) == 4294967295.0);
  CHECK(one(29, {0, 0, 0, 0, 0, 0, 0, 0x80}) == 9223372036854775808.0);
  CHECK(decode(6, std::string("\0\0\xc0\x3f\0\0\x80\xff", 8)) ==
        std::vector<double>{1.5, -INFINITY});
  CHECK(one(7, {0, 0, 0, 0, 0, 0, 0xF8, 0x3F}) == 1.5);
}

TEST_CASE("scalars: small floating point types", "[scalar]") {
  CHECK(one(5, {0x00, 0x3C}) == 1);  // half
  CHECK(one(5, {0xFF, 0x7B}) == 65504);
  CHECK(one(5, {0x01, 0x00}) == std::ldexp(1, -24));
  CHECK(one(5, {0x00, 0xFC}) == -INFINITY);
  CHECK(std::isnan(one(5, {0x01, 0x7C})));
  CHECK(one(15, {0x80, 0x3F}) == 1);  // bfloat16
  CHECK(one(15, {0x80, 0xFF}) == -INFINITY);
  CHECK(one(23, {0x3C}) == 1);  // e5m2
  CHECK(one(23, {0x7C}) == INFINITY);
  CHECK(std::isnan(one(23, {0x7F})));
  CHECK(one(24, {0x38}) == 1);  // e4m3fn: no infinities
  CHECK(one(24, {0x7E}) == 448);
  CHECK(std::isnan(one(24, {0x7F})));
  CHECK(one(25, {0x40}) == 1);  // fnuz: one NaN, no negative zero
  CHECK(std::isnan(one(25, {0x80})));
  CHECK(one(26, {0x40}) == 1);
  CHECK(one(26, {0x7F}) == 240);
  CHECK(std::isnan(one(26, {0x80})));
}

TEST_CASE("scalars: one and many say the same", "[scalar]") {
  std::string bytes;
  for (int i = 0; i < 256; ++i) bytes += static_cast<char>(i * 37);
  size_t compared = 0;
  for (int type = 0; type < 30; ++type) {
    const size_t size = scalar_type_size(type);
    if (!is_decodable(type)) continue;
    const std::vector<double> many = decode(type, bytes);
    for (size_t i = 0; i < many.size(); ++i) {
      const auto alone =
          scalar_value(type, {reinterpret_cast<const uint8_t*>(bytes.data()) + i * size, size});
      if (!alone) break;  // only decoded in numbers
      CAPTURE(type, i);
      CHECK((many[i] == *alone || (std::isnan(many[i]) && std::isnan(*alone))));
      ++compared;
    }
  }
  CHECK(compared > 500);
}

TEST_CASE("scalars: every other element", "[scalar]") {
  const std::vector<float> values{1, 2, 3, 4, 5, 6};
  std::array<double, 3> out{};
  REQUIRE(decode_strided(6, reinterpret_cast<const uint8_t*>(values.data()), 2, 3, out.data()));
  CHECK(out == std::array<double, 3>{1, 3, 5});
  CHECK(!is_decodable(8));
  CHECK(!is_decodable(16));
  CHECK(!is_decodable(-1));
  CHECK(!is_decodable(99));
}

}  // namespace etlens::scalar_decoder_test
