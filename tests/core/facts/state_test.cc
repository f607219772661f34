// SPDX-License-Identifier: Apache-2.0
// State by its name in the model: on a real language model with a cache, and where a record and a
// program do not agree.
#include <map>

#include "core/facts/memory_facts.h"
#include "core/formats/etrecord/etrecord_reader.h"
#include "core/formats/pte/pte_reader.h"
#include "core/join/program_code.h"
#include "core/join/state_buffers.h"
#include "core/workspace/load.h"
#include "core/workspace/load_program.h"
#include "test_paths.h"
#include "tests/support/corpus.h"
#include "tests/support/joins.h"
#include "tests/support/memory_file_system.h"
#include "tests/support/program_builder.h"
#include "tests/support/record_builder.h"

namespace etlens::state_test {

using namespace etlens::test;

namespace {

MemoryFileSystem language_model() {
  const std::string folder = ETLENS_TEST_DATA "/llm-cache/";
  MemoryFileSystem files;
  files.put("/m/model.etdp", read_file(folder + "model.etdp.gz"));
  files.put("/m/model.etrecord", read_file(folder + "model.etrecord"));
  files.put("/m/model.pte", read_file(folder + "model.pte.gz"));
  return files;
}

MemoryFacts memory_of(const FileSystem& files, const std::string& folder) {
  const auto loaded = load_program(files, folder + "/model.pte", folder + "/model.etrecord");
  if (!loaded) FAIL(loaded.error().message);
  const auto code = code_of_program(loaded->record, loaded->program->methods.front(), {});
  return {loaded->program, 0, code};
}

// Two buffers that lines 3 and 5 give new values.
RecordBuilder two_buffers() {
  RecordBuilder record;
  record.input("buffer", "first").input("buffer", "second").input("user_input", "x");
  record.node({"upd", "aten.index_put.default", 1, trace_at(3), "", {"first", "x"}})
      .node({"rel", "aten.relu.default", 2, trace_at(5), "", {"second"}})
      .mutation("first", "upd")
      .mutation("second", "rel");
  record.map(0, {1}).map(1, {2});
  return record;
}

std::string program_with_state(size_t buffers, const std::vector<int32_t>& shape = {2, 3}) {
  ProgramPlan plan;
  for (size_t v = 0; v <= buffers; ++v) plan.values.push_back({'t', shape, 1, 32 * v, 0});
  plan.inputs = {static_cast<int32_t>(buffers)};
  plan.buffer_sizes = {0, 1024};
  return ProgramBuilder()
      .method("forward",
              {{'k', "aten::index_put.out", 0, "", {0, static_cast<int32_t>(buffers), 0}},
               {'k', "aten::relu.out", 0, "", {static_cast<int32_t>(buffers) - 1}}},
              plan)
      .build();
}

std::vector<std::string> buffer_names(const RecordBuilder& record, const std::string& program) {
  MemoryFileSystem files;
  files.put("/m/model.etrecord", record.build());
  files.put("/m/model.pte", program);
  const MemoryFacts facts = memory_of(files, "/m");
  std::vector<std::string> names;
  for (size_t r = 0; r < facts.tensor_count(); ++r) {
    if (!facts.tensor(r).buffer.empty()) names.emplace_back(facts.tensor(r).buffer);
  }
  return names;
}

}  // namespace

TEST_CASE("state: the caches of a language model have names and lines", "[memory]") {
  const MemoryFileSystem files = language_model();
  const MemoryFacts facts = memory_of(files, "/m");
  std::vector<std::string> names;
  std::map<uint32_t, std::string> name_of;  // by value
  for (size_t r = 0; r < facts.tensor_count(); ++r) {
    const TensorFacts tensor = facts.tensor(r);
    CHECK(tensor.is_mutable == !tensor.buffer.empty());
    if (tensor.buffer.empty()) continue;
    names.emplace_back(tensor.buffer);
    name_of[tensor.value] = tensor.buffer;
    REQUIRE(tensor.written.valid());
    CHECK(facts.code().lines[tensor.written.value].number == 638);
    CHECK(!tensor.line.valid());
  }
  CHECK(names == std::vector<std::string>{
                     "layers.0.attention.kv_cache.k_cache", "layers.0.attention.kv_cache.v_cache",
                     "layers.1.attention.kv_cache.k_cache", "layers.1.attention.kv_cache.v_cache"});

  // The dump's write-backs are named by the values that they copy, which knows nothing of an order.
  LoadRequest request;
  request.etdump = "/m/model.etdp";
  request.etrecord = "/m/model.etrecord";
  request.pte = "/m/model.pte";
  const auto study = load_study(files, request);
  if (!study) FAIL(study.error().message);
  const Join& join = *(*study)->join;
  size_t write_backs = 0;
  for (size_t e = 0; e < join.events.size(); ++e) {
    const std::string name(join.readable_name(ContributionId(e)));
    if (!name.starts_with("write-back of ")) continue;
    const ProgramInstruction* copy = facts.method().find(join.events[e].key.instruction);
    REQUIRE(copy != nullptr);
    CHECK(name == "write-back of " + name_of[facts.method().arguments_of(*copy).front()]);
    ++write_backs;
  }
  CHECK(write_backs == 4);
}

TEST_CASE("state: no buffer has a name where record and program do not agree", "[memory]") {
  CHECK(buffer_names(two_buffers(), program_with_state(2)) ==
        std::vector<std::string>{"first", "second"});
  CHECK(buffer_names(two_buffers(), program_with_state(3)).empty());
  CHECK(buffer_names(two_buffers(), program_with_state(1)).empty());

  // Four buffers, whose shapes the record has.
  MemoryFileSystem files = language_model();
  const Result<EtRecord> record = read_etrecord(files, "/m/model.etrecord");
  REQUIRE(record);
  const Graph& graph = record->graphs[record->methods.front().edge.value];
  for (const bool is_equal : {true, false}) {
    files.put("/m/other.pte", program_with_state(4, {1, 2, 64, is_equal ? 32 : 16}));
    const Result<EtProgram> program = read_program(files, "/m/other.pte");
    REQUIRE(program);
    CHECK(state_buffers(*record, graph, program->methods.front()).size() == (is_equal ? 4 : 0));
  }
}

}  // namespace etlens::state_test
