// SPDX-License-Identifier: Apache-2.0
// To which set an execution belongs by all its times: waits add to them, nothing takes from them.
#include "core/measure/group_fit.h"

#include <array>
#include <cmath>

#include <catch2/catch.hpp>

namespace etlens::group_fit_test {

namespace {

// Two kernels in twelve executions: the first six of 10 and 4 µs, the others of twice that. `add`, per
// kernel and execution.
template <typename Add>
GroupSignals two_sizes(Add add) {
  GroupSignals signals;
  for (size_t r = 0; r < 2; ++r) {
    std::vector<double>& row = signals.kernels.emplace_back();
    for (size_t s = 0; s < 12; ++s) {
      const double micros =
          (r == 0 ? 10.0 : 4.0) * (s < 6 ? 1 : 2) * (1 + 0.005 * static_cast<double>(s % 6));
      row.push_back(std::log(kKernelOffset + micros + add(r, s)));
    }
  }
  return signals;
}

const std::array<Columns, 2> kSizes{Columns{0, 1, 2, 3, 4, 5}, Columns{6, 7, 8, 9, 10, 11}};

}  // namespace

TEST_CASE("group fit: the level is that of the least times", "[groups]") {
  CHECK(level_of({3, 9, 4}) == 3);
  CHECK(level_of({5}) == 5);
  // One time that is too short does not make the level of many.
  const double level = level_of({1, 5, 5, 5, 5, 5, 5, 5, 9, 9, 9});
  CHECK(level == 5);
}

TEST_CASE("group fit: a wait does not make an execution one of more work", "[groups]") {
  // One kernel of the fifth execution waits for as long as the larger size takes, or for longer.
  for (const double wait : {0.0, 8.0, 10.0, 500.0}) {
    CAPTURE(wait);
    const GroupRows rows(
        two_sizes([&](size_t r, size_t s) { return r == 0 && s == 4 ? wait : 0.0; }));
    const GroupFit fit(rows, kSizes);
    for (uint32_t s = 0; s < 12; ++s) {
      CAPTURE(s);
      CHECK(fit.nearest(s, 0) == (s < 6 ? 0u : 1u));
      CHECK(fit.nearest(s, 1) == (s < 6 ? 0u : 1u));
      CHECK((fit.position(s) > 0.5) == (s >= 6));
    }
  }
}

TEST_CASE("group fit: far below a level costs more than far above one", "[groups]") {
  const GroupRows rows(two_sizes([](size_t, size_t) { return 0.0; }));
  const GroupFit fit(rows, kSizes);
  CHECK(fit.cost(0, 1) > 2 * fit.cost(11, 0));
  // The next microsecond of a wait costs less than the one before.
  const auto cost_of = [](double wait) {
    const GroupRows waiting(
        two_sizes([&](size_t r, size_t s) { return r == 0 && s == 5 ? wait : 0.0; }));
    return GroupFit(waiting, kSizes).cost(5, 0);
  };
  CHECK(cost_of(4) > cost_of(2));
  CHECK(cost_of(4) - cost_of(2) < cost_of(2) - cost_of(0));
}

TEST_CASE("group fit: rows that are alike in all sets say nothing", "[groups]") {
  GroupSignals signals = two_sizes([](size_t, size_t) { return 0.0; });
  const GroupRows before(signals);
  signals.kernels.push_back(std::vector<double>(12, 3.0));
  signals.kernels.back()[0] = 5.0;
  const GroupRows after(signals);
  const GroupFit fit(before, kSizes), with_more(after, kSizes);
  CHECK(with_more.cost(0, 0) == fit.cost(0, 0));
  CHECK(with_more.cost(0, 1) == fit.cost(0, 1));
}

TEST_CASE("group fit: events of backends decide where kernels do not", "[groups]") {
  // All kernels of the first execution were interrupted for long.
  GroupSignals signals = two_sizes([](size_t, size_t s) { return s == 0 ? 900.0 : 0.0; });
  CHECK(GroupFit(GroupRows(signals), kSizes).nearest(0, 0) == 1);
  for (size_t r = 0; r < 6; ++r) {
    std::vector<double>& row = signals.delegated.emplace_back();
    for (size_t s = 0; s < 12; ++s) row.push_back(std::log(s < 6 ? 50.0 : 100.0));
  }
  const GroupRows rows(signals);
  CHECK(rows.kernels == 2);
  CHECK(GroupFit(rows, kSizes).nearest(0, 0) == 0);
}

}  // namespace etlens::group_fit_test
