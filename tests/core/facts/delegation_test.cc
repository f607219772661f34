// SPDX-License-Identifier: Apache-2.0
// Inside and around delegate calls: on every real artifact each node of a call has one fate, and
// the times of the calls add up.
#include "core/facts/delegation.h"

#include <map>
#include <set>

#include "core/code/operator_name.h"
#include "core/facts/fallbacks.h"
#include "core/workspace/load.h"
#include "tests/support/corpus.h"
#include "tests/support/studies.h"

namespace etlens::delegation_test {

using namespace etlens::test;

namespace {

// Two calls of XNNPACK with a topk between them: relu(x + y), then the topk on the CPU, then a
// sigmoid.
Facts two_calls() {
  const auto trace = [](uint32_t line, const std::string& text) {
    return stack_trace({{"/m/model.py", line, "forward", text}});
  };
  RecordBuilder record;
  record.node({"embed", "aten.embedding.default", 1, trace(9, "x = self.embed(i)"), "", {}});
  record.node({"add", "aten.add.Tensor", 2, trace(10, "s = x + y"), "", {"embed"}});
  record.node({"relu", "aten.relu.default", 3, trace(11, "s = relu(s)"), "", {"add"}});
  record.node({"top", "aten.topk.default", 4, trace(12, "t = topk(s)"), "", {"relu"}});
  record.node({"sig", "aten.sigmoid.default", 5, trace(13, "return sigmoid(t)"), "", {"top"}});
  record.map(0, {1}).map(1, {2, 3}).map(2, {4}).map(3, {5});
  record.delegate(1, "XnnpackBackend").delegate(3, "XnnpackBackend");
  DumpBuilder dump;
  dump.block("Execute").operator_call("embedding.out", 0, 0, 10);
  dump.delegate("Add (ND) #1", 1, 20, 50)
      .delegate("Clamp (NC) #1", 1, 50, 60)
      .event("DELEGATE_CALL", 1, 15, 70);
  dump.operator_call("topk.values", 2, 80, 180, 5);
  dump.delegate("Sigmoid (NC) #1", 3, 200, 260).event("DELEGATE_CALL", 3, 195, 300);
  dump.framework("Method::execute", 0, 310);
  return Facts(study_of(dump, record, mean_raw_request()));
}

std::string name_of_node(const Facts& facts, NodeId node) {
  const EtRecord& record = *facts.join().record;
  return std::string(record.text(record.nodes[node.value].name));
}

// Every block of every real pair, with the program where the case has one.
template <typename Visit>
void for_each_block(Visit visit) {
  for (const std::string& folder : case_folders()) {
    for (const Pair& pair : pairs_of(folder)) {
      CAPTURE(pair.etdump, pair.etrecord);
      LoadRequest load = mean_raw_request();
      load.etdump = unpacked(pair.etdump);
      load.etrecord = pair.etrecord;
      if (real_file_system().stat(folder + "/model.pte")) load.pte = folder + "/model.pte";
      const auto artifacts = load_artifacts(real_file_system(), load);
      if (!artifacts) FAIL(artifacts.error().message);
      for (const Block& block : artifacts->blocks) {
        if (!block.is_execution) continue;
        load.selection.block = block.name;
        const auto study = build_study(real_file_system(), *artifacts, load);
        if (!study) FAIL(study.error().message);
        visit(Facts(*study));
      }
    }
  }
}

// Ticks of the details that are on lines.
Amount on_lines(const PartitionDetail& detail) {
  Amount sum;
  for (const Amount amount : detail.on_lines) sum += amount;
  return sum;
}

}  // namespace

TEST_CASE("delegation: what a call ran and what is around it", "[delegation]") {
  const Facts facts = two_calls();
  const std::vector<PartitionDetail> details = partition_details(facts);
  REQUIRE(details.size() == 2);

  CHECK(on_lines(details[0]) == Amount(40));
  CHECK(facts.partition(PartitionId(0)).total.amount == Amount(55));
  CHECK(facts.partition(PartitionId(0)).overhead.amount == Amount(15));
  REQUIRE(details[0].nodes.size() == 2);
  CHECK(details[0].nodes[0].fate == NodeFate::Placed);
  CHECK(facts.event(details[0].nodes[0].event).logged_name == "Add (ND) #1");
  CHECK(details[0].nodes[1].fate == NodeFate::Placed);

  REQUIRE(details[0].fed_by.size() == 1);
  CHECK(name_of_node(facts, details[0].fed_by[0].node) == "embed");
  REQUIRE(details[0].read_by.size() == 1);
  CHECK(name_of_node(facts, details[0].read_by[0].node) == "top");
  REQUIRE(details[1].fed_by.size() == 1);
  CHECK(name_of_node(facts, details[1].fed_by[0].node) == "top");
  CHECK(details[1].read_by.empty());
}

TEST_CASE("delegation: what fell back between two calls", "[delegation]") {
  const Facts facts = two_calls();
  REQUIRE(facts.fallback_gaps().size() == 1);
  const FallbackGap& gap = facts.fallback_gaps()[0];
  CHECK(facts.partition(gap.before).number == 1);
  CHECK(facts.partition(gap.after).number == 2);
  CHECK(gap.sum.total.amount == Amount(100));
  REQUIRE(facts.line_fallbacks().size() == 1);
  const LineFallback& row = facts.line_fallbacks()[0];
  CHECK(facts.line(row.line).number == 12);
  CHECK(row.sum.total.amount == Amount(100));
  CHECK(facts.fallback_of(row.line) == &row);
}

TEST_CASE("delegation: lines and modules know what ran in delegates", "[delegation]") {
  const Facts facts = two_calls();
  std::map<uint32_t, Amount> delegated;
  for (size_t l = 0; l < facts.line_count(); ++l) {
    const LineFacts line = facts.line(LineId(l));
    delegated[line.number] = line.delegated;
  }
  CHECK(delegated[9] == Amount(0));
  CHECK(delegated[10] == Amount(30));
  CHECK(delegated[12] == Amount(0));
  CHECK(delegated[13] == Amount(60));
  CHECK(facts.module(ModuleId(0)).delegated == Amount(100));
}

TEST_CASE("delegation: events without a call around them add up as well", "[delegation]") {
  RecordBuilder record;
  record.node({"sig", "aten.sigmoid.default", 1, "", "", {}})
      .map(0, {1})
      .delegate(0, "XnnpackBackend");
  DumpBuilder dump;
  dump.block("Execute").delegate("Sigmoid (NC) #1", 0, 10, 40).framework("Method::execute", 0, 50);
  const Facts facts(study_of(dump, record, mean_raw_request()));
  const PartitionFacts partition = facts.partition(PartitionId(0));
  CHECK(partition.opaque.amount == Amount(30));
  CHECK(partition.total.amount == Amount(30));
  CHECK(facts.measure().delegated == Amount(30));
}

TEST_CASE("delegation: every node of every real call is placed, fused or not reported",
          "[delegation]") {
  size_t nodes = 0;
  size_t calls = 0;
  for_each_block([&](const Facts& facts) {
    const Landings& landings = *facts.join().landings;
    const std::vector<PartitionDetail> details = partition_details(facts);
    REQUIRE(details.size() == facts.code().partitions.size());
    for (size_t p = 0; p < details.size(); ++p) {
      const PartitionFacts partition = facts.partition(PartitionId(p));
      const std::set<NodeId> own(partition.nodes.begin(), partition.nodes.end());
      const std::set<NodeId> unreported(partition.unreported.begin(), partition.unreported.end());
      REQUIRE(details[p].nodes.size() == own.size());
      for (const PartitionNode& node : details[p].nodes) {
        REQUIRE(own.contains(node.node));
        REQUIRE((node.fate == NodeFate::NotReported) == unreported.contains(node.node));
        REQUIRE(node.event.valid() == (node.fate != NodeFate::NotReported));
      }
      // What an event claims is in the call that it ran in.
      for (const ContributionId id : partition.events) {
        const Landing& landing = landings[id];
        if (landing.node.valid()) REQUIRE(own.contains(landing.node));
        for (const NodeId node : landings.fused_of(landing)) REQUIRE(own.contains(node));
      }
      nodes += own.size();
      ++calls;
    }
  });
  CHECK(calls >= 30);
  CHECK(nodes >= 200);
}

TEST_CASE("delegation: with a payload every operator of a real call is accounted for",
          "[delegation]") {
  // Nodes that no operator is made from: they choose among results, or hold what became a constant.
  const std::set<std::string_view> kWithoutWork{"getitem", "full_like", "_empty_dim_order", "full",
                                                "expand_copy"};
  size_t nodes = 0;
  size_t unreported = 0;
  for_each_block([&](const Facts& facts) {
    const EtRecord& record = *facts.join().record;
    for (size_t p = 0; p < facts.code().partitions.size(); ++p) {
      const PartitionFacts partition = facts.partition(PartitionId(p));
      if (partition.backend != "XnnpackBackend" || partition.nodes.empty()) continue;
      const Graph& graph = record.graphs[record.nodes[partition.nodes[0].value].graph.value];
      if (graph.kind != GraphKind::Lowered || partition.events.empty()) continue;
      nodes += partition.nodes.size();
      for (const NodeId node : partition.unreported) {
        const std::string_view target = record.text(record.nodes[node.value].target);
        if (kWithoutWork.contains(base_operator_of_target(target))) continue;
        ++unreported;
        UNSCOPED_INFO("instruction " << partition.instruction.value << ": "
                                     << name_of_node(facts, node) << " is not reported");
      }
    }
  });
  CHECK(nodes >= 100);
  CHECK(unreported == 0);
}

TEST_CASE("delegation: the times of all real calls add up", "[delegation][reconciliation]") {
  size_t calls = 0;
  for_each_block([&](const Facts& facts) {
    const std::vector<PartitionDetail> details = partition_details(facts);
    Amount delegated;
    Amount leaves;
    Amount lined;
    for (size_t p = 0; p < details.size(); ++p) {
      const PartitionFacts partition = facts.partition(PartitionId(p));
      const Amount explained = partition.explained.amount;
      REQUIRE(on_lines(details[p]) + details[p].without_line == explained);
      REQUIRE(explained + partition.opaque.amount + partition.overhead.amount ==
              partition.total.amount);
      REQUIRE(details[p].layout <= on_lines(details[p]));
      delegated += partition.total.amount;
      leaves += explained + partition.opaque.amount;
      lined += on_lines(details[p]);
      ++calls;
    }
    REQUIRE(delegated == facts.measure().delegated);
    Amount lines;
    for (size_t l = 0; l < facts.line_count(); ++l) {
      const LineFacts line = facts.line(LineId(l));
      REQUIRE(line.delegated <= line.self.amount);
      lines += line.delegated;
    }
    REQUIRE(lines == lined);
    for (size_t m = 0; m < facts.code().modules.size(); ++m) {
      const ModuleFacts module = facts.module(ModuleId(m));
      REQUIRE(module.delegated <= module.inclusive.amount);
    }
    REQUIRE(facts.module(ModuleId(0)).delegated == leaves);
    std::set<ContributionId> seen;
    for (const FallbackGap& gap : facts.fallback_gaps()) {
      for (const ContributionId event : gap.events) REQUIRE(seen.insert(event).second);
    }
  });
  CHECK(calls >= 30);
}

}  // namespace etlens::delegation_test
