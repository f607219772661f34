// SPDX-License-Identifier: Apache-2.0
#include "core/source/git/git_memory.h"

#include <git2.h>
#include <git2/sys/alloc.h>

#include <cstdlib>
#include <cstring>

namespace etlens {
namespace {

constexpr size_t kMaxAllocation = 64 << 20;

// A packed object may be made from others, of any size, which libgit2 unpacks whole: none larger
// than what we would look at gets its memory.
void* limited_malloc(size_t size, const char*, int) {
  return size <= kMaxAllocation ? std::malloc(size) : nullptr;
}
void* limited_realloc(void* block, size_t size, const char*, int) {
  return size <= kMaxAllocation ? std::realloc(block, size) : nullptr;
}
void* limited_calloc(size_t count, size_t size, const char*, int) {
  return size == 0 || count <= kMaxAllocation / size ? std::calloc(count, size) : nullptr;
}
void* limited_malloc_array(size_t count, size_t size, const char* file, int line) {
  return size == 0 || count <= kMaxAllocation / size ? limited_malloc(count * size, file, line)
                                                     : nullptr;
}
void* limited_realloc_array(void* block, size_t count, size_t size, const char* file, int line) {
  return size == 0 || count <= kMaxAllocation / size
             ? limited_realloc(block, count * size, file, line)
             : nullptr;
}
char* limited_copy(const char* text, size_t size, const char*, int) {
  if (size > kMaxAllocation) return nullptr;
  auto* copy = static_cast<char*>(std::malloc(size + 1));
  if (copy == nullptr) return nullptr;
  if (size > 0) std::memcpy(copy, text, size);
  copy[size] = '\0';
  return copy;
}
char* limited_strdup(const char* text, const char* file, int line) {
  return limited_copy(text, std::strlen(text), file, line);
}
char* limited_strndup(const char* text, size_t size, const char* file, int line) {
  return limited_copy(text, ::strnlen(text, size), file, line);
}

}  // namespace

void limit_git_allocations() {
  static const bool kIsSet = [] {
    git_allocator allocator{};
    allocator.gmalloc = limited_malloc;
    allocator.gcalloc = limited_calloc;
    allocator.gstrdup = limited_strdup;
    allocator.gstrndup = limited_strndup;
    allocator.gsubstrdup = limited_copy;
    allocator.grealloc = limited_realloc;
    allocator.greallocarray = limited_realloc_array;
    allocator.gmallocarray = limited_malloc_array;
    allocator.gfree = std::free;
    return git_libgit2_opts(GIT_OPT_SET_ALLOCATOR, &allocator) == 0;
  }();
  (void)kIsSet;
}

}  // namespace etlens
