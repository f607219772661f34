// SPDX-License-Identifier: Apache-2.0
#include "server/once_per_session.h"

#include <catch2/catch.hpp>

namespace etlens::once_per_session_test {

TEST_CASE("said once: what is new is, once, and what is kept has an end", "[server]") {
  OncePerSession said;
  CHECK(said.is_new("there is no setting a"));
  CHECK_FALSE(said.is_new("there is no setting a"));
  for (size_t i = 0; i < 3 * OncePerSession::kMost; ++i) CHECK(said.is_new(std::to_string(i)));
  CHECK(said.size() <= OncePerSession::kMost);
  CHECK_FALSE(said.is_new(std::to_string(3 * OncePerSession::kMost - 1)));
}

}  // namespace etlens::once_per_session_test
