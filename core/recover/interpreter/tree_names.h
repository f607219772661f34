// SPDX-License-Identifier: Apache-2.0
// Which names a part of a source gives values, or fills.
#pragma once

#include <string_view>

#include "core/source/python/python_tree.h"

namespace etlens::recover {

// The left side of an assignment (kNone: there is none) gives the name a value.
bool is_assigned(const PythonTree& tree, uint32_t target, std::string_view name);
// What a child of an import statement gives a name: import a.b gives a, import a as b gives b.
std::string_view imported_name(const PythonTree& tree, uint32_t item);
// What a call changes that is like name.append(…): `name`. kNone for others.
uint32_t filled_by(const PythonTree& tree, uint32_t call);

}  // namespace etlens::recover
