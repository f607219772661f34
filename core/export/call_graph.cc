// SPDX-License-Identifier: Apache-2.0
#include "core/export/call_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/base/path.h"
#include "core/base/text.h"
#include "core/export/dot.h"
#include "core/render/format.h"

namespace etlens {
namespace {

// Shares of the whole time below which functions and calls are left out.
constexpr double kLeastFunction = 0.005;
constexpr double kLeastCall = 0.001;

// By heat_level: fills that dark text is read on.
constexpr std::array<std::string_view, 5> kFills{"#f2efe9", "#fbe3b6", "#fbcb7d", "#f8ab58",
                                                 "#f58a5c"};

class CallGraph {
 public:
  CallGraph(const PythonProfile& profile, Sink& sink)
      : profile_(profile), sink_(sink), total_(profile.total.own) {}

  void run() {
    sink_ << "digraph {\n  node [shape=box, style=filled, fontname=\"sans-serif\", fontsize=11]\n"
             "  edge [fontname=\"sans-serif\", fontsize=9, color=\"#555555\"]\n";
    for (size_t f = 0; f < profile_.functions.size(); ++f) {
      if (is_shown(PythonFunctionId(f))) write_function(PythonFunctionId(f));
    }
    for (size_t f = 0; f < profile_.functions.size(); ++f) {
      if (!is_shown(PythonFunctionId(f))) continue;
      for (const PythonCaller& caller : profile_.callers_of(PythonFunctionId(f)))
        write_call(PythonFunctionId(f), caller);
    }
    sink_ << "}\n";
  }

 private:
  double share(double seconds) const { return total_ > 0 ? seconds / total_ : 0; }

  bool is_shown(PythonFunctionId id) const {
    return share(profile_.row(id).cost.cumulative) >= kLeastFunction;
  }

  void write_function(PythonFunctionId id) {
    const PythonFunction& row = profile_.row(id);
    std::string where;
    if (!profile_.is_built_in(id))
      where = fmt::format("{}:{}\\n", escaped_for_dot(base_name(plain_bytes(profile_.file(id)))),
                          row.key.line);
    const CallCost& cost = row.cost;
    sink_ << fmt::format(
        "  n{} [label=\"{}{}\\n{} with what it calls\\n{} own\\n{}×\", fillcolor=\"{}\"]\n",
        id.value, where, escaped_for_dot(plain_bytes(profile_.name(id))),
        format_share(share(cost.cumulative)), format_share(share(cost.own)), cost.calls,
        kFills[static_cast<size_t>(heat_level(share(cost.own)))]);
  }

  void write_call(PythonFunctionId callee, const PythonCaller& caller) {
    const double part = share(caller.cost.cumulative);
    if (!is_shown(caller.function) || (caller.has_times && part < kLeastCall)) return;
    sink_ << fmt::format("  n{} -> n{} [label=\"{}{}×\", penwidth={:.2f}]\n", caller.function.value,
                         callee.value, caller.has_times ? format_share(part) + "\\n" : "",
                         caller.cost.calls, std::clamp(4 * part, 0.4, 4.0));
  }

  const PythonProfile& profile_;
  Sink& sink_;
  double total_;
};

}  // namespace

void write_call_graph(const PythonProfile& profile, Sink& sink) { CallGraph(profile, sink).run(); }

}  // namespace etlens
