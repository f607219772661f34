// SPDX-License-Identifier: Apache-2.0
// How an agent has files read: where recorded sources are, which lines time stands on, and that no
// way to say so leads out of the roots.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "mcp/tool.h"
#include "mcp/workspace.h"
#include "test_paths.h"
#include "tests/support/agent.h"
#include "tests/support/corpus.h"
#include "tests/support/dump_builder.h"
#include "tests/support/record_builder.h"
#include "tests/support/server_workspace.h"

namespace etlens::wish_test {

using namespace etlens::test;
using nlohmann::json;

namespace {

namespace fs = std::filesystem;

const std::string kCase = ETLENS_TEST_DATA "/helpers/ropeformer";
constexpr const char* kHelperLine = "g = self.gate_proj(x)";

// Dump and record in /work; its sources, recorded below /home/user, in each of `folders`.
MemoryFileSystem workspace(const std::vector<std::string>& folders) {
  MemoryFileSystem files;
  files.put(kDumpPath, read_file(kCase + "/run10.etdp.gz"));
  files.put(kRecordPath, read_file(kCase + "/model.etrecord"));
  for (const std::string& folder : folders) {
    for (const auto& entry : fs::directory_iterator(kCase + "/sources/ropeformer"))
      files.put(folder + "/ropeformer/" + entry.path().filename().string(),
                read_file(entry.path()));
  }
  return files;
}

json answer_of(const json& result) {
  INFO(result.dump());
  REQUIRE(result.at("isError") == false);
  return result.at("structuredContent");
}

std::string refusal(Agent& agent, const std::string& tool, const json& arguments) {
  const json result = agent.call(tool, arguments);
  INFO(result.dump());
  REQUIRE(result.at("isError") == true);
  return result.at("content").at(0).at("text");
}

json all_lines(Agent& agent, json arguments) {
  arguments["limit"] = 100;
  arguments["max_bytes"] = 100'000;
  return answer_of(agent.call("hot_lines", arguments))["lines"];
}

bool has_line(const json& lines, const std::string& text) {
  return std::any_of(lines.begin(), lines.end(),
                     [&](const json& row) { return row["place"].value("text", "") == text; });
}

}  // namespace

TEST_CASE("mcp: a path mapping says which of two copies the sources are", "[mcp][wish]") {
  const MemoryFileSystem files = workspace({"/work/a", "/work/b"});
  Agent agent(files);
  agent.initialize();
  // Between two that fit equally well nothing is guessed.
  CHECK_FALSE(all_lines(agent, json::object())[0]["place"].contains("path"));
  for (const char* mapping : {"/home/user=b", "/home/user=/work/b", "/home/user=./a/../b"}) {
    INFO(mapping);
    const json lines = all_lines(agent, {{"path_map", mapping}});
    CHECK_THAT(lines[0]["place"]["path"].get<std::string>(), Catch::StartsWith("/work/b/"));
    CHECK(has_line(lines, kHelperLine));
  }
  // The first that has the file wins.
  const json lines = all_lines(agent, {{"path_map", {"/home=/work", "/home/user=a"}}});
  CHECK_THAT(lines[0]["place"]["path"].get<std::string>(), Catch::StartsWith("/work/a/"));
  for (const char* wrong : {"", "=b", "/home/user", "/home/user="})
    CHECK_THAT(refusal(agent, "hot_lines", {{"path_map", wrong}}), Catch::Contains("FROM=TO"));
}

TEST_CASE("mcp: no path mapping leads out of the roots", "[mcp][wish]") {
  const MemoryFileSystem files = workspace({"/elsewhere"});
  Agent agent(files);
  agent.initialize();
  for (const mcp::Tool& tool : mcp::tools()) {
    const bool takes_it =
        std::any_of(tool.arguments.begin(), tool.arguments.end(),
                    [](const auto& row) { return std::string_view(row.name) == "path_map"; });
    INFO(tool.name);
    CHECK(takes_it);
    for (const char* to :
         {"/elsewhere", "../elsewhere", "/work/../elsewhere", "/", "//host/share"}) {
      json arguments{{"path_map", {std::string("/home/user=") + to}}};
      for (const mcp::ArgumentRow& row : tool.arguments) {
        if (row.is_required && row.type == mcp::ArgumentType::Count) arguments[row.name] = 1;
        else if (row.is_required) arguments[row.name] = "model.etdp";
      }
      INFO(to);
      CHECK_THAT(refusal(agent, tool.name, arguments), Catch::Contains("is not in the workspace"));
    }
  }
  CHECK_THAT(refusal(agent, "hot_lines", {{"path_map", "/home/user=nowhere"}}),
             Catch::Contains("nowhere"));
  CHECK_FALSE(has_line(all_lines(agent, json::object()), kHelperLine));
}

TEST_CASE("mcp: a recorded path does not climb out of where it is mapped to", "[mcp][wish]") {
  const std::string secret = "SECRET = 1";
  for (const std::string recorded : {"/x/../../elsewhere/secret.py", "/x/../elsewhere/secret.py"}) {
    MemoryFileSystem files;
    files.put("/elsewhere/secret.py", secret + "\n");
    RecordBuilder record;
    record
        .node({"a",
               "aten.add.Tensor",
               1,
               stack_trace({{recorded, 1, "forward", "y = x + 1"}}),
               "",
               {}})
        .map(0, {1});
    DumpBuilder dump;
    dump.block("Execute").operator_call("add.out", 0, 10, 20).framework("Method::execute", 0, 30);
    files.put(kDumpPath, dump.build());
    files.put(kRecordPath, record.build());
    Agent agent(files);
    agent.initialize();
    for (const char* to : {"/work", "."}) {
      const json result = agent.call("hot_lines", {{"path_map", std::string("/x=") + to}});
      INFO(result.dump());
      CHECK(result["isError"] == false);
      CHECK(result.dump().find(secret) == std::string::npos);
      CHECK(result.dump().find("\"path\":\"/elsewhere") == std::string::npos);
    }
  }
}

TEST_CASE("mcp: a link is no way out for a path mapping", "[mcp][wish]") {
  const fs::path top = fs::temp_directory_path() / ("etlens_wish_" + std::to_string(::getpid()));
  fs::remove_all(top);
  fs::create_directories(top / "root");
  fs::copy(kCase + "/sources", top / "outside", fs::copy_options::recursive);
  const std::string dump = read_file(kCase + "/run10.etdp.gz");
  std::ofstream(top / "root/model.etdp", std::ios::binary) << dump;
  fs::copy_file(kCase + "/model.etrecord", top / "root/model.etrecord");
  fs::create_symlink(top / "outside", top / "root/out");
  fs::create_directories(top / "root/in");
  fs::create_symlink(top / "outside/ropeformer", top / "root/in/ropeformer");
  mcp::Workspace workspace(real_file_system(), {(top / "root").string()}, mcp::RootAccess(),
                           [] { return std::chrono::milliseconds(); });
  StudyWish wish;
  wish.path_mappings = {{"/home/user", "out"}};
  const auto refused = workspace.study(wish, CancelToken());
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == ErrorCode::NotFound);
  // The folder is inside, and what is recorded below it leads out.
  wish.path_mappings = {{"/home/user", "in"}};
  const auto study = workspace.study(wish, CancelToken());
  REQUIRE(study);
  for (const SourceLocation& source : (*study)->study->sources) CHECK(source.path.empty());
  CHECK((*study)->study->recovery == nullptr);
  fs::remove_all(top);
}

TEST_CASE("mcp: time stands on lines of helpers, unless they are not wanted", "[mcp][wish]") {
  const MemoryFileSystem files = workspace({"/work/net"});
  Agent agent(files);
  agent.initialize();
  CHECK(has_line(all_lines(agent, json::object()), kHelperLine));
  const json on_forward = all_lines(agent, {{"recover", false}});
  CHECK_FALSE(has_line(on_forward, kHelperLine));
  CHECK_FALSE(on_forward.empty());
  CHECK(has_line(all_lines(agent, {{"recover", true}}), kHelperLine));
  CHECK_THAT(refusal(agent, "hot_lines", {{"recover", "no"}}),
             Catch::Contains("recover is not true or false"));

  CHECK_THAT(refusal(agent, "compare", {{"base", "model.etdp"}, {"executions", "1-99"}}),
             Catch::Contains("execution"));
  CHECK(agent.call("compare", {{"base", "model.etdp"}, {"executions", "1-5"}})["isError"] == false);
  CHECK_THAT(refusal(agent, "hot_lines", {{"warmup", 99}}),
             Catch::Contains("the first 99 are left"));
  CHECK_FALSE(all_lines(agent, {{"warmup", 1}}).empty());
}

TEST_CASE("mcp: both sides of a comparison are read as it was asked for", "[mcp][wish]") {
  const MemoryFileSystem files = workspace({"/work/a", "/work/b"});
  const mcp::RootAccess access{[](std::string_view path) { return std::string(path); }, nullptr};
  mcp::Workspace workspace(files, {"/work"}, access, [] { return std::chrono::milliseconds(); });
  const auto recovered_sides = [&](const StudyWish& wish) {
    const auto sides = workspace.comparison({"model.etdp"}, {"model.etdp"}, wish, CancelToken());
    if (!sides) FAIL(sides.error().message);
    const Comparison& comparison = sides->comparison;
    CHECK_FALSE(sides->is_without_recovery);
    return int{has_recovered_lines(*comparison.before)} + has_recovered_lines(*comparison.after);
  };
  StudyWish wish;
  CHECK(recovered_sides(wish) == 0);  // either copy may be the source
  wish.path_mappings = {{"/home/user", "b"}};
  CHECK(recovered_sides(wish) == 2);
  wish.recovers = false;
  CHECK(recovered_sides(wish) == 0);
}

TEST_CASE("mcp: files that are library code, and the unit of the ticks", "[mcp][wish]") {
  const MemoryFileSystem files = model_workspace();
  Agent agent(files);
  agent.initialize();
  const auto total = [&](const json& arguments) {
    return answer_of(agent.call("profile_summary", arguments))["measured"]["total"].get<double>();
  };
  CHECK(total({{"source_time_scale", "us"}}) == Approx(1000 * total(json::object())).epsilon(0.01));
  CHECK_THAT(refusal(agent, "hot_lines", {{"source_time_scale", "hours"}}),
             Catch::Contains("there is no hours"));
  CHECK_FALSE(all_lines(agent, json::object()).empty());
  CHECK(all_lines(agent, {{"library_frames", "*model.py"}}).empty());
}

}  // namespace etlens::wish_test
