// SPDX-License-Identifier: Apache-2.0
// A Python profile (.prof): the functions of the source as if Python had run the method once, for
// pstats, snakeviz and whatever else reads them. A function's own time is that of its lines; what
// is on no line is a built-in function of that name, and all of them are called by the method.
// Times are seconds of one execution; where the clock counts cycles, a nanosecond stands for one.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/base/shown_text.h"
#include "core/export/definitions.h"
#include "core/export/labels.h"
#include "core/facts/cost_tree.h"
#include "core/formats/pstats/pstats_writer.h"
#include "core/render/summary.h"

namespace etlens {
namespace {

class ProfWriter {
 public:
  explicit ProfWriter(const ExportInput& input)
      : input_(input),
        facts_(input.facts),
        clock_(facts_.quantity().ticks),
        definitions_(definition_lines(input)) {}

  PythonProfile run() {
    for (size_t c = 0; c < facts_.contribution_count(); ++c) {
      const EventFacts event = facts_.event(ContributionId(c));
      if (event.self.amount != Amount()) add(event);
    }
    count_calls();
    PythonProfile profile = builder_.finish({});
    profile.total = total_of(profile);
    return profile;
  }

 private:
  // Of a call: the function that is called, and the one that calls it.
  using Edge = std::pair<PythonFunctionId, PythonFunctionId>;
  struct EdgeCost {
    CallCost cost;
    std::set<LineId> lines;  // of the caller, at which it calls
  };

  // Of the calls by nobody.
  struct RootCost {
    double own = 0;
    double cumulative = 0;
  };

  double seconds(double ticks) const {
    const TimeScale clock = clock_ == TimeScale::Cycles ? TimeScale::Nanoseconds : clock_;
    return ticks / scale_factor(clock, TimeScale::Seconds);
  }

  PythonFunctionId function_of(LineId line) {
    const CodeLine& row = facts_.code().lines[line.value];
    return listed(source_place(input_, line).path, definitions_[line.value],
                  facts_.code().text(row.function));
  }

  PythonFunctionId listed(std::string_view file, uint32_t line, std::string_view name) {
    const PythonFunctionId id = builder_.function(shown_text(file), line, shown_text(name));
    builder_.list(id);
    return id;
  }

  void add(const EventFacts& event) {
    const double time = seconds(event.self.value);
    std::vector<LineId> lines = lines_of(facts_, event.id);
    std::vector<PythonFunctionId> stack;
    for (const LineId line : lines) stack.push_back(function_of(line));
    if (stack.empty()) {
      const std::string name =
          fmt::format("<{}>", describe_part(facts_, event.part, event.partition));
      stack.push_back(listed("~", 0, name));
      calls_[stack.back()] += std::max<int64_t>(1, std::llround(event.occurrences));
    }
    builder_.row(stack.back()).cost.own += time;
    // What is in a stack twice counts once.
    std::set<PythonFunctionId> counted;
    std::set<Edge> edges;
    roots_.insert(stack.front());
    RootCost& root = root_costs_[stack.front()];
    root.cumulative += time;
    if (stack.size() == 1) root.own += time;
    for (size_t i = 0; i < stack.size(); ++i) {
      if (counted.insert(stack[i]).second) builder_.row(stack[i]).cost.cumulative += time;
      if (i == 0 || stack[i] == stack[i - 1]) continue;
      EdgeCost& edge = edges_[{stack[i], stack[i - 1]}];
      edge.lines.insert(lines[i - 1]);
      if (edges.insert({stack[i], stack[i - 1]}).second) edge.cost.cumulative += time;
      if (i + 1 == stack.size()) edge.cost.own += time;
    }
  }

  // snakeviz shows nothing of functions that neither call nor are called.
  void call_roots() {
    const std::string_view method = facts_.code().method_name();
    const std::string name = method.empty() ? "Method::execute" : "method " + std::string(method);
    const PythonFunctionId whole = listed("~", 0, "<" + name + ">");
    calls_[whole] = 1;
    for (const PythonFunctionId root : roots_) {
      const RootCost& cost = root_costs_[root];
      bool is_new = false;
      builder_.caller(root, whole, is_new).cost = {calls_[root], calls_[root], cost.own,
                                                   cost.cumulative};
      builder_.row(whole).cost.cumulative += cost.cumulative;
    }
  }

  // A function is called as often as the lines that call it run.
  void count_calls() {
    for (const PythonFunctionId root : roots_) calls_.try_emplace(root, 1);
    call_roots();
    for (auto& [edge, row] : edges_) {
      for (const LineId line : row.lines)
        row.cost.calls += std::max<int64_t>(1, facts_.line(line).runs);
      row.cost.primitive = row.cost.calls;
      calls_[edge.first] += row.cost.calls;
      bool is_new = false;
      builder_.caller(edge.first, edge.second, is_new).cost = row.cost;
    }
    for (const auto& [function, calls] : calls_) {
      CallCost& cost = builder_.row(function).cost;
      cost.calls = cost.primitive = calls;
    }
  }

  const ExportInput& input_;
  const Facts& facts_;
  TimeScale clock_;
  std::vector<uint32_t> definitions_;  // per line of the code
  PythonProfileBuilder builder_;
  std::map<Edge, EdgeCost> edges_;
  std::map<PythonFunctionId, int64_t> calls_;
  std::set<PythonFunctionId> roots_;
  std::map<PythonFunctionId, RootCost> root_costs_;
};

}  // namespace

void write_prof(const ExportInput& input, Sink& sink) {
  // Only fails where nothing was measured, and for sinks that fail.
  (void)write_python_profile(ProfWriter(input).run(), [&](std::string_view piece) {
    sink << piece;
    return true;
  });
}

}  // namespace etlens
