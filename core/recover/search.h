// SPDX-License-Identifier: Apache-2.0
// Search: what the cheapest explanations of one module call agree on. Where a statement fits
// nothing, it is left out, and the others are explained without it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/recover/interpreter/task.h"

namespace etlens::recover {

// Why nothing is said of a unit.
enum class Abstained : uint8_t {
  No,           // its line is said
  Ambiguous,    // good explanations differ
  Unexplained,  // it belongs to a statement that fits nothing
  NoExplanation,
  Limit,
  NoSource,
};

struct UnitLine {
  Abstained why = Abstained::NoSource;
  PredictedFrame near;  // of an unexplained unit: the call that took it; no file without
  std::vector<PredictedFrame> chain;  // the last frame is the line; more only if they are sure
  bool is_chain = false;              // the whole chain of the module call is sure
  bool has_arguments = false;         // of a child call: all explanations agree on them
  Arguments arguments;
};

struct CallLines {
  std::vector<UnitLine> units;
  std::vector<std::unique_ptr<Arena>> arenas;  // of the arguments
  std::vector<Statement> unexplained;
  // What forward returns, as far as all explanations agree; null if it is no container or object.
  Value result = nullptr;
  size_t runs = 0;
  size_t steps = 0;
};

// What is said of the units of one module call: what all its good explanations agree on.
// `results`: owns what forward returns; null if nobody asks for it.
CallLines search(PythonSources& sources, Caches& caches, ModuleCallTask task,
                 Arena* results = nullptr);

}  // namespace etlens::recover
