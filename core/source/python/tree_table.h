// SPDX-License-Identifier: Apache-2.0
// A tree of tree-sitter as the rows of a PythonTree.
#pragma once

#include <tree_sitter/api.h>

#include <vector>

#include "core/source/python/python_tree.h"

namespace etlens {

// False if it nests deeper than any code that a person wrote.
bool table_of_tree(TSNode root, const Document& document, std::vector<PythonNode>& nodes);

}  // namespace etlens
