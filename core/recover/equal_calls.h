// SPDX-License-Identifier: Apache-2.0
// EqualCalls: module calls that pose the same task as one that was solved: the layers of a model
// repeat, and only the first of equal ones is run.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/string_pool.h"
#include "core/recover/search.h"

namespace etlens::recover {

// What a module call's task consists of: all that a run can ask, with values of the record and
// paths of modules as they lie to each other.
struct CallShape {
  struct Key {
    std::vector<uint32_t> words;
    uint64_t hash = 0;
    friend bool operator==(const Key&, const Key&) = default;
  };
  Key key;                       // equal for equal tasks
  std::vector<uint32_t> values;  // of the record, in the order in which the key numbers them
};

struct PlacedValue {
  uint32_t value = 0;
  uint32_t place = 0;  // in CallShape::values
};

// Numbers things in the order in which they are met, again from 0 for each shape.
class Numbering {
 public:
  explicit Numbering(size_t count) : numbers_(count), rounds_(count) {}
  void begin() { ++round_, next_ = 0; }
  // The number, and whether it is new.
  std::pair<uint32_t, bool> number_of(uint32_t thing) {
    if (rounds_[thing] == round_) return {numbers_[thing], false};
    rounds_[thing] = round_;
    numbers_[thing] = next_;
    return {next_++, true};
  }

 private:
  std::vector<uint32_t> numbers_;
  std::vector<uint32_t> rounds_;
  uint32_t round_ = 0;
  uint32_t next_ = 0;
};

class EqualCalls {
 public:
  // `made`: what the module of a path was made with, one text for what is equal; "" if that is not
  // known.
  using Made = std::function<std::string(std::string_view path)>;

  EqualCalls(const GraphUnits& graph, Made made)
      : graph_(graph),
        made_(std::move(made)),
        values_(graph.value_count()),
        forms_(graph.module_count(), kNone),
        made_with_(graph.module_count(), kNone),
        trees_(graph.module_count(), kNone) {}

  // Nullopt if a run could ask for something outside the module: a closure among the arguments.
  std::optional<CallShape> shape_of(const ModuleCallTask& task);
  // The call that was kept with an equal shape; kNoCall without.
  uint32_t find(const CallShape& shape) const;
  // Keeps a solved call, if its lines can be carried over to others.
  void keep(CallShape shape, uint32_t call, const CallLines& lines);
  // The values of a call that was kept, each with its place among those of its shape; ascending.
  const std::vector<PlacedValue>& values_of(uint32_t call) const { return kept_values_.at(call); }

 private:
  class ShapeWriter;
  uint32_t number_of(std::string_view text) { return texts_.intern(text).value; }
  uint32_t number_of_key(std::span<const uint32_t> key);
  uint32_t number_of_form(uint32_t module, int depth = 0);
  uint32_t number_of_made(uint32_t module, int depth = 0);
  uint32_t number_of_tree(uint32_t module, int depth = 0);
  bool add_units(const ModuleCallTask& task, ShapeWriter& shape);
  void add_held(uint32_t module, ShapeWriter& shape) const;

  struct KeyHash {
    size_t operator()(const CallShape::Key& key) const { return key.hash; }
  };

  const GraphUnits& graph_;
  Made made_;
  StringPool texts_;
  StringPool keys_;                // rows of numbers as bytes
  std::vector<uint32_t> row_;      // one of these while it is written
  std::vector<uint32_t> written_;  // a shape's key while it is; never smaller than the longest one
  Numbering values_;               // of one shape
  // By row of the module: what it is and holds; what it was made with; and both.
  std::vector<uint32_t> forms_;
  std::vector<uint32_t> made_with_;
  std::vector<uint32_t> trees_;
  // What a child was made with, by what its parent is and was made with, and its name.
  std::map<std::array<uint32_t, 3>, uint32_t> made_by_parent_;
  std::unordered_map<CallShape::Key, uint32_t, KeyHash> kept_;  // calls
  std::unordered_map<uint32_t, std::vector<PlacedValue>> kept_values_;
};

// Says arguments of one call as those of an equal one: other values, other paths.
class CarriedArguments {
 public:
  // `before`: of the one, ascending; `after`: of the other, by place. Both outlive this.
  CarriedArguments(const ModuleCall& from, const ModuleCall& to,
                   const std::vector<PlacedValue>& before, const std::vector<uint32_t>& after)
      : from_(from.path), to_(to.path), before_(before), after_(after) {}

  Arguments of(const Arguments& arguments, Arena& arena);

 private:
  std::vector<uint32_t> moved(const std::vector<uint32_t>& names) const;
  Value moved(Value value, Arena& arena);

  std::string_view from_;
  std::string_view to_;
  const std::vector<PlacedValue>& before_;
  const std::vector<uint32_t>& after_;
  std::unordered_map<Value, Value> copies_;
};

}  // namespace etlens::recover
