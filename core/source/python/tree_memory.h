// SPDX-License-Identifier: Apache-2.0
// What tree-sitter allocates counts for the load (core/base/counted_memory.h). It does not look at
// what it gets, so past the budget it gets it all the same, and its parser is told to stop. What
// the machine does not have is std::bad_alloc: tree-sitter is compiled so that it can unwind, and
// what it held then is lost.
#pragma once

namespace etlens {

// Before tree-sitter is used; every call but the first does nothing.
void count_tree_memory();

}  // namespace etlens
