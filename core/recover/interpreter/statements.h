// SPDX-License-Identifier: Apache-2.0
// Statements, and what gives names values.
#pragma once

#include "core/recover/interpreter/evaluator.h"

namespace etlens::recover {

enum class Flow : uint8_t { Next, Return, Break, Continue };

// Any number of units may come from a statement that fits nothing; what it assigns is unknown.
Flow run_unexplained(Evaluator& run, uint32_t node);

// The function may have returned any of these.
void note_open_returns(Evaluator& run, uint32_t node);

// To all that have it.
void forget_content(Evaluator& run, Value value);

// Every name and attribute that is assigned below the node becomes unknown.
void forget_targets(Evaluator& run, uint32_t node);

// An attribute of an object to which the ways of a statement assign what can be called, and nothing
// else.
struct OpenCallable {
  uint32_t target = kNone;
  std::vector<uint32_t> rights;
  Value before = nullptr;
};
// Those below a statement that may not run, whose value before it can be called, too, or is None.
std::vector<OpenCallable> open_callables(Evaluator& run, uint32_t node);
// What is assigned below it was forgotten: each is one of its values.
void keep_callables(Evaluator& run, const std::vector<OpenCallable>& rows);

Flow run_block(Evaluator& run, uint32_t block);
Flow run_statement(Evaluator& run, uint32_t node);
Flow run_try(Evaluator& run, uint32_t node);
Flow run_match(Evaluator& run, uint32_t node);
void assign(Evaluator& run, uint32_t target, Value value);
void augmented(Evaluator& run, uint32_t node);

}  // namespace etlens::recover
