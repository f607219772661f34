// SPDX-License-Identifier: Apache-2.0
#include "core/base/large_pages.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cerrno>
#include <vector>

namespace etlens::large_pages_test {

TEST_CASE("large pages: what is in a block stays, of any size and place", "[large_pages]") {
  for (const size_t size :
       {size_t{1}, kLargePageBytes - 1, kLargePageBytes, 3 * kLargePageBytes + 5}) {
    CAPTURE(size);
    std::vector<char> block(size, 'x');
    errno = 7;
    use_large_pages(block.data(), block.size());
    use_large_pages(block.data() + 1, block.size() - 1);
    CHECK(errno == 7);
    CHECK(std::all_of(block.begin(), block.end(), [](char c) { return c == 'x'; }));
  }
}

}  // namespace etlens::large_pages_test
