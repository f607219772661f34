// SPDX-License-Identifier: Apache-2.0
// Inside and around delegate calls: on every real artifact each node of a call has one fate, and
// the times of the calls add up.
#include "core/facts/delegation.h"

#include <map>
#include <set>

#include "core/workspace/load.h"
#include "core/code/operator_name.h"
#include "core/facts/rollup.h"
#include "tests/support/corpus.h"
#include "tests/support/dump_builder.h"
#include "tests/support/memory_file_system.h"
#include "tests/support/payload_builder.h"
#include "tests/support/record_builder.h"

using namespace etlens;
using namespace etlens::test;

namespace {

// Two calls of XNNPACK with a topk between them: relu(x + y), then the topk on the CPU, then a
// sigmoid.
std::shared_ptr<const ProfileSnapshot> two_calls() {
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
  MemoryFileSystem files;
  files.put("/d.etdp", dump.build());
  files.put("/r.etrecord", record.build());
  LoadRequest request;
  request.etdump = "/d.etdp";
  request.etrecord = "/r.etrecord";
  const auto snapshot = load_snapshot(files, request);
  if (!snapshot) FAIL(snapshot.error().message);
  return *snapshot;
}

std::string name_of_node(const Profile& profile, NodeId node) {
  return std::string(profile.record->text(profile.record->nodes[node.value].name));
}

// Every block of every real pair, with the program where the case has one.
template <typename Visit>
void for_each_profile(Visit visit) {
  for (const std::string& folder : case_folders()) {
    for (const Pair& pair : pairs_of(folder)) {
      CAPTURE(pair.etdump, pair.etrecord);
      LoadRequest load;
      load.etdump = unpacked(pair.etdump);
      load.etrecord = pair.etrecord;
      if (real_file_system().stat(folder + "/model.pte")) load.pte = folder + "/model.pte";
      const auto artifacts = load_artifacts(real_file_system(), load);
      if (!artifacts) FAIL(artifacts.error().message);
      for (const Block& block : artifacts->blocks) {
        if (!block.is_execution) continue;
        load.selection.block = block.name;
        const auto snapshot = build_snapshot(real_file_system(), *artifacts, load);
        if (!snapshot) FAIL(snapshot.error().message);
        visit((*snapshot)->profile);
      }
    }
  }
}

}  // namespace

TEST_CASE("delegation: what a call ran and what is around it", "[delegation]") {
  const auto snapshot = two_calls();
  const Profile& profile = snapshot->profile;
  const std::vector<PartitionDetail> details = partition_details(profile);
  REQUIRE(details.size() == 2);

  CHECK(details[0].lined_ticks() == 40);
  CHECK(profile.partitions[0].total_ticks == 55);
  CHECK(profile.partitions[0].overhead_ticks == 15);
  REQUIRE(details[0].nodes.size() == 2);
  CHECK(details[0].nodes[0].fate == NodeFate::Placed);
  CHECK(profile.event_name(profile.events[details[0].nodes[0].event.value]) == "Add (ND) #1");
  CHECK(details[0].nodes[1].fate == NodeFate::Placed);

  REQUIRE(details[0].fed_by.size() == 1);
  CHECK(name_of_node(profile, details[0].fed_by[0].node) == "embed");
  REQUIRE(details[0].read_by.size() == 1);
  CHECK(name_of_node(profile, details[0].read_by[0].node) == "top");
  REQUIRE(details[1].fed_by.size() == 1);
  CHECK(name_of_node(profile, details[1].fed_by[0].node) == "top");
  CHECK(details[1].read_by.empty());
}

TEST_CASE("delegation: what fell back between two calls", "[delegation]") {
  const auto snapshot = two_calls();
  const Profile& profile = snapshot->profile;
  const std::vector<FallbackGap> gaps = fallback_gaps(profile);
  REQUIRE(gaps.size() == 1);
  CHECK(profile.partitions[gaps[0].before.value].number == 1);
  CHECK(profile.partitions[gaps[0].after.value].number == 2);
  CHECK(gaps[0].sum.self_ticks == 100);
  const std::vector<FallbackRow> rows = fallbacks(profile);
  REQUIRE(rows.size() == 1);
  CHECK(profile.lines[rows[0].line.value].line == 12);
  CHECK(rows[0].sum.self_ticks == 100);
}

TEST_CASE("delegation: lines and modules know what ran in delegates", "[delegation]") {
  const auto snapshot = two_calls();
  const Profile& profile = snapshot->profile;
  std::map<uint32_t, uint64_t> ticks;
  for (size_t l = 0; l < profile.lines.size(); ++l)
    ticks[profile.lines[l].line] = delegated_ticks(profile, LineId(l));
  CHECK(ticks[9] == 0);
  CHECK(ticks[10] == 30);
  CHECK(ticks[12] == 0);
  CHECK(ticks[13] == 60);
  const std::vector<ModuleDelegation> modules = module_delegation(profile);
  CHECK(modules[0].delegated_ticks == 100);
  CHECK(modules[0].partitions.size() == 2);
}

TEST_CASE("delegation: events without a call around them add up as well", "[delegation]") {
  RecordBuilder record;
  record.node({"sig", "aten.sigmoid.default", 1, "", "", {}})
      .map(0, {1})
      .delegate(0, "XnnpackBackend");
  DumpBuilder dump;
  dump.block("Execute").delegate("Sigmoid (NC) #1", 0, 10, 40).framework("Method::execute", 0, 50);
  MemoryFileSystem files;
  files.put("/d.etdp", dump.build());
  files.put("/r.etrecord", record.build());
  LoadRequest request;
  request.etdump = "/d.etdp";
  request.etrecord = "/r.etrecord";
  const auto snapshot = load_snapshot(files, request);
  REQUIRE(snapshot);
  const PartitionRow& row = (*snapshot)->profile.partitions.at(0);
  CHECK(row.opaque_ticks == 30);
  CHECK(row.total_ticks == 30);
  CHECK((*snapshot)->profile.delegated_ticks == 30);
}

TEST_CASE("delegation: every node of every real call is placed, fused or not reported",
          "[delegation]") {
  size_t nodes = 0;
  size_t calls = 0;
  for_each_profile([&](const Profile& profile) {
    const std::vector<PartitionDetail> details = partition_details(profile);
    REQUIRE(details.size() == profile.partitions.size());
    for (size_t p = 0; p < details.size(); ++p) {
      const PartitionRow& row = profile.partitions[p];
      const std::set<NodeId> own(row.nodes.begin(), row.nodes.end());
      const std::set<NodeId> unreported(row.unreported_nodes.begin(), row.unreported_nodes.end());
      REQUIRE(details[p].nodes.size() == own.size());
      for (const PartitionNode& node : details[p].nodes) {
        REQUIRE(own.contains(node.node));
        REQUIRE((node.fate == NodeFate::NotReported) == unreported.contains(node.node));
        REQUIRE(node.event.valid() == (node.fate != NodeFate::NotReported));
      }
      // What an event claims is in the call that it ran in.
      for (const EventId id : row.events) {
        const EventRow& event = profile.events[id.value];
        if (event.node.valid()) REQUIRE(own.contains(event.node));
        for (const NodeId node : profile.fused_of(event)) REQUIRE(own.contains(node));
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
  for_each_profile([&](const Profile& profile) {
    for (const PartitionRow& row : profile.partitions) {
      const bool is_xnnpack =
          row.backend.valid() && profile.record->text(row.backend) == "XnnpackBackend";
      const bool is_lowered =
          !row.nodes.empty() &&
          profile.record->graphs[profile.record->nodes[row.nodes[0].value].graph.value].kind ==
              GraphKind::Lowered;
      if (!is_xnnpack || !is_lowered || row.events.empty()) continue;
      nodes += row.nodes.size();
      for (const NodeId node : row.unreported_nodes) {
        const std::string_view base =
            base_operator_of_target(profile.record->text(profile.record->nodes[node.value].target));
        if (kWithoutWork.contains(base)) continue;
        ++unreported;
        UNSCOPED_INFO("instruction " << row.instruction << ": " << name_of_node(profile, node)
                                     << " is not reported");
      }
    }
  });
  CHECK(nodes >= 100);
  CHECK(unreported == 0);
}

TEST_CASE("delegation: the times of all real calls add up", "[delegation][reconciliation]") {
  size_t calls = 0;
  for_each_profile([&](const Profile& profile) {
    const std::vector<PartitionDetail> details = partition_details(profile);
    uint64_t delegated = 0;
    for (size_t p = 0; p < details.size(); ++p) {
      const PartitionRow& row = profile.partitions[p];
      REQUIRE(details[p].lined_ticks() + details[p].unlined_ticks == row.explained_ticks);
      REQUIRE(row.explained_ticks + row.opaque_ticks + row.overhead_ticks == row.total_ticks);
      REQUIRE(details[p].layout_ticks <= details[p].lined_ticks());
      delegated += row.total_ticks;
      ++calls;
    }
    REQUIRE(delegated == profile.delegated_ticks);
    uint64_t lines = 0;
    for (size_t l = 0; l < profile.lines.size(); ++l) {
      const uint64_t ticks = delegated_ticks(profile, LineId(l));
      REQUIRE(ticks <= profile.lines[l].self_ticks);
      lines += ticks;
    }
    uint64_t lined = 0;
    for (const PartitionDetail& detail : details) lined += detail.lined_ticks();
    REQUIRE(lines == lined);
    const std::vector<ModuleDelegation> modules = module_delegation(profile);
    for (size_t m = 0; m < modules.size(); ++m) {
      REQUIRE(modules[m].delegated_ticks <= profile.modules[m].inclusive_ticks);
    }
    uint64_t leaves = 0;
    for (const PartitionRow& row : profile.partitions)
      leaves += row.explained_ticks + row.opaque_ticks;
    REQUIRE(modules[0].delegated_ticks == leaves);
    std::set<EventId> seen;
    for (const FallbackGap& gap : fallback_gaps(profile)) {
      for (const EventId event : gap.events) REQUIRE(seen.insert(event).second);
    }
  });
  CHECK(calls >= 30);
}
