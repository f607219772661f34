// SPDX-License-Identifier: Apache-2.0
// What people have beside a model, as an editor meets it.
#include "core/base/text.h"
#include "tests/support/dump_builder.h"
#include "tests/support/language_client.h"
#include "tests/support/program_builder.h"
#include "tests/support/record_builder.h"
#include "tests/support/server_workspace.h"

namespace etlens::field_test {

using namespace etlens::test;

namespace {

std::vector<std::string> warnings_of(const json& status) {
  std::vector<std::string> ids;
  for (const json& row : status["warnings"]) ids.push_back(row["id"]);
  return ids;
}

bool has(const json& text, const std::string& part) {
  CAPTURE(text, part);
  return text.get<std::string>().find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("server: an unusable record leaves the dump's numbers", "[server]") {
  MemoryFileSystem files = model_workspace();
  files.put(kRecordPath, ZipBuilder().add("ETRECORD_V0", "").build());
  LanguageClient client(files);
  client.initialize();
  const json status = client.request("etlens/status");
  CHECK(status["state"] == "ready");
  CHECK(has(status["profile"]["record_problem"], kRecordPath));
  CHECK(client.request("etlens/events")["count"] > 0);
}

TEST_CASE("server: executions alone show their total and name the level", "[server]") {
  MemoryFileSystem files = model_workspace();
  DumpBuilder dump;
  for (int r = 0; r < 3; ++r)
    dump.block("Execute").framework("Method::execute", 0, 30'000 + static_cast<uint64_t>(r));
  files.put(kDumpPath, dump.build());
  LanguageClient client(files);
  client.initialize();
  const json status = client.request("etlens/status");
  CHECK(status["state"] == "ready");
  CHECK(status["profile"]["pair_verdict"] == "unknown");
  CHECK_FALSE(status["profile"].contains("record_problem"));
  const std::vector<std::string> ids = warnings_of(status);
  CHECK(std::find(ids.begin(), ids.end(), "dump-method-only") != ids.end());
}

TEST_CASE("server: executions that all broke off are no reason to rebuild", "[server]") {
  MemoryFileSystem files = model_workspace();
  DumpBuilder dump;
  dump.block("Execute").operator_call("add.out", 0, 10, 20);
  files.put(kDumpPath, dump.build());
  LanguageClient client(files);
  client.initialize();
  const json status = client.request("etlens/status");
  CHECK(status["state"] == "failed");
  CHECK(has(status["message"], "broke off"));
  CHECK_FALSE(has(status["message"], "EXECUTORCH_"));
}

TEST_CASE("server: size of the program inside a bundled one", "[server]") {
  MemoryFileSystem files;
  const std::string program = ProgramBuilder().method("forward", {{'k', "aten::neg.out"}}).build();
  files.put("/work/m.bpte", bundled(program));
  LanguageClient client(files);
  client.initialize();
  const json size = client.request("etlens/size");
  CHECK(size["pte"] == "/work/m.bpte");
  CHECK(size["file"]["value"] == program.size());
}

}  // namespace etlens::field_test
