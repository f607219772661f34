// SPDX-License-Identifier: Apache-2.0
// The outline of a tree of tree-sitter.
#pragma once

#include <tree_sitter/api.h>

#include "core/source/python/python_outline.h"

namespace etlens {

PythonOutline outline_of_tree(const Document& document, TSNode root);

}  // namespace etlens
