// SPDX-License-Identifier: Apache-2.0
#include "core/formats/pstats/pstats_reader.h"

#include <fmt/format.h>

#include "core/formats/file_kind.h"
#include "core/formats/pstats/pstats_writer.h"
#include "test_paths.h"
#include "tests/support/corpus.h"

namespace etlens::pstats_test {

using namespace std::string_literals;

namespace {

const std::string kData = ETLENS_TEST_DATA "/pstats/";

std::span<const uint8_t> span_of(const std::string& bytes) {
  return {reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()};
}

std::string problem(const std::string& bytes) {
  const Result<PythonProfile> profile = read_python_profile(span_of(bytes));
  return profile ? "" : profile.error().message;
}

std::string written(const PythonProfile& profile) {
  std::string bytes;
  REQUIRE(write_python_profile(profile, [&](std::string_view piece) {
    bytes += piece;
    return true;
  }));
  return bytes;
}

PythonProfile read(const std::string& bytes) {
  Result<PythonProfile> profile = read_python_profile(span_of(bytes));
  if (!profile) FAIL(profile.error().message);
  return std::move(*profile);
}

// Everything a profile says, a line for each function and caller.
std::vector<std::string> rows(const PythonProfile& profile) {
  std::vector<std::string> lines;
  const auto line = [&](PythonFunctionId id, const CallCost& cost, bool has_times) {
    lines.push_back(fmt::format("{}:{}:{} {} {} {} {} {}", profile.file(id),
                                profile.row(id).key.line, profile.name(id), cost.calls,
                                cost.primitive, cost.own, cost.cumulative, has_times));
  };
  for (const PythonFunctionId id : profile.listed) {
    line(id, profile.row(id).cost, true);
    for (const PythonCaller& caller : profile.callers_of(id))
      line(caller.function, caller.cost, caller.has_times);
  }
  return lines;
}

// marshal by hand: version 2.
std::string text(const std::string& value) {
  return "z" + std::string(1, static_cast<char>(value.size())) + value;
}
std::string number(int32_t value) {
  std::string bytes = "i";
  for (int b = 0; b < 4; ++b) bytes += static_cast<char>(value >> (8 * b) & 0xFF);
  return bytes;
}
std::string key(const std::string& name) { return ")\x03" + text("m.py") + number(3) + text(name); }
const std::string kHalf = "g\0\0\0\0\0\0\xe0\x3f"s;
const std::string kNan = "g\0\0\0\0\0\0\xf8\x7f"s;
std::string costs(const std::string& first, const std::string& second,
                  const std::string& own = kHalf) {
  return first + second + own + kHalf;
}

}  // namespace

TEST_CASE("pstats: a recursive function of Dynamo's profiler", "[pstats]") {
  const PythonProfile profile = read(test::read_file(kData + "recursive.dynamo-eager.prof"));
  REQUIRE(profile.listed.size() == 3);
  CHECK(profile.total.calls == 31);
  CHECK(profile.total.primitive == 17);
  CHECK(profile.total.own == Approx(0.488).margin(0.001));
  size_t found = 0;
  for (const PythonFunctionId id : profile.listed) {
    if (profile.name(id) != "walk") continue;
    ++found;
    CHECK(profile.row(id).key.line == 13);
    CHECK(profile.row(id).cost.calls == 15);
    CHECK(profile.row(id).cost.primitive == 1);
    REQUIRE(profile.callers_of(id).size() == 2);
    for (const PythonCaller& caller : profile.callers_of(id)) {
      const bool is_self = profile.name(caller.function) == "walk";
      CHECK(caller.cost.calls == (is_self ? 14 : 1));  // all come first here
      CHECK(caller.cost.primitive == (is_self ? 0 : 1));
    }
  }
  CHECK(found == 1);
}

TEST_CASE("pstats: one profile in every version of marshal", "[pstats]") {
  const std::vector<std::string> wanted =
      rows(read(test::read_file(kData + "recursive.cprofile-eager.prof")));
  CHECK(wanted.size() > 20);
  for (const char* version : {"0", "1", "2", "3", "4"}) {
    CAPTURE(version);
    CHECK(rows(read(test::read_file(kData + "version" + version + ".prof"))) == wanted);
  }
}

TEST_CASE("pstats: what is written is what was read", "[pstats]") {
  for (const char* name : {"recursive.dynamo-eager", "grosse.cprofile-eager", "pure"}) {
    CAPTURE(name);
    const PythonProfile profile = read(test::read_file(kData + name + ".prof"));
    CHECK(rows(read(written(profile))) == rows(profile));
  }
}

TEST_CASE("pstats: functions that only call others get a row when they are written", "[pstats]") {
  const std::string bytes = "{" + key("f") + ")\x05" + costs(number(1), number(2)) + "{" +
                            key("g") + ")\x04" + costs(number(2), number(1)) + "00";
  const PythonProfile profile = read(bytes);
  CHECK(profile.listed.size() == 1);
  const PythonProfile again = read(written(profile));
  REQUIRE(again.listed.size() == 2);
  CHECK(again.name(again.listed[1]) == "g");
  CHECK(again.row(again.listed[1]).cost.calls == 0);
  CHECK(again.total.calls == 2);
}

TEST_CASE("pstats: large counts, bytes that are no UTF-8, and times that are whole", "[pstats]") {
  PythonProfileBuilder builder;
  const PythonFunctionId f = builder.function(escaped_text("/tmp/\xff\xc3\xb6.py"), -1, "f");
  builder.list(f);
  builder.row(f).cost = {int64_t{1} << 40, 1, -0.5, 2};
  const PythonProfile again = read(written(builder.finish({})));
  CHECK(again.file(f) == "/tmp/\xED\xB3\xBF\xc3\xb6.py");  // as Python has it
  CHECK(plain_bytes(again.file(f)) == "/tmp/\xff\xc3\xb6.py");
  CHECK(again.row(f).key.line == -1);
  CHECK(again.total.calls == int64_t{1} << 40);
  CHECK(again.total.own == -0.5);
  const PythonProfile whole =
      read("{" + key("f") + ")\x05" + number(1) + number(1) + number(0) + number(2) + "{00");
  CHECK(whole.row(whole.listed[0]).cost.cumulative == 2);
}

TEST_CASE("pstats: a profile that is none is one sentence", "[pstats]") {
  const std::string ones = costs(number(1), number(1));
  const auto one = [](const std::string& value) { return "{" + key("f") + value + "0"; };
  CHECK(problem(one(")\x05" + ones + "{0")).empty());
  CHECK(problem(one(")\x06" + ones + "{0" + "N")).empty());  // more than is needed
  CHECK_THAT(problem("{0"), Catch::StartsWith("holds no functions"));
  CHECK_THAT(problem("N"), Catch::Contains("it holds None"));
  CHECK_THAT(problem("{" + number(1) + number(2) + "0"), Catch::Contains("not named by file"));
  CHECK_THAT(problem(one("N")), Catch::Contains("not a tuple of five"));
  CHECK_THAT(problem(one(")\x05" + ones + "N")), Catch::Contains("callers of a function"));
  CHECK_THAT(problem(one(")\x05" + ones + "{" + key("g") + "N0")),
             Catch::Contains("a caller are neither"));
  CHECK_THAT(problem(one(")\x05" + ones + "{" + key("g") + number(1) + key("g") + number(1) + "0")),
             Catch::Contains("a caller twice"));
  CHECK_THAT(problem("{" + key("f") + ")\x05" + ones + "{0" + key("f") + ")\x05" + ones + "{00"),
             Catch::Contains("a function twice"));
  CHECK_THAT(problem(one(")\x05" + costs(number(-1), number(1)) + "{0")),
             Catch::Contains("number of calls"));
  CHECK_THAT(problem(one(")\x05" + costs("N", number(1)) + "{0")),
             Catch::Contains("number of calls"));
  CHECK_THAT(problem(one(")\x05" + costs(number(1), number(1), kNan) + "{0")),
             Catch::Contains("a time"));
  const std::string huge = "I\xff\xff\xff\xff\xff\xff\xff\x7f"s;
  CHECK_THAT(problem(one(")\x05" + costs(huge, number(1)) + "{0")),
             Catch::Contains("number of calls"));
  CHECK_THAT(problem(one(")\x05" + costs(number(1), number(1), huge) + "{0")),
             Catch::Contains("a time"));
}

TEST_CASE("pstats: callers that references repeat are bounded by the file", "[pstats]") {
  // 1000 callers, which 1000 functions share: a million edges in some 40 kB.
  const auto numbered = [](int n) { return ")\x03" + text("m.py") + number(n) + text("f"); };
  const std::string cost = "\xa9\x04"s + costs(number(1), number(1));
  std::string bytes = "{" + numbered(0) + ")\x05" + costs(number(1), number(1)) + "\xfb";
  for (int n = 0; n < 1000; ++n) bytes += numbered(n) + (n == 0 ? cost : "r\x01\0\0\0"s);
  bytes += "0";
  for (int n = 1; n < 1000; ++n)
    bytes += numbered(n) + ")\x05" + costs(number(1), number(1)) + "r\0\0\0\0"s;
  bytes += "0";
  CHECK_THAT(problem(bytes), Catch::Contains("more callers than it has bytes"));
}

TEST_CASE("pstats: no prefix of a profile is a profile", "[pstats]") {
  const std::string bytes = test::read_file(kData + "recursive.dynamo-eager.prof");
  for (size_t size = 0; size < bytes.size(); ++size) {
    CAPTURE(size);
    CHECK(!problem(bytes.substr(0, size)).empty());
  }
}

TEST_CASE("pstats: profiles are known by their first bytes", "[pstats]") {
  for (const char* name : {"recursive.dynamo-eager", "pure", "version0", "version1", "version2",
                           "version3", "version4"}) {
    CAPTURE(name);
    CHECK(file_kind(span_of(test::read_file(kData + name + ".prof").substr(0, kKindBytes))) ==
          FileKind::PythonProfile);
  }
  for (const std::string& other :
       {"{"s, "{\"a\": 1}"s, "{(3)}"s, "{0"s, "{)\x02zz"s, "{(\x03\0\0\x01z"s})
    CHECK(file_kind(span_of(other)) == FileKind::Other);
}

TEST_CASE("pstats: writing says what fails", "[pstats]") {
  const auto takes_nothing = [](std::string_view) { return false; };
  CHECK(write_python_profile(PythonProfile(), takes_nothing).error().code ==
        ErrorCode::InvalidParams);
  const PythonProfile profile = read(test::read_file(kData + "pure.prof"));
  CHECK(write_python_profile(profile, takes_nothing).error().code == ErrorCode::Io);
}

}  // namespace etlens::pstats_test
