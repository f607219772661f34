// SPDX-License-Identifier: Apache-2.0
// Where the edge program says that a node runs is where its events ran: on every real artifact,
// with records that have graphs of their own for what delegates run, and with those that have one
// for all.
#include "core/render/edge_program.h"

#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "tests/support/corpus.h"
#include "tests/support/each.h"
#include "tests/support/studies.h"

namespace etlens::edge_program_test {

using namespace etlens::test;

namespace {

std::string trace(uint32_t line) {
  return stack_trace({{"/m/model.py", line, "forward", "x = f(x)"}});
}

// add and sig in two calls of XNNPACK, top between them and embed before them on the CPU; `view` is
// not run by anything.
Facts in_one_graph() {
  RecordBuilder record;
  record.node({"embed", "aten.embedding.default", 1, trace(9)});
  record.node({"add", "aten.add.Tensor", 2, trace(10), "", {"embed"}});
  record.node({"top", "aten.topk.default", 4, trace(12), "", {"add"}});
  record.node({"view", "aten.view_copy.default", 6, trace(12), "", {"top"}});
  record.node({"sig", "aten.sigmoid.default", 5, trace(13), "", {"view"}});
  record.map(0, {1}).map(1, {2}).map(2, {4}).map(3, {5});
  record.delegate(1, "XnnpackBackend").delegate(3, "XnnpackBackend");
  DumpBuilder dump;
  dump.block("Execute").operator_call("embedding.out", 0, 0, 10);
  dump.delegate("Add (ND) #1", 1, 20, 50).event("DELEGATE_CALL", 1, 15, 70);
  dump.operator_call("topk.values", 2, 80, 180, 5);
  dump.delegate("Sigmoid (NC) #1", 3, 200, 260).event("DELEGATE_CALL", 3, 195, 300);
  dump.framework("Method::execute", 0, 310);
  return Facts(study_of(dump, record, mean_raw_request()));
}

// The number of the delegate call by the node's name; 0 on the CPU.
std::map<std::string, uint32_t> calls_by_node(const Facts& facts) {
  std::map<std::string, uint32_t> calls;
  const EtRecord& record = *facts.join().record;
  for (const EdgeProgramLine& line : edge_program(facts, std::nullopt).lines) {
    if (!line.node.valid()) continue;
    const std::string name(record.text(record.nodes[line.node.value].name));
    calls[name] = line.partition.valid() ? facts.partition(line.partition).number : 0;
  }
  return calls;
}

struct Compared {
  size_t nodes = 0;
  size_t with_events = 0;
  size_t on_cpu = 0;
  size_t in_both = 0;
};

// Every node: where the program says that it runs, and where its events landed.
void compare(const Facts& facts, Compared& compared) {
  const Landings& landings = *facts.measure().landings;
  std::map<NodeId, std::set<PartitionId>> ran;  // an invalid one: on the CPU
  for (const Landing& row : landings.rows) {
    if (row.node.valid()) ran[row.node].insert(row.partition);
  }
  std::set<NodeId> delegated;
  for (const Partition& partition : facts.code().partitions)
    delegated.insert(partition.nodes.begin(), partition.nodes.end());
  for (const EdgeProgramLine& line : edge_program(facts, std::nullopt).lines) {
    if (!line.node.valid()) continue;
    ++compared.nodes;
    CAPTURE(line.text);
    const auto where = ran.find(line.node);
    if (where == ran.end()) {
      const bool is_call = facts.join().record->nodes[line.node.value].lowered.valid();
      REQUIRE_OF_EACH(is_call || line.partition.valid() == delegated.contains(line.node));
      continue;
    }
    ++compared.with_events;
    compared.on_cpu += where->second.contains(PartitionId()) ? 1 : 0;
    REQUIRE_OF_EACH(where->second.contains(line.partition));
    // Two nodes of one operator that share a handle, of which a delegate ran one: both events land
    // on the first, and the program names one of both places.
    const bool is_in_both = where->second.contains(PartitionId()) && where->second.size() > 1;
    compared.in_both += is_in_both ? 1 : 0;
    REQUIRE_OF_EACH(
        (is_in_both || line.partition.valid() == !where->second.contains(PartitionId())));
  }
}

}  // namespace

TEST_CASE("the edge program says which call runs a node, also where one graph holds all nodes",
          "[edge-program]") {
  CHECK(calls_by_node(in_one_graph()) ==
        std::map<std::string, uint32_t>{
            {"embed", 0}, {"add", 1}, {"top", 0}, {"view", 0}, {"sig", 2}});
}

TEST_CASE("the edge program of a record with the graphs that delegates run", "[edge-program]") {
  RecordBuilder record;
  record.node({"embed", "aten.embedding.default", 1, trace(9)});
  record.lowered("call_a", "XnnpackBackend", {{"add", "aten.add.Tensor", 2, trace(10)}});
  record.node({"top", "aten.topk.default", 4, trace(12)});
  record.lowered("call_b", "XnnpackBackend", {{"sig", "aten.sigmoid.default", 5, trace(13)}});
  record.map(0, {1}).map(1, {2}).map(2, {4}).map(3, {5});
  record.delegate(1, "XnnpackBackend").delegate(3, "XnnpackBackend");
  DumpBuilder dump;
  dump.block("Execute").operator_call("embedding.out", 0, 0, 10);
  dump.delegate("Add (ND) #1", 1, 20, 50).event("DELEGATE_CALL", 1, 15, 70);
  dump.operator_call("topk.values", 2, 80, 180, 5);
  dump.delegate("Sigmoid (NC) #1", 3, 200, 260).event("DELEGATE_CALL", 3, 195, 300);
  dump.framework("Method::execute", 0, 310);
  const Facts facts(study_of(dump, record, mean_raw_request()));
  CHECK(calls_by_node(facts) ==
        std::map<std::string, uint32_t>{
            {"embed", 0}, {"call_a", 1}, {"add", 1}, {"top", 0}, {"call_b", 2}, {"sig", 2}});
}

TEST_CASE("the edge program of every real record says where the events say that nodes ran",
          "[edge-program]") {
  Compared all;
  for (const std::string& folder : case_folders()) {
    for (const Pair& pair : pairs_of(folder)) {
      CAPTURE(pair.etdump, pair.etrecord);
      LoadRequest load = mean_raw_request();
      load.etdump = unpacked(pair.etdump);
      load.etrecord = pair.etrecord;
      const auto artifacts = load_artifacts(real_file_system(), load);
      if (!artifacts) FAIL(artifacts.error().message);
      for (const Block& block : artifacts->blocks) {
        if (!block.is_execution) continue;
        load.selection.block = block.name;
        const auto study = build_study(real_file_system(), *artifacts, load);
        if (!study) FAIL(study.error().message);
        const Facts facts(*study);
        if (facts.code().record != nullptr) compare(facts, all);
      }
    }
  }
  CHECK(all.with_events > 500);
  CHECK(all.on_cpu > 50);
  CHECK(all.in_both * 50 < all.with_events);
  CHECK(all.nodes > all.with_events);
}

}  // namespace etlens::edge_program_test
