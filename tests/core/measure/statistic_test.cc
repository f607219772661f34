// SPDX-License-Identifier: Apache-2.0
// What a statistic makes of samples: by hand, and on simulated clocks.
#include "core/measure/statistic.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

namespace etlens::statistic_test {

namespace {

using Values = std::vector<int64_t>;

constexpr Statistic kAll[]{Statistic::Typical, Statistic::Mean, Statistic::Median,
                           Statistic::Minimum, Statistic::Maximum};

// As a backend reports: whole microseconds, in nanoseconds.
constexpr int64_t kStep = 1000;
constexpr int64_t kSlack = 2 * kStep;

double mean_of(const Values& values, Statistic statistic, int64_t slack = kSlack) {
  return static_cast<double>(summarize(values, statistic, slack).value) /
         static_cast<double>(values.size());
}

// Starts at a random phase of the clock, and is reported in whole steps of it.
int64_t truncated(double duration, std::mt19937& random) {
  std::uniform_real_distribution<double> phase(0, static_cast<double>(kStep));
  const double start = phase(random);
  const auto step = static_cast<double>(kStep);
  return static_cast<int64_t>(std::floor((start + duration) / step) - std::floor(start / step)) *
         kStep;
}

}  // namespace

TEST_CASE("statistic: names", "[statistic]") {
  for (const Statistic statistic : kAll) CHECK(parse_statistic(name_of(statistic)) == statistic);
  CHECK(name_of(Statistic::Minimum) == "min");
  CHECK_FALSE(parse_statistic("average"));
}

TEST_CASE("statistic: one, two and three samples, none", "[statistic]") {
  for (const Statistic statistic : kAll) {
    CAPTURE(name_of(statistic));
    CHECK(summarize({}, statistic, 0) == Amount());
    CHECK(summarize(Values{700}, statistic, 0) == Amount(700));
    CHECK(summarize(Values{5, 5, 5}, statistic, 0) == Amount(15));
  }
  // Of two, the slower stays where it may be the same work.
  CHECK(summarize(Values{100, 120}, Statistic::Typical, 0) == Amount(220));
  CHECK(summarize(Values{100, 900}, Statistic::Typical, 0) == Amount(200));
  CHECK(summarize(Values{100, 900}, Statistic::Typical, 800) == Amount(1000));
  CHECK(summarize(Values{900, 100, 110}, Statistic::Typical, 0) == Amount(315));
  CHECK(summarize(Values{100, 900}, Statistic::Median, 0) == Amount(1000));
  CHECK(summarize(Values{900, 100, 110}, Statistic::Median, 0) == Amount(330));
  CHECK(summarize(Values{900, 100, 110}, Statistic::Minimum, 0) == Amount(300));
  CHECK(summarize(Values{900, 100, 110}, Statistic::Maximum, 0) == Amount(2700));
  CHECK(summarize(Values{900, 100, 110}, Statistic::Mean, 0) == Amount(1110));
}

TEST_CASE("statistic: sums are exact, however large", "[statistic]") {
  const int64_t large = int64_t{1} << 52;
  const Values values{large, large + 1, large + 3};
  CHECK(summarize(values, Statistic::Mean, 0) == Amount(3 * large + 4));
  CHECK(summarize(values, Statistic::Typical, 0) == Amount(3 * large + 4));
  CHECK(summarize(values, Statistic::Median, 0) == Amount(3 * large + 3));
  // A share that is no whole number is rounded down: 3 * 201 / 2.
  CHECK(summarize(Values{100, 101, 900}, Statistic::Typical, 0) == Amount(301));
}

TEST_CASE("statistic: one interruption does not move what is typical", "[statistic]") {
  std::mt19937 random(7);
  std::normal_distribution<double> noise(0, 30);
  for (const double duration : {2'000.0, 20'000.0, 900'000.0}) {
    CAPTURE(duration);
    Values values;
    for (int i = 0; i < 50; ++i)
      values.push_back(static_cast<int64_t>(duration + std::abs(noise(random))));
    const double before = mean_of(values, Statistic::Typical, 200);
    values[17] += 3'000'000;
    CHECK(mean_of(values, Statistic::Typical, 200) == Approx(before).epsilon(0.005));
    CHECK(mean_of(values, Statistic::Mean) > before + 50'000);
  }
}

TEST_CASE("statistic: what is typical is never above the mean", "[statistic]") {
  std::mt19937 random(11);
  std::lognormal_distribution<double> durations(8, 2);
  for (int trial = 0; trial < 2000; ++trial) {
    Values values(1 + random() % 60);
    for (int64_t& value : values) value = static_cast<int64_t>(durations(random));
    const auto slack = static_cast<int64_t>(random() % 5000);
    const Amount typical = summarize(values, Statistic::Typical, slack);
    REQUIRE(typical <= summarize(values, Statistic::Mean, slack));
    REQUIRE(typical >= summarize(values, Statistic::Minimum, slack));
    // The order of the samples is no matter.
    std::shuffle(values.begin(), values.end(), random);
    REQUIRE(typical == summarize(values, Statistic::Typical, slack));
  }
}

TEST_CASE("statistic: durations cut to whole microseconds keep their mean", "[statistic]") {
  std::mt19937 random(3);
  for (const double duration :
       {500.0, 700.0, 1'000.0, 1'300.0, 2'000.0, 2'400.0, 3'900.0, 7'500.0, 25'300.0, 400'250.0}) {
    CAPTURE(duration);
    double sum = 0;
    constexpr int kTrials = 1000;
    for (int trial = 0; trial < kTrials; ++trial) {
      Values values(50);
      for (int64_t& value : values) value = truncated(duration, random);
      sum += mean_of(values, Statistic::Typical);
    }
    const double bias = sum / kTrials / duration - 1;
    CAPTURE(bias);
    CHECK(std::abs(bias) <= (duration >= 2'000 ? 0.03 : 0.10));
  }
}

TEST_CASE("statistic: what is typical repeats where the mean does not", "[statistic]") {
  // Every execution's event is interrupted now and then, for a long time.
  std::mt19937 random(5);
  std::normal_distribution<double> noise(0, 40);
  double worst_typical = 0;
  double worst_mean = 0;
  for (int trial = 0; trial < 200; ++trial) {
    std::array<Values, 2> halves;
    for (Values& half : halves) {
      for (int i = 0; i < 25; ++i) {
        const double interruption = random() % 20 == 0 ? 500'000 : 0;
        half.push_back(truncated(12'000 + std::abs(noise(random)) + interruption, random));
      }
    }
    const auto apart = [&](Statistic statistic) {
      const double first = mean_of(halves[0], statistic);
      return std::abs(mean_of(halves[1], statistic) / first - 1);
    };
    worst_typical = std::max(worst_typical, apart(Statistic::Typical));
    worst_mean = std::max(worst_mean, apart(Statistic::Mean));
  }
  CHECK(worst_typical < 0.05);
  CHECK(worst_mean > 0.5);
}

}  // namespace etlens::statistic_test
