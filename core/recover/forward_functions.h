// SPDX-License-Identifier: Apache-2.0
// ForwardFunctions: what of the sources runs when a module is called, by what the record says of
// its class and its frames.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "core/recover/interpreter/evaluator.h"

namespace etlens::recover {

struct ForwardFunction {
  Value function = nullptr;     // null without source
  Value unwrapped = nullptr;    // what its decorators wrap; null where they wrap nothing
  Value convolution = nullptr;  // without it: what torch's forward of a convolution calls
  bool is_convolution = false;  // of torch's, whose forward is a single operator
  bool is_missing = false;      // of a class of the project: its file is not used, or has none
  StringId file;                // as recorded; invalid if the record does not name it
  uint32_t first_line = 0;      // 1-based
  uint32_t last_line = 0;
};

// Two such types of one name may be two classes.
bool is_made_in_function(std::string_view type);

class ForwardFunctions {
 public:
  // All outlive this.
  ForwardFunctions(const GraphUnits& graph, PythonSources& sources, Caches& caches)
      : graph_(graph), sources_(sources), caches_(caches) {}

  // `begin_frames`: recorded frames of the calls around it.
  const ForwardFunction& of(const ModuleCall& call, size_t begin_frames);
  // `module.forward = module.other` in the sources, where the class has that method and only one;
  // null without.
  Value set_as_forward(std::string_view type);

 private:
  ForwardFunction of_class(Evaluator& finder, Value cls) const;
  const ForwardFunction& of_type(std::string_view type);
  const ForwardFunction* made_in_function(const ModuleCall& call, size_t begin_frames);
  Value class_shown(Evaluator& finder, const ModuleCall& call, size_t begin_frames,
                    std::string_view name);
  bool find_unknown_base(const ModuleCall& call, size_t begin_frames);

  const GraphUnits& graph_;
  PythonSources& sources_;
  Caches& caches_;
  std::unordered_map<std::string_view, ForwardFunction> of_types_;
  std::unordered_map<std::string_view, ForwardFunction> of_paths_;
  std::unordered_map<std::string_view, Value> set_;   // by type
  std::unordered_set<std::string_view> asked_bases_;  // types whose unknown base was looked for
};

}  // namespace etlens::recover
