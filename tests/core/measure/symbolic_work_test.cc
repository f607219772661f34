// SPDX-License-Identifier: Apache-2.0
// How the work of nodes and of kernels depends on the symbolic sizes of the inputs.
#include "core/measure/symbolic_work.h"

#include <numeric>

#include "core/measure/group_evidence.h"
#include "test_paths.h"
#include "tests/support/corpus.h"
#include "tests/support/times.h"

namespace etlens::symbolic_work_test {

using namespace etlens::test;

namespace {

// One kernel each, at instructions 0, 1, …
struct Kernel {
  std::string name;
  std::string target;
  std::vector<std::string> inputs;
  std::string shape;
};

RecordBuilder record_of(const std::vector<Kernel>& kernels) {
  RecordBuilder record;
  record.input("buffer", "b_cache", "1, 128, 4").input("user_input", "tokens", "1, s0");
  for (size_t k = 0; k < kernels.size(); ++k) {
    const auto handle = static_cast<uint32_t>(k + 1);
    RecordNode node{kernels[k].name, kernels[k].target, handle, trace_at(handle), ""};
    node.inputs = kernels[k].inputs;
    node.shape = kernels[k].shape;
    record.node(node).map(static_cast<int32_t>(k), {handle});
  }
  return record;
}

const std::vector<Kernel> kCache{
    {"emb", "aten.embedding.default", {"weight", "tokens"}, "1, s0, 4"},
    {"upd", "aten.index_put.default", {"b_cache", "emb"}, "1, 128, 4"},
    {"scores", "aten.bmm.default", {"emb", "upd"}, "1, s0, 128"},
    {"sum", "aten.mean.dim", {"scores"}, "1, 128"},
    {"last", "aten.slice_copy.Tensor", {"emb"}, "1, 1, 4"},
    {"one", "aten.select_copy.int", {"emb"}, "1, 4"},
    {"some", "aten.slice_copy.Tensor", {"table", "tokens"}, "s0, 4"},
    {"all", "aten.expand_copy.default", {"upd"}, "1, 2, 128, 4"},
    {"square", "aten.bmm.default", {"emb", "some"}, "s0, s0"},
    {"later", "aten.index.Tensor", {"emb", "found"}, "u0, 4"}};

// The cache is written back in the end, without a node of its own.
DumpBuilder dump_of_cache() {
  DumpBuilder dump;
  dump.block("Execute");
  uint64_t at = 100;
  for (size_t k = 0; k < kCache.size(); ++k, at += 10) {
    const std::string& target = kCache[k].target;
    const std::string base = target.substr(5, target.find('.', 5) - 5);
    dump.operator_call(base + ".out", static_cast<int32_t>(k), at, at + 8);
  }
  dump.operator_call("copy_", static_cast<int32_t>(kCache.size()), at, at + 8);
  dump.framework("Method::execute", 100, at + 10);
  return dump;
}

Join joined_cache() {
  RecordBuilder record = record_of(kCache);
  record.mutation("cache", "upd");
  return join_of(dump_of_cache(), record);
}

NodeId node_called(const Join& join, std::string_view name) {
  const EtRecord& record = *join.code().record;
  for (size_t n = 0; n < record.nodes.size(); ++n)
    if (record.text(record.nodes[n].name) == name) return NodeId(n);
  FAIL("no node " << name);
  return {};
}

}  // namespace

TEST_CASE("symbolic work: what a node makes and reads", "[groups]") {
  const Join join = joined_cache();
  const SymbolicWork work(join.code());
  const auto growth = [&](std::string_view name) { return work.growth(node_called(join, name)); };
  CHECK(growth("emb") == 1);
  CHECK(growth("upd") == 1);  // it reads as many new rows as there are tokens
  CHECK(growth("scores") == 1);
  CHECK(growth("sum") == 1);
  CHECK(growth("all") == 0);
  CHECK(growth("square") == 2);
  CHECK(growth("later") == -1);
  CHECK(work.growth(NodeId()) == -1);
}

TEST_CASE("symbolic work: of a part of a value only the part is copied", "[groups]") {
  const Join join = joined_cache();
  const SymbolicWork work(join.code());
  CHECK(work.growth(node_called(join, "last")) == 0);
  CHECK(work.growth(node_called(join, "one")) == 0);
  CHECK(work.growth(node_called(join, "some")) == 1);
}

TEST_CASE("symbolic work: the write-back of a cache copies the whole cache", "[groups]") {
  const Join join = joined_cache();
  const SymbolicWork work(join.code());
  const Landing& landing = (*join.landings)[find_event(join, "native_call_copy_")];
  REQUIRE(landing.node == node_called(join, "upd"));
  CHECK(work.growth_of_copy(landing.node) == 0);
  CHECK(work.growth_of_copy(node_called(join, "emb")) == 1);
  Series series(join.events.size(), 1);
  std::fill(series.sample(0).begin(), series.sample(0).end(), 8'000);
  const std::vector<uint32_t> samples{0};
  const GroupSignals signals = group_signals(join, work, series, samples);
  CHECK(signals.kernels.size() == 6);  // emb, upd, scores, sum, some, square
  CHECK(signals.fixed.size() == 4);    // last, one, all and the write-back
}

}  // namespace etlens::symbolic_work_test
