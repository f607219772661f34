// SPDX-License-Identifier: Apache-2.0
// Evaluator: one run of one module call's source against the units of the record. Nothing is
// executed: values are what value.h says, and where the source leaves something open the run takes
// one way and tells the search of the others. Here is where the run stands: its scopes, the calls
// that it is in, what it cost. What expressions and statements do is in functions that are given
// the evaluator (expressions.h, statements.h, calls.h, …).
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/recover/interpreter/matcher.h"
#include "core/recover/interpreter/model.h"
#include "core/recover/interpreter/task.h"

namespace etlens::recover {

// Is given items one by one; false: no more of them.
using Each = std::function<bool(Value)>;

// A call that the run is in.
struct CallFrame {
  SourceFile* file = nullptr;
  std::string_view function;
  uint32_t first_line = 0;  // of the function
  uint32_t line = 0;
  uint32_t site = 0;
  uint32_t statement = kNone;
  uint32_t loops = 0;              // that it is in, and blocks that end at their first line
  const Each* on_yield = nullptr;  // of a generator, who walks through it, and from where
  size_t consumer_frames = 0;
  Environment* consumer = nullptr;
  std::vector<Value>* open_returns = nullptr;  // what it may have returned before
  bool is_wrapped = false;                     // by an unknown decorator
};

// What one part of the source leaves to those around it.
struct Signals {
  Value returned = nullptr;       // by the return statement that ran last
  bool leaves_generator = false;  // who walked through it takes no more items
  bool misses_items = false;      // what was walked through last may hold more than was given
  bool misses_rounds = false;     // the same, of a loop that used no unit
  uint32_t callee = kNone;        // the expression that is called next
  bool is_naming = false;         // a function is asked what it gives for a name
};

class Evaluator {
 public:
  static constexpr int kMaxDepth = 400;
  static constexpr int kMaxWalkDepth = 350;  // of what calls itself
  static constexpr size_t kMaxFrames = 60;

  // All outlive this. Without a task nothing is known of a model, and without choices the run
  // takes the first way.
  Evaluator(PythonSources& sources, Caches& caches, Arena& arena, const ModuleCallTask* task,
            Choices* choices);
  Evaluator(const Evaluator&) = delete;
  Evaluator& operator=(const Evaluator&) = delete;

  // Names are looked up elsewhere until this ends.
  class InScope {
   public:
    InScope(Evaluator& run, Environment* scope)
        : run_(run), outer_(std::exchange(run.scope_, scope)) {}
    ~InScope() { run_.scope_ = outer_; }
    InScope(const InScope&) = delete;
    InScope& operator=(const InScope&) = delete;

   private:
    Evaluator& run_;
    Environment* outer_;
  };
  // The same, and no unit is taken, and nothing is chosen.
  class Apart {
   public:
    Apart(Evaluator& run, Environment* scope) : inside_(run, scope), run_(run) { ++run.quiet_; }
    ~Apart() { --run_.quiet_; }
    Apart(const Apart&) = delete;
    Apart& operator=(const Apart&) = delete;

   private:
    InScope inside_;
    Evaluator& run_;
  };

  // Runs the task's forward. True if every unit was used.
  bool run();
  // What forward returned.
  Value result() const { return result_; }
  // Where the run stands: the calls it is in, and how far the units are used.
  uint64_t place() const;
  // For an evaluator that makes values of all runs: what it evaluates takes no units.
  void begin_apart(Environment* scope);
  // Runs the top level of a file, in order.
  void begin_file(Environment* scope, int depth);
  bool runs_file() const { return runs_file_; }

  // What it cost. A run that is stopped does nothing more.
  void step(size_t cost = 1);
  size_t steps() const { return steps_; }
  void stop();
  bool is_stopped() const { return stopped_; }
  void resume(bool was_stopped) { stopped_ = was_stopped; }
  // False, and the run stops, where evaluation nests too deep; else comes_back() ends it.
  bool goes_deeper(int most = kMaxDepth);
  void comes_back() { --depth_; }
  int depth_of() const { return depth_; }

  // Quiet: no unit is taken.
  bool is_quiet() const { return quiet_ > 0; }
  bool has_choices() const { return choices_ != nullptr; }
  void add_cost(double cost);
  size_t choose(std::initializer_list<double> costs);
  // The same; no place among them if the run is given up.
  size_t choose_any(std::span<const double> costs);
  // The same, and the run goes on.
  size_t choose_raw(std::span<const double> costs);
  // One of several ways, or for `none` no such way: nullopt, as when the run is given up.
  std::optional<size_t> choose_or_none(std::vector<double> costs, double none);

  // The next call stands at this node.
  void at(uint32_t node);
  Environment* scope() const { return scope_; }
  const PythonTree& tree() const { return *scope_->file->tree; }
  std::vector<CallFrame>& frames() { return frames_; }
  const std::vector<CallFrame>& frames() const { return frames_; }

  // Shared values must not point into this run's arena, and a value that was not copied into the
  // run may belong to another one.
  bool may_write(Value value) const {
    return arena.is_shared() ||
           (!value->is_shared && may_change(value->kind()) && !is_enum_member(value));
  }
  // What files define is shared by all runs: what may change in a run is copied first.
  Value local(Value value);
  // A shared value that is written to, and not copied.
  void keep_own(Value made) { local_[made] = made; }
  // The unknown that stands for what a name has by now, one in a run.
  Value open_value(const void* owner, std::string_view name);
  // An unknown is known from here on, to all that have it.
  void become(Value unknown, Value known);
  // What the value holds is not known any more, to all that have it.
  void forget(Value value);

  PythonSources& sources;
  Caches& caches;
  Arena& arena;
  const ModuleCallTask* const task;
  Signals signals;
  Matcher matcher;
  Model model;

 private:
  Choices* choices_;
  Value result_ = nullptr;
  Environment* scope_ = nullptr;
  std::vector<CallFrame> frames_;
  std::map<Value, Value> local_;  // of shared values: this run's copy
  std::map<std::pair<const void*, std::string>, Value> open_values_;
  size_t steps_ = 0;
  int quiet_ = 0;
  int depth_ = 0;           // of evaluation
  bool runs_file_ = false;  // its top level, in order
  bool stopped_ = false;
};

}  // namespace etlens::recover
