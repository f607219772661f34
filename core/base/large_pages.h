// SPDX-License-Identifier: Apache-2.0
// Large pages for large blocks of memory. A file is read into a block that nothing has touched, and
// the system interrupts the reader at each page of 4 KB to find one: for a large file that takes
// longer than the copy.
#pragma once

#include <cstddef>

namespace etlens {

// Blocks from here on are worth the call: the size of a large page.
inline constexpr size_t kLargePageBytes = size_t{2} << 20;

// Asks the system for large pages in the block, as far as it has them. What is in the block stays.
void use_large_pages(void* block, size_t size) noexcept;

}  // namespace etlens
