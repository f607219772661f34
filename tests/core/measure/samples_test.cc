// SPDX-License-Identifier: Apache-2.0
// Which executions there are, which do the same work, which are odd, and which are used.
#include "core/measure/samples.h"

#include <random>
#include <string>
#include <vector>

namespace etlens::samples_test {

namespace {

using Numbers = std::vector<uint32_t>;

constexpr size_t kEvents = 40;

// Events of 1 to 400 µs; `factor`, per sample and event.
template <typename Factor>
Series series_of(size_t samples, Factor factor) {
  std::mt19937 random(9);
  std::uniform_real_distribution<double> noise(1, 1.05);
  Series series(kEvents, samples);
  for (size_t s = 0; s < samples; ++s) {
    for (size_t e = 0; e < kEvents; ++e) {
      const double usual = 1000.0 + static_cast<double>(e * e) * 250;
      series.sample(s)[e] = static_cast<int64_t>(usual * noise(random) * factor(s, e));
    }
  }
  return series;
}

std::vector<SampleKind> kinds_of(const Series& series) {
  std::vector<Amount> totals(series.samples());
  for (size_t s = 0; s < series.samples(); ++s) {
    for (const int64_t value : series.sample(s)) totals[s] += Amount(value);
  }
  return find_kinds(series, totals, std::vector<int64_t>(kEvents, 200));
}

std::vector<Amount> amounts(const std::vector<int64_t>& values) {
  std::vector<Amount> amounts;
  for (const int64_t value : values) amounts.emplace_back(value);
  return amounts;
}

Numbers chosen(std::string_view choice, size_t count, const std::vector<SampleKind>& kinds = {}) {
  const auto result = choose_samples(choice, count, kinds);
  if (!result) FAIL(result.error().message);
  return *result;
}

std::string refusal(std::string_view choice, size_t count) {
  const auto result = choose_samples(choice, count, {});
  REQUIRE_FALSE(result);
  CHECK(result.error().code == ErrorCode::InvalidParams);
  return result.error().message;
}

const std::vector<SampleKind> kTwoKinds{{{1, 3, 4, 5}}, {{0, 2, 6}}};

}  // namespace

TEST_CASE("samples: choices are read", "[samples]") {
  CHECK(chosen("", 3) == Numbers{0, 1, 2});
  CHECK(chosen("all", 3) == Numbers{0, 1, 2});
  CHECK(chosen("2", 3) == Numbers{1});
  CHECK(chosen("1-3,5", 6) == Numbers{0, 1, 2, 4});
  CHECK(chosen(" 5 , 1-2,2", 6) == Numbers{0, 1, 4});  // in their order, each once
  CHECK(chosen("", 7, kTwoKinds) == Numbers{1, 3, 4, 5});
  CHECK(chosen("fast", 7, kTwoKinds) == Numbers{1, 3, 4, 5});
  CHECK(chosen("slow", 7, kTwoKinds) == Numbers{0, 2, 6});
  CHECK(chosen("all", 7, kTwoKinds).size() == 7);
}

TEST_CASE("samples: of kinds the largest is used, also where it is the slower", "[samples]") {
  CHECK(chosen("", 7, {{{0, 2, 6}}, {{1, 3, 4, 5}}}) == Numbers{1, 3, 4, 5});
}

TEST_CASE("samples: what cannot be read is an error that says what there is", "[samples]") {
  for (const char* wrong : {"0", "4", "2-4", "3-2", "1-", "-2", "1,,2", "x", "1;2", "1.5", ",",
                            "99999999999999999999"}) {
    CAPTURE(wrong);
    CHECK(refusal(wrong, 3).find("the block has 3") != std::string::npos);
  }
  CHECK(refusal("slow", 3).find("all executions are of one kind") != std::string::npos);
}

TEST_CASE("samples: ranges as text, and back", "[samples]") {
  CHECK(samples_text(Numbers{0, 1, 2}, 3) == "all");
  CHECK(samples_text(Numbers{0, 1, 2, 6}, 8) == "1-3,7");
  CHECK(samples_text(Numbers{4}, 8) == "5");
  CHECK(chosen(samples_text(Numbers{0, 3, 4, 7}, 8), 8) == Numbers{0, 3, 4, 7});
}

TEST_CASE("samples: prefill and decode behind one signature are two kinds", "[samples]") {
  const auto is_prefill = [](size_t s) { return s % 10 == 0; };
  const Series mixed = series_of(50, [&](size_t s, size_t) { return is_prefill(s) ? 12.0 : 1.0; });
  const std::vector<SampleKind> kinds = kinds_of(mixed);
  REQUIRE(kinds.size() == 2);
  CHECK(kinds[0].samples.size() == 45);
  CHECK(kinds[1].samples == Numbers{0, 10, 20, 30, 40});
}

TEST_CASE("samples: interruptions are no kind", "[samples]") {
  // One of 3 ms in every fifth execution; then in every execution, each time elsewhere.
  const auto in_some = [](size_t s, size_t e) { return s % 5 == 0 && e == 7 ? 200.0 : 1.0; };
  CHECK(kinds_of(series_of(50, in_some)).empty());
  const auto in_all = [](size_t s, size_t e) { return e == s % kEvents ? 100.0 : 1.0; };
  CHECK(kinds_of(series_of(50, in_all)).empty());
  const auto warm_up = [](size_t s, size_t) { return s < 2 ? 5.0 : 1.0; };
  CHECK(kinds_of(series_of(50, warm_up)).empty());
}

TEST_CASE("samples: a machine that changed its speed is no kind", "[samples]") {
  CHECK(kinds_of(series_of(50, [](size_t s, size_t) { return s < 25 ? 1.0 : 1.4; })).empty());
  CHECK(kinds_of(series_of(50, [](size_t, size_t) { return 1.0; })).empty());
  CHECK(kinds_of(series_of(1, [](size_t, size_t) { return 1.0; })).empty());
}

TEST_CASE("samples: the odd ones", "[samples]") {
  const Numbers all{0, 1, 2, 3, 4};
  CHECK(find_odd(amounts({5000, 100, 110, 90, 105}), all) == Numbers{0});
  CHECK(find_odd(amounts({100, 100, 110, 90, 105}), all).empty());
  // Half as much again, and most of all that was beyond.
  CHECK(find_odd(amounts({100, 100, 160, 90, 105}), all) == Numbers{2});
  // Only those that are used count.
  CHECK(find_odd(amounts({5000, 100, 110, 90, 105}), Numbers{1, 2, 3, 4}).empty());
  CHECK(find_odd(amounts({5000, 100}), Numbers{0, 1}).empty());  // which of the two is odd?
}

}  // namespace etlens::samples_test
