// SPDX-License-Identifier: Apache-2.0
#include "core/formats/pstats/marshal.h"

#include <cmath>

namespace etlens::marshal_test {

using namespace std::string_literals;

namespace {

std::span<const uint8_t> span_of(const std::string& bytes) {
  return {reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()};
}

// What is wrong with the bytes; "" if they can be read.
std::string problem(const std::string& bytes) {
  const Result<MarshalData> data = MarshalData::read(span_of(bytes));
  return data ? "" : data.error().message;
}

// A whole number, alone.
int64_t integer(const std::string& bytes) {
  const Result<MarshalData> data = MarshalData::read(span_of(bytes));
  REQUIRE(data);
  REQUIRE(data->type(data->root()) == MarshalType::Int);
  return data->integer(data->root());
}

double real(const std::string& bytes) {
  const Result<MarshalData> data = MarshalData::read(span_of(bytes));
  REQUIRE(data);
  REQUIRE(data->type(data->root()) == MarshalType::Float);
  return data->real(data->root());
}

std::vector<std::string> texts(const std::string& bytes) {
  const Result<MarshalData> data = MarshalData::read(span_of(bytes));
  REQUIRE(data);
  std::vector<std::string> all;
  for (const MarshalId item : data->items(data->root())) {
    REQUIRE(data->type(item) == MarshalType::String);
    all.emplace_back(data->text(item));
  }
  return all;
}

}  // namespace

TEST_CASE("marshal: whole numbers as every version writes them", "[marshal]") {
  CHECK(integer("i\x2a\0\0\0"s) == 42);
  CHECK(integer("\xe9\xff\xff\xff\xff"s) == -1);
  CHECK(integer("I\0\0\0\0\0\0\0\x80"s) == INT64_MIN);
  CHECK(integer("l\0\0\0\0"s) == 0);
  CHECK(integer("l\x03\0\0\0\0\0\0\0\x02\0"s) == int64_t{1} << 31);
  CHECK(integer("l\xfd\xff\xff\xff\x01\0\0\0\x02\0"s) == -(int64_t{1} << 31) - 1);
  CHECK(integer("l\x05\0\0\0\xff\x7f\xff\x7f\xff\x7f\xff\x7f\x07\0"s) == INT64_MAX);
  const std::string beyond = "l\x05\0\0\0\0\0\0\0\0\0\0\0\x08\0"s;  // 2^63
  const Result<MarshalData> big = MarshalData::read(span_of(beyond));
  REQUIRE(big);
  CHECK(big->type(big->root()) == MarshalType::BigInt);
}

TEST_CASE("marshal: numbers as text and as bits", "[marshal]") {
  CHECK(real("f\x04"
             "0.25"s) == 0.25);
  CHECK(real("f\x05"
             "1e-07"s) == 1e-07);
  CHECK(std::isnan(real("f\x03nan"s)));
  CHECK(real("g\0\0\0\0\0\0\xf8\x3f"s) == 1.5);
}

TEST_CASE("marshal: texts of every kind", "[marshal]") {
  CHECK(texts(")\x07"
              "s\x01\0\0\0a"
              "t\x01\0\0\0b"
              "u\x02\0\0\0\xc3\xb6"
              "a\x01\0\0\0c"
              "A\x01\0\0\0d"
              "z\x01"
              "e"
              "Z\0"s) == std::vector<std::string>{"a", "b", "\xc3\xb6", "c", "d", "e", ""});
}

TEST_CASE("marshal: references count every flagged object from its first byte", "[marshal]") {
  // The tuple is 0, its texts 1 and 2; None takes no number, flagged or not.
  const std::string bytes =
      "\xa9\x02\xa9\x02\xda\x01x\xfa\x01y\xa9\x03\xce"
      "r\x02\0\0\0"
      "r\x01\0\0\0"s;
  const Result<MarshalData> data = MarshalData::read(span_of(bytes));
  REQUIRE(data);
  const auto outer = data->items(data->root());
  REQUIRE(outer.size() == 2);
  const auto last = data->items(outer[1]);
  REQUIRE(last.size() == 3);
  CHECK(data->type(last[0]) == MarshalType::None);
  CHECK(data->text(last[1]) == "x");
  CHECK(last[2] == outer[0]);
}

TEST_CASE("marshal: Python 2 numbers interned strings alone", "[marshal]") {
  CHECK(texts("(\x05\0\0\0"
              "t\x01\0\0\0a"
              "s\x01\0\0\0b"
              "t\x01\0\0\0c"
              "R\x01\0\0\0"
              "R\0\0\0\0"s) == std::vector<std::string>{"a", "b", "c", "c", "a"});
}

TEST_CASE("marshal: what profiles never hold is passed over", "[marshal]") {
  const std::string bytes = "[\x08\0\0\0NT.y"s + std::string(16, '\0') +
                            "x\x01"
                            "1\x01"
                            "2:NNN<\x01\0\0\0N{NN0"s;
  const Result<MarshalData> data = MarshalData::read(span_of(bytes));
  REQUIRE(data);
  CHECK(data->items(data->root()).size() == 8);
  CHECK(data->items(data->items(data->root())[7]).size() == 2);
}

TEST_CASE("marshal: every prefix of an object is one sentence", "[marshal]") {
  const std::string bytes =
      "\xfb\xa9\x03\xda\x01x"
      "i\x01\0\0\0"
      "g\0\0\0\0\0\0\xf8\x3f"
      "l\x01\0\0\0\x05\0"
      "0"s;
  CHECK(problem(bytes).empty());
  for (size_t size = 0; size < bytes.size(); ++size) {
    CAPTURE(size);
    CHECK_THAT(problem(bytes.substr(0, size)),
               Catch::EndsWith("write it again") || Catch::EndsWith("write the profile again"));
  }
}

TEST_CASE("marshal: depth, counts and references that attack", "[marshal]") {
  const auto nested = [](size_t depth) {
    std::string bytes;
    for (size_t d = 0; d < depth; ++d) bytes += ")\x01";
    return bytes + "N";
  };
  CHECK(problem(nested(kMaxMarshalDepth)).empty());
  CHECK_THAT(problem(nested(kMaxMarshalDepth + 1)), Catch::Contains("nesting"));
  CHECK_THAT(problem(nested(5'000'000)), Catch::Contains("nesting"));
  CHECK_THAT(problem("(\xff\xff\xff\x7fN"s), Catch::Contains("more items than the file has bytes"));
  CHECK_THAT(problem("s\xff\xff\xff\xff"s), Catch::Contains("longer than the file"));
  CHECK_THAT(problem("l\0\0\0\x80"s), Catch::Contains("longer than the file"));
  CHECK_THAT(problem("l\x01\0\0\0\0\x80"s), Catch::Contains("a number that is none"));
  CHECK_THAT(problem("l\x01\0\0\0\0\0"s), Catch::Contains("a number that is none"));
  CHECK_THAT(problem("f\x03"
                     "abc"s),
             Catch::Contains("a number that is none"));
  CHECK_THAT(problem("r\0\0\0\0"s), Catch::Contains("a reference to nothing"));
  CHECK_THAT(problem("R\0\0\0\0"s), Catch::Contains("a reference to nothing"));
  CHECK_THAT(problem("\xa9\x01r\0\0\0\0"s), Catch::Contains("an object inside itself"));
  CHECK_THAT(problem("\xfbr\0\0\0\0N0"s), Catch::Contains("an object inside itself"));
  CHECK_THAT(problem("{N0"s), Catch::Contains("an end of a dict where none is"));
  CHECK_THAT(problem("0"s), Catch::Contains("an end of a dict where none is"));
  CHECK_THAT(problem("?"s), Catch::Contains("unknown kind 0x3f"));
  CHECK_THAT(problem("c\0\0\0\0"s), Catch::Contains("compiled Python code"));
}

}  // namespace etlens::marshal_test
