// SPDX-License-Identifier: Apache-2.0
#include "core/base/counted_memory.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "core/base/budget.h"

namespace etlens {
namespace {

// May `more` bytes be taken?
bool may_take(size_t more, PastBudget past) noexcept {
  Ledger* ledger = budget_detail::ledger;
  if (ledger == nullptr) return true;
  if (ledger->count_quietly(more)) return true;
  return past == PastBudget::Give;
}

void count(int64_t change) noexcept {
  if (Ledger* ledger = budget_detail::ledger) ledger->add_used(change);
}

int64_t size_of(void* block) noexcept {
  return block == nullptr || budget_detail::ledger == nullptr ? 0 : bytes_of_block(block);
}

}  // namespace

void* counted_malloc(size_t size, PastBudget past) noexcept {
  if (!may_take(size, past)) return nullptr;
  void* block = std::malloc(size == 0 ? 1 : size);
  count(size_of(block));
  return block;
}

void* counted_calloc(size_t count, size_t size, PastBudget past) noexcept {
  if (size != 0 && count > SIZE_MAX / size) return nullptr;
  void* block = counted_malloc(count * size, past);
  if (block != nullptr) std::memset(block, 0, count * size);
  return block;
}

void* counted_realloc(void* block, size_t size, PastBudget past) noexcept {
  const int64_t before = size_of(block);
  const auto known = static_cast<size_t>(before);
  if (size > known && !may_take(size - known, past)) return nullptr;
  void* moved = std::realloc(block, size == 0 ? 1 : size);
  if (moved != nullptr) count(size_of(moved) - before);
  return moved;
}

void counted_free(void* block) noexcept {
  count(-size_of(block));
  std::free(block);
}

void* counted_items(void*, unsigned count, unsigned size) noexcept {
  return counted_malloc(size_t{count} * size, PastBudget::Refuse);
}

void* counted_bytes(size_t size, void*) noexcept {
  return counted_malloc(size, PastBudget::Refuse);
}

void free_counted(void*, void* block) noexcept { counted_free(block); }

void free_counted_bytes(void* block, void*) noexcept { counted_free(block); }

const size_t* is_past_budget() noexcept {
  static constexpr size_t kNever = 0;
  const Ledger* ledger = budget_detail::ledger;
  return ledger == nullptr ? &kNever : &ledger->is_past;
}

}  // namespace etlens
