// SPDX-License-Identifier: Apache-2.0
// A large block is one of cache lines, is as long as it says, and is freed like every other.
#include "core/base/large_pages.h"

#include <catch2/catch.hpp>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>

namespace etlens::large_pages_test {

TEST_CASE("large pages: a block holds what is written to all of it", "[large_pages]") {
  for (const size_t size :
       {size_t{1}, kLargePageBytes - 1, kLargePageBytes, 3 * kLargePageBytes + 5}) {
    CAPTURE(size);
    errno = 7;
    const std::unique_ptr<void, void (*)(void*)> block(allocate_large(size), std::free);
    REQUIRE(block != nullptr);
    CHECK(errno == 7);
    auto* bytes = static_cast<uint8_t*>(block.get());
    std::memset(bytes, 7, size);
    CHECK(bytes[0] == 7);
    CHECK(bytes[size - 1] == 7);
#ifndef _WIN32
    CHECK(reinterpret_cast<uintptr_t>(bytes) % 64 == 0);
#endif
  }
}

}  // namespace etlens::large_pages_test
