// SPDX-License-Identifier: Apache-2.0
// Mappings: objects of classes that derive from Mapping and look into dictionaries of their own or
// of their class.
#pragma once

#include <string_view>

#include "core/recover/interpreter/evaluator.h"

namespace etlens::recover {

// What such an object holds, as a dictionary: of several the first one's entry counts. Null for
// others. What later code adds to it is not in it: the record has to agree with what it gives.
Value mapping_of(Evaluator& run, Value instance);

// get, keys, …: methods that Mapping makes of the class's own.
bool is_mapping_method(std::string_view name);

}  // namespace etlens::recover
