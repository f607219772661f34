// SPDX-License-Identifier: Apache-2.0
// Functions of a Python profile with callers and callees: the document of `etlens pstats`. Times
// are seconds, unrounded.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/fields.h"
#include "core/pstats/print.h"

namespace etlens::pstats {

struct FunctionNameView {
  std::string file;
  int64_t line = 0;
  std::string function;
};
FIELDS(FunctionNameView, file, line, function)

struct CallCostView {
  int64_t calls = 0;
  int64_t primitive_calls = 0;
  double own = 0;
  double cumulative = 0;
};
FIELDS(CallCostView, calls, primitive_calls, own, cumulative)

// A caller or a callee. Profiles of `profile` have nothing but the number of calls.
struct CallView {
  Spread<FunctionNameView> name;
  int64_t calls = 0;
  std::optional<int64_t> primitive_calls;
  std::optional<double> own;
  std::optional<double> cumulative;
};
FIELDS(CallView, name, calls, primitive_calls, own, cumulative)

struct FunctionView {
  Spread<FunctionNameView> name;
  Spread<CallCostView> cost;
  std::vector<CallView> callers;
  std::vector<CallView> callees;
};
FIELDS(FunctionView, name, cost, callers, callees)

struct StatsView {
  Literal<"etlens/pstats@1"> schema;
  Literal<"s"> time_unit;
  std::vector<std::string> profiles;  // paths
  int64_t calls = 0;
  int64_t primitive_calls = 0;
  double total = 0;
  Rows<FunctionView> functions;  // those that are listed
};
FIELDS(StatsView, schema, time_unit, profiles, calls, primitive_calls, total, functions)

// Profile and list must outlive the view.
StatsView stats_view(const PythonProfile& profile, const std::vector<std::string>& paths,
                     const FunctionList& list);

}  // namespace etlens::pstats
