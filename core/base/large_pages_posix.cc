// SPDX-License-Identifier: Apache-2.0
#include "core/base/large_pages.h"

#include <sys/mman.h>

#include <cerrno>
#include <cstdlib>

namespace etlens {
namespace {

// Asks the system for large pages in the block, which begins with one.
void use_large_pages([[maybe_unused]] void* block, [[maybe_unused]] size_t size) noexcept {
#ifdef MADV_HUGEPAGE         // Linux alone has it
  const int before = errno;  // of the allocation
  ::madvise(block, size & ~(kLargePageBytes - 1), MADV_HUGEPAGE);
  errno = before;
#endif
}

}  // namespace

void* allocate_large(size_t size) noexcept {
  // glibc puts a large block 16 bytes behind the begin of a page of 4 KB. There AMD's Zen 3 copies the
  // pages of a file half as fast.
  void* block = nullptr;
  if (::posix_memalign(&block, kLargePageBytes, size) != 0) return nullptr;
  use_large_pages(block, size);
  return block;
}

}  // namespace etlens
