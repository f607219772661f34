// SPDX-License-Identifier: Apache-2.0
#include "core/base/large_pages.h"

namespace etlens {

// Large pages take a privilege there, and memory that is never paged out.
void use_large_pages(void*, size_t) noexcept {}

}  // namespace etlens
