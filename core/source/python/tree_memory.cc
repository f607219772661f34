// SPDX-License-Identifier: Apache-2.0
#include "core/source/python/tree_memory.h"

#include <tree_sitter/api.h>

#include <cstddef>
#include <new>

#include "core/base/counted_memory.h"

namespace etlens {
namespace {

void* there(void* block) {
  if (block == nullptr) throw std::bad_alloc();
  return block;
}

void* tree_malloc(size_t size) { return there(counted_malloc(size, PastBudget::Give)); }
void* tree_calloc(size_t count, size_t size) {
  return there(counted_calloc(count, size, PastBudget::Give));
}
void* tree_realloc(void* block, size_t size) {
  return there(counted_realloc(block, size, PastBudget::Give));
}
void tree_free(void* block) { counted_free(block); }

}  // namespace

void count_tree_memory() {
  static const bool kIsSet = [] {
    ts_set_allocator(tree_malloc, tree_calloc, tree_realloc, tree_free);
    return true;
  }();
  (void)kIsSet;
}

}  // namespace etlens
