// SPDX-License-Identifier: Apache-2.0
#include "core/base/large_pages.h"

#include <sys/mman.h>

#include <cerrno>
#include <cstdint>

namespace etlens {

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

}  // namespace etlens
