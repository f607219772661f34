// SPDX-License-Identifier: Apache-2.0
// CallSolver: searches the module calls of a graph, parents first, so that what a child is given is
// known; calls that pose the same task are searched once.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/recover/chains.h"
#include "core/recover/equal_calls.h"
#include "core/recover/forward_functions.h"
#include "core/recover/interpreter/evaluator.h"
#include "core/recover/search.h"

namespace etlens::recover {

inline constexpr size_t kMaxRecordSteps = 6'000'000;  // of one record
inline constexpr size_t kFewSteps = 40'000;           // with which most calls are solved

// How many units have a line.
size_t said_units(const CallLines& lines);
bool is_whole(const CallLines& lines);
std::string_view parameter_name(const PythonTree& tree, uint32_t parameter);
// Null if it is not said what a parameter is given.
Value* given_to(Arguments& arguments, size_t position, const PythonTree& tree, uint32_t parameter);

// What a search found, with the chain of each unit; 0 without a line.
struct SolvedCall {
  CallLines lines;
  std::vector<uint32_t> chains;
};

// What was found of one module call.
struct CallState {
  bool has_source = false;
  // Its class is the project's, but what ran is not known: the file is not used, or something else
  // took the place of its forward.
  bool is_replaced = false;
  size_t begin_frames = 0;                   // recorded frames of the calls around it
  size_t own_frames = 0;                     // 1 if it has a forward of the project
  std::shared_ptr<const SolvedCall> solved;  // if it has source; of equal calls the same
};

class CallSolver {
 public:
  // All outlive this.
  CallSolver(const GraphUnits& graph, PythonSources& sources, Chains& chains);

  // One per call of the graph.
  std::vector<CallState> run();

  size_t runs() const { return work_.runs + questions_.runs; }
  size_t steps() const { return work_.steps + questions_.steps; }

 private:
  struct Work {
    size_t runs = 0;
    size_t steps = 0;
  };
  // The call whose lines another one has as well.
  struct EqualTo {
    uint32_t call = kNoCall;
    std::vector<uint32_t> values;  // of the record, as the equal call's
    std::unique_ptr<CarriedArguments> carried;
  };

  std::string made_with(std::string_view path);
  void solve(uint32_t call);
  bool find_begin(const ModuleCall& call, const ForwardFunction& forward, CallState& state) const;
  std::optional<ModuleCallTask> task_of(uint32_t call);
  CallLines searched_with_results(ModuleCallTask& task, Arena* results);
  CallLines look(ModuleCallTask& task, size_t most, Arena* results);
  CallLines first_look(ModuleCallTask& task, size_t most, Arena* results);
  CallLines asked_again(ModuleCallTask& task, size_t most, Arena* results, CallLines lines);
  bool run_packages();
  bool find_results(const std::vector<uint32_t>& children, const CallLines& lines);
  void set_arguments_as_asked(const CallLines& lines, ModuleCallTask& task);
  std::vector<uint32_t> children_to_ask(const ModuleCallTask& task, CallLines& lines);
  std::vector<uint32_t> mistaken_values(const ModuleCallTask& task, CallLines& lines);
  bool is_exhausted() const;
  std::shared_ptr<SolvedCall> searched(ModuleCallTask& task);
  std::shared_ptr<const SolvedCall> given_up(size_t units) const;
  void set_arguments(const ModuleCall& call, ModuleCallTask& task);
  void leave_out_tensors(const ModuleCall& call, ModuleCallTask& task);
  bool reads_known_tensors(const ModuleCall& call, const ModuleCallTask& task) const;
  void add_held(uint32_t row, std::vector<uint32_t>& held) const;
  void add_weights(const ModuleCall& call, ModuleCallTask& task);
  void set_inputs(ModuleCallTask& task);
  bool share_inputs(Arguments& arguments);
  bool set_named_inputs(const std::vector<std::string_view>& parameters, ModuleCallTask& task);
  Arguments arguments_of(uint32_t call, const UnitLine& line);

  const GraphUnits& graph_;
  PythonSources& sources_;
  Chains& chains_;
  Caches caches_;
  ForwardFunctions forwards_;
  EqualCalls equal_calls_;
  Arena arena_;
  ModuleCallTask asked_;            // no call: only what modules were made with
  std::optional<Evaluator> asker_;  // of it
  std::vector<CallState> states_;
  std::unordered_map<uint32_t, EqualTo> equal_to_;  // by call
  std::unordered_map<uint32_t, Value> results_;     // of calls that were asked for; null: unknown
  Work work_;
  Work questions_;  // what children return
  bool has_run_packages_ = false;
};

}  // namespace etlens::recover
