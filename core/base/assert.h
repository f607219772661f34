// SPDX-License-Identifier: Apache-2.0
// ETLENS_ASSERT: for our own bugs only, never for input. On in every build: a wrong number is worse
// than a crash.
#pragma once

#include <cstdio>
#include <cstdlib>

#define ETLENS_ASSERT(condition)                                                         \
  do {                                                                                   \
    if (!(condition)) {                                                                  \
      std::fprintf(stderr, "etlens: bug: %s (%s:%d)\n", #condition, __FILE__, __LINE__); \
      std::abort();                                                                      \
    }                                                                                    \
  } while (false)
