// SPDX-License-Identifier: Apache-2.0
// For loops that look at a million things: an assertion of Catch costs more than what it asserts.
#pragma once

// Fails the test if the condition does not hold, and is no assertion if it does: the test asserts
// something of the whole as well.
#define REQUIRE_OF_EACH(...)                \
  do {                                      \
    if (!(__VA_ARGS__)) FAIL(#__VA_ARGS__); \
  } while (false)
