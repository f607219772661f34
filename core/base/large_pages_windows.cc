// SPDX-License-Identifier: Apache-2.0
#include "core/base/large_pages.h"

#include <cstdlib>

namespace etlens {

// Large pages take a privilege there, and memory that is never paged out.
void* allocate_large(size_t size) noexcept { return std::malloc(size); }

}  // namespace etlens
