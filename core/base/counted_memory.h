// SPDX-License-Identifier: Apache-2.0
// Memory for libraries in C, counted as that of operator new is (core/base/budget.h). Nothing may
// be thrown through such a library. Past the budget it is refused, by a null pointer, where the
// library makes an error of that; one that cannot is given what it asks for and must be stopped:
// is_past_budget() says when. Either way the load ends at its next go_on().
#pragma once

#include <cstddef>

namespace etlens {

enum class PastBudget { Refuse, Give };

void* counted_malloc(size_t size, PastBudget past) noexcept;
void* counted_calloc(size_t count, size_t size, PastBudget past) noexcept;
// Null leaves the block as it is.
void* counted_realloc(void* block, size_t size, PastBudget past) noexcept;
// Also of what plain malloc gave.
void counted_free(void* block) noexcept;

// As zlib and PCRE2 want them; refused past the budget.
void* counted_items(void* unused, unsigned count, unsigned size) noexcept;
void* counted_bytes(size_t size, void* unused) noexcept;
void free_counted(void* unused, void* block) noexcept;
void free_counted_bytes(void* block, void* unused) noexcept;

// Not zero once the load or command of this thread is past a limit; zero without one.
const size_t* is_past_budget() noexcept;

}  // namespace etlens
