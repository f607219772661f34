// SPDX-License-Identifier: Apache-2.0
#include "core/base/large_pages.h"

#include <sys/mman.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>

namespace etlens {
namespace {

// Of a cache line. glibc puts a large block 16 bytes behind the begin of a page, where some
// processors (AMD's Zen 3) copy the pages of a file half as fast.
constexpr size_t kAlignment = 64;

// Asks the system for large pages in the block.
void use_large_pages([[maybe_unused]] void* block, [[maybe_unused]] size_t size) noexcept {
#ifdef MADV_HUGEPAGE  // Linux alone has it
  const uintptr_t begin =
      (reinterpret_cast<uintptr_t>(block) + kLargePageBytes - 1) & ~(kLargePageBytes - 1);
  const uintptr_t end = (reinterpret_cast<uintptr_t>(block) + size) & ~(kLargePageBytes - 1);
  if (begin >= end) return;
  const int before = errno;  // of the allocation
  ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
  errno = before;
#endif
}

}  // namespace

void* allocate_large(size_t size) noexcept {
  void* block = nullptr;
  if (::posix_memalign(&block, kAlignment, size) != 0) return nullptr;
  use_large_pages(block, size);
  return block;
}

}  // namespace etlens
