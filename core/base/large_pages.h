// SPDX-License-Identifier: Apache-2.0
// Large blocks of memory, for large files. A file is read into a block that nothing has touched: the
// system interrupts the reader at each page of 4 KB to find one, which takes longer than the copy.
#pragma once

#include <cstddef>

namespace etlens {

// Blocks from here on are worth the calls: the size of a large page.
inline constexpr size_t kLargePageBytes = size_t{2} << 20;

// A block for std::free, on large pages as far as the system has them; null if there is no memory.
void* allocate_large(size_t size) noexcept;

}  // namespace etlens
