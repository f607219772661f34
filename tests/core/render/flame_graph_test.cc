// SPDX-License-Identifier: Apache-2.0
// The frames of the flame graph: nothing is lost, nothing lies on anything else, and modules that
// repeat are one.
#include "core/render/flame_graph.h"

#include <catch2/catch.hpp>
#include <map>

#include "tests/support/corpus.h"
#include "tests/support/studies.h"

namespace etlens::flame_graph_test {

using namespace etlens::test;

namespace {

std::string module_stack(const std::vector<std::pair<std::string, std::string>>& modules) {
  std::string text;
  for (const auto& [path, type] : modules) {
    if (!text.empty()) text += ";";
    text += "L__self__" + std::string(path.empty() ? "" : "_") + path + "," + path + "," + type;
  }
  return text;
}

// `layers` layers, each with one matrix product; the last costs the most.
Facts layered(uint32_t layers) {
  RecordBuilder record;
  DumpBuilder dump;
  dump.block("Execute");
  uint64_t at = 5;
  for (uint32_t i = 0; i < layers; ++i) {
    const std::string path = "layers." + std::to_string(i);
    record.node({"mm_" + std::to_string(i), "aten.mm.default", i + 1,
                 stack_trace({{"/m.py", 7, "forward", "x = x @ w"}}),
                 module_stack({{"", "m.Net"}, {path, "m.Layer"}, {path + ".up", "m.Up"}})});
    record.map(static_cast<int32_t>(i), {i + 1});
    dump.operator_call("mm.out", static_cast<int32_t>(i), at, at + 100 + 10 * i, 5);
    at += 100 + 10 * i;
  }
  dump.framework("Method::execute", 0, at + 20);
  return Facts(study_of(dump, record, mean_raw_request()));
}

std::vector<std::string> names(const FlameGraph& graph, FlameKind kind) {
  std::vector<std::string> found;
  for (const FlameFrame& frame : graph.frames) {
    if (frame.kind == kind) found.push_back(frame.name);
  }
  return found;
}

FlameGraph graph_of(const Facts& facts, CostTreeOptions tree) {
  FlameOptions options;
  options.tree = tree;
  return flame_graph(facts, options);
}

void check_layout(const FlameGraph& graph) {
  std::map<uint32_t, double> right;      // of what was placed last below a frame
  std::map<uint32_t, int64_t> children;  // what the frames below one amount to
  for (size_t f = 0; f < graph.frames.size(); ++f) {
    const FlameFrame& frame = graph.frames[f];
    CHECK((frame.left >= 0 && frame.width >= 0 && frame.left + frame.width < 1 + 1e-9));
    if (!frame.parent) continue;
    REQUIRE(*frame.parent < f);
    const FlameFrame& around = graph.frames[*frame.parent];
    CHECK(frame.depth == around.depth + 1);
    const double begin = right.try_emplace(*frame.parent, around.left).first->second;
    CHECK(frame.left > begin - 1e-9);
    CHECK(frame.left + frame.width < around.left + around.width + 1e-9);
    right[*frame.parent] = frame.left + frame.width;
    children[*frame.parent] += frame.cost.amount.value;
  }
  for (const auto& [parent, sum] : children) CHECK(sum <= graph.frames[parent].cost.amount.value);
}

}  // namespace

TEST_CASE("flame graph: modules that repeat are one frame, with all that they cost", "[render]") {
  const Facts facts = layered(4);
  const FlameGraph apart = graph_of(facts, {});
  CHECK(names(apart, FlameKind::Module) ==
        std::vector<std::string>{"layers.3 Layer", "layers.2 Layer", "layers.1 Layer",
                                 "layers.0 Layer", "up Up", "up Up", "up Up", "up Up"});
  const FlameGraph folded = graph_of(facts, {CostOrder::Cost, true, ""});
  CHECK(names(folded, FlameKind::Module) == std::vector<std::string>{"layers.0–3 Layer", "up Up"});
  const FlameFrame& up = folded.frames[3].name == "up Up" ? folded.frames[3] : folded.frames[2];
  CHECK(up.words.starts_with("layers.0–3.up (m.Up), 4 modules\n"));
  CHECK(up.cost.amount.value == 460);
  CHECK(names(folded, FlameKind::Line) == std::vector<std::string>{"L7 x = x @ w"});
  CHECK(folded.frames[0].cost.amount == apart.frames[0].cost.amount);
  // Two are no repetition.
  CHECK(names(graph_of(layered(2), {CostOrder::Cost, true, ""}), FlameKind::Module).size() == 4);
}

TEST_CASE("flame graph: in the order of execution, and what a filter finds", "[render]") {
  const Facts facts = layered(4);
  const FlameGraph graph = graph_of(facts, {CostOrder::Execution, false, "layers.2"});
  CHECK(names(graph, FlameKind::Module)[0] == "layers.0 Layer");
  CHECK(names(graph, FlameKind::Module)[3] == "layers.3 Layer");
  CHECK(graph.found.amount.value == 120);
  for (const FlameFrame& frame : graph.frames) {
    if (frame.kind == FlameKind::Module && frame.depth == 1)
      CHECK(frame.found == (frame.name == "layers.2 Layer" ? 1 : 0));
  }
  const FlameGraph folded = graph_of(facts, {CostOrder::Cost, true, "layers.2"});
  for (const FlameFrame& frame : folded.frames) {
    if (frame.kind == FlameKind::Module) CHECK(frame.found == Approx(120.0 / 460));
  }
}

TEST_CASE("flame graph: what executions had beyond the statistic stands beside the whole",
          "[render]") {
  RecordBuilder record;
  record.node({"a", "aten.mm.default", 1, stack_trace({{"/m.py", 7, "forward", "a"}})});
  record.map(0, {1});
  DumpBuilder dump;
  uint64_t at = 0;
  for (const uint64_t took : {100u, 100u, 100u, 100u, 100u, 100u, 100u, 900u}) {
    dump.block("Execute").operator_call("mm.out", 0, at + 5, at + 5 + took, 5);
    dump.framework("Method::execute", at, at + 10 + took);
    at += 2000;
  }
  LoadRequest request;
  request.time.statistic = Statistic::Minimum;
  const Facts facts(study_of(dump, record, request));
  const FlameGraph graph = graph_of(facts, {});
  const Headline head = headline(facts);
  REQUIRE(head.disturbance > 0);
  REQUIRE(graph.frames[1].kind == FlameKind::Disturbance);
  CHECK(graph.frames[1].width / graph.frames[0].width ==
        Approx(head.disturbance / head.total.value));
  CHECK(graph.frames[0].width + graph.frames[1].width == Approx(1));
  // As the headline and the status say it: one number, of the mean.
  CHECK(graph.frames[1].cost.share == Approx(head.disturbance_share));
  CHECK(graph.frames[1].cost.share == Approx(head.disturbance / head.mean));
  check_layout(graph);
}

TEST_CASE("flame graph: of every real artifact, all of the cost is in frames", "[render]") {
  size_t drawn = 0;
  for (const std::string& folder : case_folders()) {
    for (const Pair& pair : pairs_of(folder)) {
      CAPTURE(pair.etdump);
      LoadRequest request;
      request.etdump = pair.etdump;
      request.etrecord = pair.etrecord;
      const auto study = load_study(real_file_system(), request);
      if (!study) continue;
      const Facts facts(*study);
      const Amount total = headline(facts).total.amount;
      for (const bool folds : {true, false}) {
        for (const CostOrder order : {CostOrder::Cost, CostOrder::Execution}) {
          const FlameGraph graph = graph_of(facts, {order, folds, ""});
          CHECK(graph.frames[0].cost.amount == total);
          CHECK(graph.found.amount == total);
          int64_t leaves = 0;
          for (const FlameFrame& frame : graph.frames) {
            if (frame.kind == FlameKind::Operation) leaves += frame.cost.amount.value;
          }
          CHECK(leaves == total.value);
          check_layout(graph);
          ++drawn;
        }
      }
    }
  }
  CHECK(drawn > 20);
}

}  // namespace etlens::flame_graph_test
