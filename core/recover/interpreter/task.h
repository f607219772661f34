// SPDX-License-Identifier: Apache-2.0
// What a run is asked, and what it says: the call of a module that is to be explained, the ways that
// are open, and where each unit stands in the source.
#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/recover/call_numbers.h"
#include "core/recover/interpreter/operator_names.h"
#include "core/recover/interpreter/sources.h"
#include "core/recover/interpreter/value.h"
#include "core/recover/layouts.h"
#include "core/recover/units.h"

namespace etlens::recover {

struct PredictedFrame {
  const SourceFile* file = nullptr;
  std::string_view function;
  uint32_t line = 0;  // 1-based
  uint32_t site = 0;  // byte of the document where the call stands: tells calls of one line apart
  friend bool operator==(const PredictedFrame& a, const PredictedFrame& b) {
    return a.file == b.file && a.function == b.function && a.line == b.line;
  }
};

struct Arguments {
  std::vector<Value> positional;
  std::vector<std::pair<std::string_view, Value>> named;
  bool has_more = false;  // an unknown sequence or mapping was unpacked into them
};

// The argument at a position (a tensor's methods are given the tensor first) or of that name; null
// without.
Value argument(const Arguments& arguments, size_t position, std::string_view name);

// Stands for the items of an unknown that a call unpacks.
bool is_splat(Value value);

inline constexpr size_t kMaxPath = 512;    // bytes of a module's path that is asked for by part
inline constexpr size_t kMaxItems = 4096;  // of one container
inline constexpr size_t kMaxText = 4096;   // bytes of a text that a run makes
inline constexpr double kContradictionCost = 0.3;  // what costs as much is where a run goes wrong
inline constexpr double kTrifle = 0.1;             // what costs less makes no explanation doubtful
inline constexpr double kMostExact = 1e15;         // up to which a float says which integer it is

// Where one run places a unit.
struct PlacedCall {
  std::vector<PredictedFrame> chain;  // outermost first
  bool is_placed = false;             // false: it may be deeper, in a source that is not here
  bool is_wrapped = false;            // frames of the project may be missing
  Arguments arguments;                // of a child call
  friend bool is_same_line(const PlacedCall& a, const PlacedCall& b) {
    return a.is_placed && b.is_placed && a.chain.back() == b.chain.back();
  }
};

struct Statement {
  const SourceFile* file = nullptr;
  uint32_t node = kNone;
  friend auto operator<=>(const Statement&, const Statement&) = default;
};

// The ways that a run did not take.
class Choices {
 public:
  virtual ~Choices() = default;
  // Picks one of several ways that cost something.
  virtual size_t choose(std::span<const double> costs) = 0;
  // The run costs more without a choice. False: give it up.
  virtual bool add_cost(double cost) = 0;
};

struct ModuleCallTask {
  const GraphUnits* graph = nullptr;
  uint32_t call = kNoCall;
  size_t outer_frames = 0;  // recorded frames that stand above this module call's
  Arguments arguments;
  bool has_arguments = false;
  std::vector<std::string_view> unseen;  // parameters that hardly get more than their default, None
  Value forward = nullptr;               // Function
  Value unwrapped = nullptr;             // without its decorators; null where it has none
  std::set<Statement> unexplained;
  size_t most_steps = SIZE_MAX;  // that may be taken to solve it
  // Lines are missing without what follows: properties may say what an unknown is.
  bool is_second_look = false;
  // Containers and objects that children return, where that is known; by call of the child.
  const std::unordered_map<uint32_t, Value>* results = nullptr;
};

// What callers of a class give for a parameter of its constructor.
struct GivenValues {
  std::vector<Value> values;   // what can be called, texts and containers
  std::vector<Value> modules;  // classes of modules that are made for it, or the annotated one
  std::vector<Value> layers;   // of torch's own, that are made for it
};

// What is known of all runs of one record: classes, candidates of constructor parameters.
struct Caches {
  struct TextHash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  // As spelled.
  std::unordered_map<std::string, OperatorFacts, TextHash, std::equal_to<>> operators;
  std::map<std::pair<const SourceFile*, uint32_t>, bool> is_generator;
  std::map<std::string, Value> classes;  // by type name; null: no source
  // By path: of modules whose class was made in a function, known by the forward that ran.
  std::map<std::string, Value, std::less<>> classes_of_paths;
  // By name: classes that define it.
  std::map<std::string, std::vector<Value>, std::less<>> methods;
  std::map<std::pair<Value, std::string>, GivenValues> candidates;
  std::map<std::string, std::vector<Value>> holders;  // by path: classes that hold the same
  std::map<std::string, Value> constructions;         // by path; null: unknown
  bool has_properties = false;                        // of plain classes
  size_t open_candidates = 0;  // questions for candidates that are not answered yet
  Layouts layouts;
  CallNumbers call_numbers;
};

}  // namespace etlens::recover
