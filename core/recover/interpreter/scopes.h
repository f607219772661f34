// SPDX-License-Identifier: Apache-2.0
// Names, and values that others may have changed.
#pragma once

#include <set>
#include <string_view>

#include "core/recover/interpreter/evaluator.h"

namespace etlens::recover {

// A value of the sources that others may have set otherwise: its constants are only likely.
Value likely(Evaluator& run, Value value, int depth = 0);
Value name_of_file(Evaluator& run, const Environment& scope, std::string_view name, Value value);
// What others may have changed of objects that a run finds made.
void forget_changes(Evaluator& run, Value value, std::set<Value>& seen);

// A name of this very scope, which it may import; null without.
Value find_name(Evaluator& run, Environment& scope, std::string_view name);
Value lookup(Evaluator& run, std::string_view name);
void assign_name(Evaluator& run, std::string_view name, Value value);

}  // namespace etlens::recover
