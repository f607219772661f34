// SPDX-License-Identifier: Apache-2.0
#include "core/pstats/stats_view.h"

#include "core/pstats/stats.h"

namespace etlens::pstats {
namespace {

FunctionNameView name_view(const PythonProfile& profile, PythonFunctionId id) {
  return {plain_bytes(profile.file(id)), profile.row(id).key.line, plain_bytes(profile.name(id))};
}

CallCostView cost_view(const CallCost& cost) {
  return {cost.calls, cost.primitive, cost.own, cost.cumulative};
}

// `Call`: PythonCaller or Callee.
template <typename Call>
std::vector<CallView> calls_view(const PythonProfile& profile, const std::vector<Call>& calls) {
  std::vector<CallView> views;
  views.reserve(calls.size());
  for (const Call& call : calls) {
    CallView& view = views.emplace_back();
    view.name = name_view(profile, call.function);
    view.calls = call.cost.calls;
    if (!call.has_times) continue;
    view.primitive_calls = call.cost.primitive;
    view.own = call.cost.own;
    view.cumulative = call.cost.cumulative;
  }
  return views;
}

}  // namespace

StatsView stats_view(const PythonProfile& profile, const std::vector<std::string>& paths,
                     const FunctionList& list) {
  StatsView view;
  view.profiles = paths;
  view.calls = profile.total.calls;
  view.primitive_calls = profile.total.primitive;
  view.total = profile.total.own;
  view.functions = Rows<FunctionView>([&profile, &list](const auto& take) {
    const std::vector<std::vector<Callee>> callees = callees_of_all(profile);
    for (const PythonFunctionId id : list.functions) {
      take({name_view(profile, id), cost_view(profile.row(id).cost),
            calls_view(profile, sorted_callers(profile, id)),
            calls_view(profile, callees[id.value])});
    }
  });
  return view;
}

}  // namespace etlens::pstats
