// SPDX-License-Identifier: Apache-2.0
// The bytes of real programs' files: every one has an owner, and constants are where their
// parameters are.
#include <algorithm>
#include <set>

#include "core/facts/memory_facts.h"
#include "core/facts/size_facts.h"
#include "core/join/program_code.h"
#include "core/measure/taken_bytes.h"
#include "core/workspace/load_program.h"
#include "test_paths.h"
#include "tests/support/corpus.h"
#include "tests/support/memory_file_system.h"
#include "tests/support/program_builder.h"

namespace etlens::size_test {

using namespace etlens::test;

namespace {

// Parents stand before their children and are the sum of them, the largest first; the kinds are the
// file.
void check_tree(const SizeFacts& facts) {
  const std::vector<FileNode>& tree = facts.tree();
  std::vector<uint64_t> below(tree.size());
  std::vector<uint64_t> last(tree.size(), UINT64_MAX);
  std::set<size_t> parts;
  uint64_t kinds = 0;
  for (size_t i = 0; i < tree.size(); ++i) {
    if (tree[i].level == FileNodeLevel::Part) {
      CHECK(parts.insert(tree[i].part).second);
      CHECK(tree[i].bytes == facts.part(tree[i].part).bytes);
      CHECK(tree[i].kind == facts.part(tree[i].part).kind);
    }
    CHECK((tree[i].level == FileNodeLevel::Kind) == (tree[i].parent == kNone));
    if (tree[i].parent == kNone) {
      kinds += tree[i].bytes;
      CHECK(tree[i].bytes == facts.bytes_of(tree[i].kind));
      continue;
    }
    REQUIRE(tree[i].parent < i);
    below[tree[i].parent] += tree[i].bytes;
    CHECK(tree[i].bytes <= last[tree[i].parent]);
    last[tree[i].parent] = tree[i].bytes;
  }
  CHECK(kinds == facts.file_bytes());
  for (size_t i = 0; i < tree.size(); ++i) {
    if (tree[i].level != FileNodeLevel::Part) CHECK(below[i] == tree[i].bytes);
  }
  size_t external = 0;
  for (size_t p = 0; p < facts.part_count(); ++p)
    external += facts.part(p).kind == FilePartKind::External ? 1 : 0;
  CHECK(parts.size() + external == facts.part_count());
}

std::vector<std::shared_ptr<const Code>> codes_of(const LoadedProgram& loaded) {
  std::vector<std::shared_ptr<const Code>> codes;
  for (const ProgramMethod& method : loaded.program->methods)
    codes.push_back(code_of_program(loaded.record, method, {}));
  return codes;
}

SizeFacts facts_of(const FileSystem& files, const std::string& pte, const std::string& record) {
  const Result<LoadedProgram> loaded = load_program(files, pte, record);
  if (!loaded) FAIL(loaded.error().message);
  return SizeFacts(files, loaded->program, codes_of(*loaded));
}

uint64_t sum_of(const SizeFacts& facts) {
  uint64_t sum = 0;
  for (size_t p = 0; p < facts.part_count(); ++p) {
    if (facts.part(p).kind != FilePartKind::External) sum += facts.part(p).bytes;
  }
  return sum;
}

SizePartFacts find_part(const SizeFacts& facts, std::string_view name) {
  for (size_t p = 0; p < facts.part_count(); ++p) {
    if (facts.part(p).name == name) return facts.part(p);
  }
  FAIL("no part " << name);
  return {};
}

const std::string kMlp = ETLENS_TEST_DATA "/v0.5/mlp-xnnpack";

}  // namespace

TEST_CASE("size: bytes are taken once", "[size]") {
  TakenBytes taken;
  CHECK(taken.take({10, 10}) == 10);
  CHECK(taken.take({15, 10}) == 5);
  CHECK(taken.take({10, 15}) == 0);
  CHECK(taken.take({30, 5}) == 5);
  CHECK(taken.take({0, 100}) == 80);
  CHECK(taken.take({50, 60}) == 10);
  CHECK(taken.take({7, 0}) == 0);
}

TEST_CASE("size: constants, payloads, program and padding", "[size]") {
  ProgramBuilder builder;
  builder.constant(std::string(64, 'a')).constant(std::string(16, 'b'));
  builder.method(
      "forward",
      {{'k', "aten::add.out", 0, "", {0, 1, 2, 2}},
       {'d', "OtherBackend", 0, std::string(40, 'p'), {2, 3}}},
      {.values = {{'t', {16}, 0, 0, 1}, {'t', {4}, 0, 0, 2}, {'t', {4}, 1, 0}, {'t', {4}, 1, 16}},
       .buffer_sizes = {0, 32}});
  MemoryFileSystem files;
  const std::string bytes = builder.build();
  files.put("/m.pte", bytes);
  const SizeFacts facts = facts_of(files, "/m.pte", "");
  CHECK(facts.file_bytes() == bytes.size());
  CHECK(sum_of(facts) == bytes.size());
  CHECK(find_part(facts, "constant 1").bytes == 64);
  CHECK(find_part(facts, "constant 2").bytes == 16);
  CHECK(find_part(facts, "OtherBackend").bytes == 40);
  CHECK(find_part(facts, "OtherBackend").partition == 1);
  CHECK(facts.report().rows().empty());
}

TEST_CASE("size: a flipped byte leaves a file whose parts add up", "[size]") {
  ProgramBuilder builder;
  builder.constant(std::string(40, 'a')).constant("b");
  builder.method("forward", {{'k', "aten::neg.out", 0, "", {0, 1, 1}}},
                 {.values = {{'t', {10}, 0, 0, 1}, {'t', {10}, 1, 0}}, .buffer_sizes = {0, 40}});
  const std::string bytes = builder.build();
  size_t readable = 0;
  for (size_t i = 0; i < bytes.size(); ++i) {
    std::string broken = bytes;
    broken[i] = static_cast<char>(broken[i] ^ 0x41);
    MemoryFileSystem files;
    files.put("/m.pte", broken);
    const Result<LoadedProgram> loaded = load_program(files, "/m.pte", "");
    if (!loaded) continue;
    CAPTURE(i);
    REQUIRE(sum_of(SizeFacts(files, loaded->program, codes_of(*loaded))) == broken.size());
    ++readable;
  }
  CHECK(readable > 0);
}

TEST_CASE("size: parameters by their names, modules and lines", "[size]") {
  const SizeFacts facts =
      facts_of(real_file_system(), kMlp + "/model.pte", kMlp + "/model.etrecord");
  const SizePartFacts weight = find_part(facts, "first.up.weight");
  CHECK(weight.kind == FilePartKind::DelegateConstant);
  CHECK(weight.bytes == 18432);
  CHECK(weight.module_path == "first.up");
  CHECK(weight.recorded_path.ends_with("mlp.py"));
  CHECK(weight.line == 16);
  CHECK(weight.partition > 0);
  const SizePartFacts norm = find_part(facts, "first.norm.weight");
  CHECK(norm.kind == FilePartKind::Constant);
  CHECK(norm.users == 2);  // both norms have ones

  const auto module = std::find_if(facts.modules().begin(), facts.modules().end(),
                                   [](const ModuleBytes& m) { return m.path == "first"; });
  REQUIRE(module != facts.modules().end());
  CHECK(module->inclusive > 2 * 18432);
  CHECK(facts.modules().front().path.empty());
  CHECK(facts.modules().front().inclusive == facts.file_bytes());
}

TEST_CASE("size: the tree of kinds, modules and parts", "[size]") {
  const SizeFacts facts =
      facts_of(real_file_system(), kMlp + "/model.pte", kMlp + "/model.etrecord");
  check_tree(facts);
  const std::vector<FileNode>& tree = facts.tree();
  CHECK(tree.front().kind == FilePartKind::DelegateConstant);
  const auto up = std::find_if(tree.begin(), tree.end(),
                               [](const FileNode& node) { return node.module == "first.up"; });
  REQUIRE(up != tree.end());
  CHECK(tree[up->parent].module == "first");
  CHECK(tree[tree[up->parent].parent].kind == up->kind);
  CHECK(facts.part((up + 1)->part).name == "first.up.weight");
}

TEST_CASE("size: without a record by operator and buffer", "[size]") {
  const SizeFacts facts = facts_of(real_file_system(), kMlp + "/model.pte", "");
  CHECK(sum_of(facts) == facts.file_bytes());
  CHECK(find_part(facts, "FullyConnected filter").kind == FilePartKind::DelegateConstant);
  CHECK_FALSE(find_part(facts, "program").module_path.has_value());
  CHECK(facts.lines().empty());
}

TEST_CASE("size: the record of another export is an error", "[size]") {
  const Result<LoadedProgram> other =
      load_program(real_file_system(), kMlp + "/model.pte",
                   ETLENS_TEST_DATA "/release-1.5/gate-portable-fp32/model.etrecord");
  REQUIRE_FALSE(other);
  CHECK(other.error().code == ErrorCode::Unsupported);
  CHECK(other.error().message.find("do not belong together") != std::string::npos);
}

TEST_CASE("size: parts of every real file add up, constants are placed", "[size]") {
  uint64_t constants = 0;
  uint64_t placed = 0;
  size_t programs = 0;
  for (const std::string& folder : case_folders()) {
    const std::string pte = folder + "/model.pte";
    const std::string record = folder + "/model.etrecord";
    if (!real_file_system().stat(pte)) continue;
    CAPTURE(pte);
    const bool has_record = real_file_system().stat(record).has_value() &&
                            load_program(real_file_system(), pte, record).has_value();
    const SizeFacts facts = facts_of(real_file_system(), pte, has_record ? record : "");
    CHECK(facts.report().rows().empty());
    CHECK(facts.file_bytes() == real_file_system().stat(pte)->size);
    CHECK(sum_of(facts) == facts.file_bytes());
    check_tree(facts);
    ++programs;
    if (!has_record) continue;
    constants += facts.constants();
    placed += facts.placed_constants();
  }
  CHECK(programs > 0);
  CHECK(static_cast<double>(placed) >= 0.95 * static_cast<double>(constants));
}

TEST_CASE("memory: tensors on the lines that make them", "[memory]") {
  const std::string folder = ETLENS_TEST_DATA "/memory/state";
  const Result<LoadedProgram> loaded =
      load_program(real_file_system(), folder + "/greedy.pte", folder + "/model.etrecord");
  if (!loaded) FAIL(loaded.error().message);
  const MemoryFacts facts(loaded->program, 0, codes_of(*loaded).front());
  uint64_t at_peak = 0;
  for (const size_t row : facts.at_peak()) at_peak += facts.tensor(row).at_peak;
  CHECK(at_peak == facts.peak());
  const TensorFacts largest = facts.tensor(facts.at_peak().front());
  CHECK(largest.op == "aten::permute_copy.out");
  CHECK(largest.module_path == "mix");
  REQUIRE(largest.line.valid());
  CHECK(facts.code().lines[largest.line.value].number == 19);
  REQUIRE_FALSE(facts.lines().empty());
  CHECK(facts.lines().front().line == largest.line);
  CHECK(facts.lines().front().at_peak >= largest.at_peak);
  size_t state = 0;
  for (size_t r = 0; r < facts.tensor_count(); ++r) state += facts.tensor(r).is_mutable ? 1 : 0;
  CHECK(state == 2);
}

}  // namespace etlens::size_test
