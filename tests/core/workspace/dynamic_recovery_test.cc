// SPDX-License-Identifier: Apache-2.0
// Records of dynamic shapes have nodes of torch's own passes, whose frames are not the user's:
// lines inside helpers are found again all the same.
#include "core/formats/etrecord/zip_archive.h"
#include "core/workspace/load.h"
#include "test_paths.h"
#include "tests/support/corpus.h"
#include "tests/support/memory_file_system.h"
#include "tests/support/record_builder.h"

namespace etlens::dynamic_recovery_test {

using namespace etlens::test;
using nlohmann::json;

namespace {

const std::string kFolder = ETLENS_TEST_DATA "/release-1.5/mlp-portable-fp32";
constexpr std::string_view kProgram = "edge_dialect_exported_program/forward";

// The record with a node more, as torch's pass for runtime asserts inserts it.
std::string with_size_node(const std::string& file) {
  Result<ZipArchive> archive = ZipArchive::open(real_file_system(), kFolder + "/model.etrecord");
  REQUIRE(archive);
  ZipBuilder zip;
  for (const ZipMember& member : archive->members()) {
    const Result<Bytes> bytes = archive->read(member);
    REQUIRE(bytes);
    std::string content(bytes->text());
    if (member.name == kProgram) {
      json program = json::parse(content);
      json& nodes = program["graph_module"]["graph"]["nodes"];
      json node = nodes.front();
      node["name"] = "sym_size";
      node["target"] = "torch.ops.aten.sym_size.int";
      node["inputs"] = json::array();
      node["outputs"] = json::array();
      node["metadata"] = {
          {"stack_trace", "File \"" + file + "\", line 24, in insert_deferred_runtime_asserts"},
          {"debug_handle", "9999"}};
      nodes.insert(nodes.begin(), node);
      content = program.dump();
    }
    zip.add(member.name, std::move(content));
  }
  return std::string(zip.build().text());
}

uint64_t recovered(const std::string& record) {
  MemoryFileSystem files;
  files.put("/w/model.etdp", read_file(kFolder + "/run10.etdp"));
  files.put("/w/model.etrecord", record);
  files.put("/w/mlp.py", read_file(ETLENS_TEST_DATA "/models/mlp.py"));
  LoadRequest request;
  request.etdump = "/w/model.etdp";
  request.etrecord = "/w/model.etrecord";
  request.roots = {"/w"};
  const auto study = load_study(files, request);
  if (!study) FAIL(study.error().message);
  const ReportRow* row = (*study)->report.find(Oddity::RecordLinesRecovered);
  return row == nullptr ? 0 : row->count;
}

}  // namespace

TEST_CASE("recovery: frames of torch's own passes are no helper's", "[recover]") {
  const uint64_t plain = recovered(read_file(kFolder + "/model.etrecord"));
  REQUIRE(plain > 0);
  CHECK(recovered(with_size_node("torch/fx/passes/runtime_assert.py")) == plain);
  CHECK(recovered(with_size_node("/v/site-packages/torch/fx/passes/runtime_assert.py")) == plain);
  // A helper of the user's was kept, so nothing was lost.
  CHECK(recovered(with_size_node("/home/dev/passes/runtime_assert.py")) == 0);
}

}  // namespace etlens::dynamic_recovery_test
