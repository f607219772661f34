// SPDX-License-Identifier: Apache-2.0
// What people have beside a model, as an agent meets it.
#include <catch2/catch.hpp>

#include "core/base/text.h"
#include "tests/support/agent.h"
#include "tests/support/dump_builder.h"
#include "tests/support/program_builder.h"
#include "tests/support/record_builder.h"
#include "tests/support/server_workspace.h"

namespace etlens::field_test {

using namespace etlens::test;
using nlohmann::json;

namespace {

json answer_of(const json& result) {
  INFO(result.dump());
  REQUIRE(result.at("isError") == false);
  return result.at("structuredContent");
}

bool mentions(const json& notes, const std::string& part) {
  CAPTURE(notes.dump(), part);
  return std::any_of(notes.begin(), notes.end(), [&](const json& note) {
    return note.get<std::string>().find(part) != std::string::npos;
  });
}

}  // namespace

TEST_CASE("mcp: an unusable record leaves the dump's numbers, and a note", "[mcp]") {
  MemoryFileSystem files = model_workspace();
  files.put(kRecordPath, ZipBuilder().add("ETRECORD_V0", "").build());
  Agent agent(files);
  agent.initialize();
  const json lines = answer_of(agent.call("hot_lines"));
  CHECK(mentions(lines["notes"], "the record is left out"));
  const json check = answer_of(agent.call("check"));
  CHECK_FALSE(check.contains("error"));
  CHECK_FALSE(check.contains("etrecord"));
  CHECK(check["measured"].is_object());
}

TEST_CASE("mcp: what else the dump holds is named with the argument that shows it", "[mcp]") {
  MemoryFileSystem files;
  DumpBuilder dump;
  for (int r = 0; r < 2; ++r) {
    dump.block("Execute").operator_call("mul.out", 0, 10, 20).framework("Method::execute", 0, 30);
    dump.block("Execute").operator_call("add.out", 0, 40, 60).framework("Method::execute", 30, 70);
  }
  files.put(kDumpPath, dump.build());
  Agent agent(files);
  agent.initialize();
  const std::string also = answer_of(agent.call("profile_summary"))["also"];
  CAPTURE(also);
  REQUIRE(also.ends_with(" (block: \"Execute #2\")"));
  const json other = answer_of(agent.call("profile_summary", {{"block", "Execute #2"}}));
  CHECK(other["also"].get<std::string>().ends_with(" (block: \"Execute\")"));
}

TEST_CASE("mcp: executions alone, and executions that broke off", "[mcp]") {
  MemoryFileSystem files = model_workspace();
  DumpBuilder alone;
  alone.block("Execute").framework("Method::execute", 0, 30'000);
  files.put(kDumpPath, alone.build());
  Agent agent(files);
  agent.initialize();
  const json check = answer_of(agent.call("check"));
  CHECK(check["pair"]["verdict"] == "unknown");
  CHECK(mentions(answer_of(agent.call("hot_lines"))["notes"], "kProfileMethodOnly"));
  DumpBuilder broken;
  broken.block("Execute").operator_call("add.out", 0, 10, 20);
  files.put(kDumpPath, broken.build());
  const json result = agent.call("hot_lines");
  CHECK(result.dump().find("broke off") != std::string::npos);
  CHECK(result.dump().find("EXECUTORCH_") == std::string::npos);
}

TEST_CASE("mcp: a dump in a log that is named, and a bundled program", "[mcp]") {
  MemoryFileSystem files = model_workspace();
  files.put("/work/console.log", "start\n" + base64_encode(model_dump().text()) + "\nend\n");
  files.put("/work/m.bpte",
            bundled(ProgramBuilder()
                        .method("forward", {{'k', "aten::neg.out", 0, "", {0, 1, 1}}},
                                {.values = {{'t', {64}, 1, 0}, {'t', {64}, 1, 256}},
                                 .inputs = {0},
                                 .outputs = {1},
                                 .buffer_sizes = {0, 1024}})
                        .build()));
  Agent agent(files);
  agent.initialize();
  const json lines = answer_of(agent.call("hot_lines", {{"etdump", "console.log"}}));
  CHECK_FALSE(lines["lines"].empty());
  CHECK(mentions(lines["notes"], "base64"));
  CHECK(answer_of(agent.call("memory_peak"))["pte"] == "/work/m.bpte");
}

}  // namespace etlens::field_test
