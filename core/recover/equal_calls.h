// SPDX-License-Identifier: Apache-2.0
// EqualCalls: module calls that pose the same problem as one that was solved: the layers of a model
// repeat, and only the first of equal ones is run.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/recover/search.h"

namespace etlens::recover {

// What a module call's problem consists of: all that a run can ask, with values of the record and
// paths of modules as they lie to each other.
struct CallShape {
  std::vector<uint32_t> key;     // equal for equal problems
  std::vector<uint32_t> values;  // of the record, in the order in which the key numbers them
};

class EqualCalls {
 public:
  explicit EqualCalls(const GraphUnits& graph) : graph_(graph) {}

  // Nullopt if a run could ask for something outside the module: a closure among the arguments.
  std::optional<CallShape> shape_of(const Problem& problem);
  // The call that was kept with an equal shape; kNoCall without.
  uint32_t find(const CallShape& shape) const;
  // Keeps a solved call, if its lines can be carried over to others.
  void keep(CallShape shape, uint32_t call, const CallLines& lines);
  // The lines of the kept call `from` as those of the equal call `to`.
  CallLines carry_over(uint32_t from, uint32_t to, const CallLines& lines, const CallShape& shape,
                       Arena& arena) const;

 private:
  uint32_t number_of(const std::string& text);
  uint32_t number_of_tree(const std::string& path);

  struct KeyHash {
    size_t operator()(const std::vector<uint32_t>& key) const;
  };
  struct Kept {
    uint32_t call = kNoCall;
    std::vector<uint32_t> values;
  };

  const GraphUnits& graph_;
  std::unordered_map<std::string, uint32_t> numbers_;  // of texts
  std::unordered_map<std::string, uint32_t> trees_;    // by path
  std::unordered_map<std::vector<uint32_t>, Kept, KeyHash> kept_;
};

}  // namespace etlens::recover
