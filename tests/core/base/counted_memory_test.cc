// SPDX-License-Identifier: Apache-2.0
#include "core/base/counted_memory.h"

#include <catch2/catch.hpp>

#include <cstring>

#include "core/base/budget.h"

namespace etlens::counted_memory_test {

namespace {

constexpr size_t kMb = 1 << 20;

struct SmallBudget {
  SmallBudget() { set_base_budget(4 * kMb, Ledger::kBaseNs); }
  ~SmallBudget() { set_base_budget(Ledger::kBaseBytes, Ledger::kBaseNs); }
};

}  // namespace

TEST_CASE("counted memory: it counts as long as it is held, and what grows counts once",
          "[budget]") {
  const SmallBudget small;
  const Result<int> load = within_budget({}, []() -> Result<int> {
    for (int i = 0; i < 10; ++i) {
      void* block = counted_malloc(kMb, PastBudget::Refuse);
      block = counted_realloc(block, 3 * kMb, PastBudget::Refuse);
      CHECK(block != nullptr);
      void* zeros = counted_calloc(kMb / 8, 4, PastBudget::Refuse);
      REQUIRE(zeros != nullptr);
      CHECK(std::memchr(zeros, 0, kMb / 2) == zeros);
      counted_free(zeros);
      counted_free(block);
      counted_free(nullptr);
    }
    return 0;
  });
  CHECK(load);
  CHECK(last_peak_bytes() >= static_cast<int64_t>(3 * kMb));
  CHECK(last_peak_bytes() < static_cast<int64_t>(4 * kMb));
}

TEST_CASE("counted memory: past the budget it is refused, or given and the load ends", "[budget]") {
  const SmallBudget small;
  for (const PastBudget past : {PastBudget::Refuse, PastBudget::Give}) {
    bool goes_on = false;
    const Result<int> load = within_budget({}, [&]() -> Result<int> {
      const size_t* const is_past = is_past_budget();
      CHECK(*is_past == 0);
      void* block = counted_malloc(5 * kMb, past);
      CHECK((block != nullptr) == (past == PastBudget::Give));
      CHECK(*is_past != 0);
      counted_free(block);
      go_on();
      goes_on = true;
      return 0;
    });
    CHECK_FALSE(goes_on);
    REQUIRE_FALSE(load);
    CHECK(load.error().message.find("takes more than 4 MB of memory") != std::string::npos);
  }
}

TEST_CASE("counted memory: what cannot be kept stays as it was", "[budget]") {
  const SmallBudget small;
  (void)within_budget({}, []() -> Result<int> {
    void* block = counted_malloc(16, PastBudget::Refuse);
    std::memset(block, 7, 16);
    CHECK(counted_realloc(block, 5 * kMb, PastBudget::Refuse) == nullptr);
    CHECK(static_cast<char*>(block)[15] == 7);
    counted_free(block);
    CHECK(counted_calloc(SIZE_MAX / 2, 4, PastBudget::Give) == nullptr);
    return 0;
  });
}

TEST_CASE("counted memory: without a load nothing counts", "[budget]") {
  void* block = counted_malloc(100 * kMb, PastBudget::Refuse);
  CHECK(block != nullptr);
  CHECK(*is_past_budget() == 0);
  counted_free(block);
}

}  // namespace etlens::counted_memory_test
