// SPDX-License-Identifier: Apache-2.0
// PythonProfile: what cProfile, profile and Dynamo's profiler write for Python's pstats, as tables:
// functions, and who called them. Times are seconds as they were written, finite, but not always
// above 0 (a wall clock may be set back); counts are 0 or more.
//
// What the numbers are: `calls` are all of them, `primitive` those while the function was not yet
// running further up; `own` is the time of all calls without what they called, `cumulative` that of
// the primitive calls with it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/string_pool.h"

namespace etlens {

using PythonFunctionId = Id<struct PythonFunctionTag>;

struct CallCost {
  int64_t calls = 0;
  int64_t primitive = 0;
  double own = 0;
  double cumulative = 0;

  CallCost& operator+=(const CallCost& other);
};

// By all three together. Built-in functions are in file "~", line 0.
struct PythonFunctionKey {
  StringId file;
  int64_t line = 0;  // of the def, or of its first decorator, 1-based; nothing bounds it
  StringId name;

  friend bool operator==(const PythonFunctionKey&, const PythonFunctionKey&) = default;
};

struct PythonFunction {
  PythonFunctionKey key;
  CallCost cost;
  bool is_listed = false;     // has a row of its own; else it only called others
  uint32_t first_caller = 0;  // into PythonProfile::callers
  uint32_t caller_count = 0;
};

// Who called a function, and what these calls cost.
struct PythonCaller {
  PythonFunctionId function;
  CallCost cost;
  bool has_times = true;  // `profile` (not cProfile) only counts
};

struct PythonProfile {
  StringPool strings;  // UTF-8 in which surrogates may stand alone: see plain_bytes
  std::vector<PythonFunction> functions;
  std::vector<PythonCaller> callers;
  std::vector<PythonFunctionId> listed;  // those with a row of their own, in the order of the rows
  // Of all listed functions, the times added in their order. Together with another profile: the
  // sums of both.
  CallCost total;  // cumulative: unused

  std::string_view file(PythonFunctionId id) const { return strings[row(id).key.file]; }
  std::string_view name(PythonFunctionId id) const { return strings[row(id).key.name]; }
  const PythonFunction& row(PythonFunctionId id) const { return functions[id.value]; }
  std::span<const PythonCaller> callers_of(PythonFunctionId id) const {
    return std::span(callers).subspan(row(id).first_caller, row(id).caller_count);
  }
  bool is_built_in(PythonFunctionId id) const { return row(id).key.line == 0 && file(id) == "~"; }
};

// What a text was before Python decoded it: a byte that is no UTF-8 becomes a surrogate
// (surrogateescape), which becomes that byte again.
std::string plain_bytes(std::string_view text);
// The other way: every byte that belongs to no character becomes a surrogate.
std::string escaped_text(std::string_view bytes);

// Puts a profile together. Functions and callers keep the order in which they were first named.
class PythonProfileBuilder {
 public:
  PythonFunctionId function(std::string_view file, int64_t line, std::string_view name);
  // Gives the function a row of its own, behind those that have one. False if it has one already.
  bool list(PythonFunctionId id);
  // Until the next function is named.
  PythonFunction& row(PythonFunctionId id) { return profile_.functions[id.value]; }
  // Of `callee` by `caller`. `is_new`: nothing was said of the two before. Until the next one is
  // named.
  PythonCaller& caller(PythonFunctionId callee, PythonFunctionId caller, bool& is_new);

  // Leaves the builder empty. `total`: see PythonProfile.
  PythonProfile finish(const CallCost& total);

 private:
  struct KeyHash {
    size_t operator()(const PythonFunctionKey& key) const noexcept;
  };
  struct Edge {
    PythonFunctionId callee;
    PythonCaller caller;
  };

  PythonProfile profile_;
  std::unordered_map<PythonFunctionKey, PythonFunctionId, KeyHash> functions_;
  std::unordered_map<uint64_t, uint32_t> edge_of_;  // by callee and caller
  std::vector<Edge> edges_;
};

// Of the listed functions, in their order.
CallCost total_of(const PythonProfile& profile);

}  // namespace etlens
