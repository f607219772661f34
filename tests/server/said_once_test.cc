// SPDX-License-Identifier: Apache-2.0
#include "server/said_once.h"

#include <catch2/catch.hpp>

namespace etlens::said_once_test {

TEST_CASE("said once: what is new is, once, and what is kept has an end", "[server]") {
  SaidOnce said;
  CHECK(said.is_new("there is no setting a"));
  CHECK_FALSE(said.is_new("there is no setting a"));
  for (size_t i = 0; i < 3 * SaidOnce::kMost; ++i) CHECK(said.is_new(std::to_string(i)));
  CHECK(said.size() <= SaidOnce::kMost);
  CHECK_FALSE(said.is_new(std::to_string(3 * SaidOnce::kMost - 1)));
}

}  // namespace etlens::said_once_test
