// SPDX-License-Identifier: Apache-2.0
// What a loop, an unpacking and a generator give.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/recover/interpreter/evaluator.h"

namespace etlens::recover {

// Its characters are its bytes.
bool is_plain(std::string_view text);

bool iterate(Evaluator& run, Value value, const Each& each);
// What `iter` makes of a value. What is walked by calls of the project's, or is not known, stays
// what it is.
Value iterator_of(Evaluator& run, Value value);

Value iterator_over(Evaluator& run, std::vector<Value> items);
// The next item; null behind the last one.
Value next_of(Evaluator& run, Value iterator);

bool iterate_lazy(Evaluator& run, Value value, const Each& each);
std::vector<Value> all_of(Evaluator& run, Value value);
// False if there may be other items than those that `each` was given.
bool iterate_exactly(Evaluator& run, Value value, const Each& each);

std::optional<std::vector<Value>> exactly_all_of(Evaluator& run, Value value);
std::vector<Value> unpack(Evaluator& run, Value value, size_t count, size_t star);
bool is_generator(Evaluator& run, const SourceFile* file, uint32_t function);
Value eval_yield(Evaluator& run, uint32_t node);

}  // namespace etlens::recover
