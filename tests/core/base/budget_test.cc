// SPDX-License-Identifier: Apache-2.0
#include "core/base/budget.h"

#include <catch2/catch.hpp>

#include <time.h>

#include <cstring>
#include <memory>
#include <vector>

namespace etlens::budget_test {

namespace {

constexpr int64_t kMb = 1 << 20;

constexpr int64_t kShortNs = 50'000'000;

// What a base costs is not what is tested here.
struct SmallBudget {
  explicit SmallBudget(int64_t ns = Ledger::kBaseNs) { set_base_budget(4 * kMb, ns); }
  ~SmallBudget() { set_base_budget(Ledger::kBaseBytes, Ledger::kBaseNs); }
};

Result<int> hold(size_t bytes) {
  const std::vector<char> held(bytes, 'x');
  return static_cast<int>(held.size() / static_cast<size_t>(kMb));
}

Result<int> turn_for_ever() {
  while (true) go_on();
}

// Holds the processor for so long.
Result<int> work_for(int64_t ns) {
  const auto now = [] {
    timespec at{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &at);
    return static_cast<int64_t>(at.tv_sec) * 1'000'000'000 + at.tv_nsec;
  };
  for (const int64_t end = now() + ns; now() < end;) go_on(Ledger::kStepsPerLook);
  return 0;
}

using Held = std::vector<std::vector<char>>;

// A load that reads a file of 1 MB, of which `weights` are weights, and keeps 3 MB.
void load_and_keep(const std::string& path, Held& held, uint64_t weights = 0) {
  CHECK(within_budget({}, [&]() -> Result<int> {
    grant_reading(path, kMb, kMb);
    lower_grant_for_weights(weights);
    held.emplace_back(3 * kMb, 'x');
    return 0;
  }));
}

// How many of such loads, of at most 50, a command may keep.
size_t loads_of_command(bool is_one_file, uint64_t weights = 0) {
  Held held;
  CommandScope command({});
  try {
    for (int i = 0; i < 50; ++i) {
      load_and_keep(is_one_file ? "/m/a.etdp" : "/m/" + std::to_string(i), held, weights);
      held.reserve(held.size() + 10);  // something that is the command's
    }
  } catch (const std::bad_alloc&) {
  }
  return held.size();
}

Result<int> turn_in(const CancelToken& cancel) { return within_budget(cancel, turn_for_ever); }

}  // namespace

TEST_CASE("budget: memory grows with what is read, and past it there is a sentence", "[budget]") {
  const SmallBudget small;
  const auto load = [](size_t held, uint64_t read) {
    return within_budget({}, [&]() -> Result<int> {
      grant_reading("/m/a.etdp", read, 10 * kMb);
      return hold(held);
    });
  };
  CHECK(load(3 * kMb, 0));
  const Result<int> large = load(5 * kMb, 0);
  REQUIRE_FALSE(large);
  CHECK(large.error().message ==
        "/m/a.etdp takes more than 4 MB of memory, for 0 KB that were read: the file may be "
        "damaged; write it again, or set ETLENS_BUDGET=4 to allow it more");
  CHECK(load(30 * kMb, 2 * kMb));
  CHECK_FALSE(load(40 * kMb, 2 * kMb));
  // A file that is read again and again is no larger for it.
  const Result<int> again = within_budget({}, [&]() -> Result<int> {
    for (int i = 0; i < 100; ++i) grant_reading("/m/a.etdp", kMb, kMb);
    return hold(30 * kMb);
  });
  CHECK_FALSE(again);
}

TEST_CASE("budget: a command is granted for a file once, however often it loads it", "[budget]") {
  const SmallBudget small;
  CHECK(loads_of_command(false) == 50);
  CHECK(loads_of_command(true) <= 9);       // 8 MB and once 16
  CHECK(loads_of_command(true, kMb) <= 6);  // 8 MB and once 8
  CHECK(loads_of_command(true) >= 7);
}

TEST_CASE("budget: the time of loads of one file is the command's, but for the first", "[budget]") {
  const SmallBudget small(kShortNs);
  const auto loads = [](bool is_one_file) {
    int done = 0;
    CommandScope command({});
    try {
      for (; done < 20; ++done) {
        (void)within_budget({}, [&]() -> Result<int> {
          grant_reading(is_one_file ? "/m/a.etdp" : "/m/" + std::to_string(done), 1, 1);
          return work_for(kShortNs / 3);
        });
        go_on(Ledger::kStepsPerLook);
      }
    } catch (const std::bad_alloc&) {
      CHECK(command.error().message.find("takes more than 1 seconds") != std::string::npos);
    }
    return done;
  };
  CHECK(loads(false) == 20);
  CHECK(loads(true) < 15);  // one load's time and a command's: three times that of a load
}

TEST_CASE("budget: a file of weights that is read again is taken back for once", "[budget]") {
  const SmallBudget small;
  const Result<int> again = within_budget({}, []() -> Result<int> {
    for (int i = 0; i < 10; ++i) {
      grant_reading("/m/a.etrecord", kMb, kMb);
      lower_grant_for_weights(kMb);
    }
    return hold(11 * kMb);
  });
  CHECK(again);
}

TEST_CASE("budget: what was given back may be taken again", "[budget]") {
  const SmallBudget small;
  const Result<int> sum = within_budget({}, []() -> Result<int> {
    int megabytes = 0;
    for (int i = 0; i < 50; ++i) megabytes += *hold(3 * kMb);
    return megabytes;
  });
  REQUIRE(sum);
  CHECK(*sum == 150);
  CHECK(last_peak_bytes() >= 3 * kMb);
  CHECK(last_peak_bytes() < 4 * kMb);
}

TEST_CASE("budget: allocations that do not throw are no way around it", "[budget]") {
  const SmallBudget small;
  const Result<int> load = within_budget({}, []() -> Result<int> {
    const std::unique_ptr<char[]> block(new (std::nothrow) char[64 * kMb]);
    return block == nullptr ? 0 : 1;
  });
  REQUIRE_FALSE(load);
  CHECK(load.error().message.find("takes more than 4 MB") != std::string::npos);
}

TEST_CASE("budget: a loop without end ends", "[budget]") {
  const SmallBudget small(kShortNs);
  const Result<int> load = turn_in({});
  REQUIRE_FALSE(load);
  CHECK(load.error().code == ErrorCode::Unsupported);
  CHECK(load.error().message.find("takes more than 1 seconds") != std::string::npos);
}

TEST_CASE("budget: who cancels need not wait", "[budget]") {
  CancelToken cancel;
  cancel.cancel();
  const Result<int> load = turn_in(cancel);
  REQUIRE_FALSE(load);
  CHECK(load.error().code == ErrorCode::Cancelled);
}

TEST_CASE("budget: one candidate that costs too much leaves something for the others", "[budget]") {
  const SmallBudget small(kShortNs);
  const Result<int> load = within_budget({}, []() -> Result<int> {
    const Result<int> bad = within_budget({}, turn_for_ever, BudgetShare::Half);
    CHECK_FALSE(bad);
    const Result<int> large = within_budget(
        {}, [] { return hold(5 * kMb); }, BudgetShare::Half);
    CHECK_FALSE(large);
    return within_budget(
        {}, [] { return hold(3 * kMb); }, BudgetShare::Half);
  });
  REQUIRE(load);
  CHECK(*load == 3);
}

TEST_CASE("budget: an allocation that fails is a sentence", "[budget]") {
  const auto work = []() -> Result<int> {
    std::vector<std::string> texts;
    for (int i = 0; i < 100; ++i) texts.emplace_back(100, 'x');
    return static_cast<int>(texts.size());
  };
  fail_allocation(50);
  const Result<int> failed = within_budget({}, work);
  fail_allocation(0);
  REQUIRE_FALSE(failed);
  CHECK(failed.error().message.find("no more memory") != std::string::npos);
  CHECK(within_budget({}, work));
}

}  // namespace etlens::budget_test
