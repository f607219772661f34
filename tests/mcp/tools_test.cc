// SPDX-License-Identifier: Apache-2.0
// What tools answer: the facts, in the room that was given, from files that are read once.
#include <catch2/catch.hpp>
#include <chrono>

#include "core/formats/file_kind.h"
#include "mcp/tools/study_tool.h"
#include "tests/support/agent.h"
#include "tests/support/dump_builder.h"
#include "tests/support/record_builder.h"
#include "tests/support/server_workspace.h"
#include "tests/support/unseen.h"

namespace etlens::tools_test {

using namespace etlens::test;
using nlohmann::json;

namespace {

// Counts what is read of the dump.
class CountingFiles final : public FileSystem {
 public:
  explicit CountingFiles(const FileSystem& files) : files_(files) {}

  Result<FileStamp> stat(std::string_view path) const override { return files_.stat(path); }
  Result<Bytes> read(std::string_view path) const override {
    return read_range(path, 0, UINT64_MAX);
  }
  Result<Bytes> read_range(std::string_view path, uint64_t offset, uint64_t size) const override {
    if (path == kDumpPath && size > kKindBytes) ++reads;  // more than to know what it is
    return files_.read_range(path, offset, size);
  }
  Result<std::vector<DirectoryEntry>> list(std::string_view folder) const override {
    return files_.list(folder);
  }

  mutable int reads = 0;

 private:
  const FileSystem& files_;
};

json answer_of(const json& result) {
  INFO(result.dump());
  REQUIRE(result.at("isError") == false);
  const json& answer = result.at("structuredContent");
  CHECK(json::parse(result.at("content").at(0).at("text").get<std::string>()) == answer);
  return answer;
}

}  // namespace

TEST_CASE("mcp: the hot lines are those of the editor, the most costly first", "[mcp]") {
  const MemoryFileSystem files = model_workspace();
  Agent agent(files);
  agent.initialize();
  const json answer = answer_of(agent.call("hot_lines"));
  CHECK(answer["measured"]["unit"] == "ms");
  CHECK(answer["left_out"].empty());
  const json& lines = answer["lines"];
  REQUIRE(lines.size() >= 3);
  // 30 and 25 µs in the two blocks, each half a step of XNNPACK's clock longer.
  CHECK(lines[0]["place"]["path"] == kModelPath);
  CHECK(lines[0]["place"]["line"] == kUpCallLine + 1);
  CHECK(lines[0]["self"] == Approx(0.056));
  CHECK(lines[0]["ops"].size() == 2);
  for (size_t i = 1; i < lines.size(); ++i)
    CHECK(lines[i]["self"].get<double>() <= lines[i - 1]["self"].get<double>());
  const json page = answer_of(agent.call("hot_lines", {{"offset", 1}, {"limit", 1}}));
  REQUIRE(page["lines"].size() == 1);
  CHECK(page["lines"][0] == lines[1]);
  CHECK(page["left_out"][0]["count"] == lines.size() - 2);
}

TEST_CASE("mcp: a line is explained where it stands now", "[mcp]") {
  MemoryFileSystem files = model_workspace();
  Agent agent(files);
  agent.initialize();
  const json arguments{{"path", "model.py"}, {"line", kTopkLine + 1}};
  const json answer = answer_of(agent.call("explain_line", arguments));
  CHECK(answer["anchor"] == "exact");
  CHECK(answer["confidence"] == "exact");
  CHECK(answer["ops"][0]["op"] == "aten.topk.default");
  CHECK(answer["ops"][0]["where"] == "CPU");
  CHECK_THAT(answer["explanation"].get<std::string>(), Catch::Contains("9.00 µs self"));

  files.put(kModelPath, "# a line more\n" + model_source());
  const json moved =
      answer_of(agent.call("explain_line", {{"path", "/work/model.py"}, {"line", kTopkLine + 2}}));
  CHECK(moved["anchor"] == "moved");
  CHECK(moved["self"] == answer["self"]);
  const json nothing = agent.call("explain_line", {{"path", "model.py"}, {"line", 1}});
  CHECK(nothing["isError"] == true);
}

TEST_CASE("mcp: answers keep to the room that they are given, and say what is missing", "[mcp]") {
  const MemoryFileSystem files = model_workspace();
  Agent agent(files);
  agent.initialize();
  const std::map<std::string, json> calls{
      {"check", json::object()},
      {"profile_summary", json::object()},
      {"advise", json::object()},
      {"hot_lines", json::object()},
      {"modules", json::object()},
      {"explain_line", {{"path", "model.py"}, {"line", kUpCallLine + 1}}},
      {"compare", {{"base", "model.etdp"}, {"new", {"model.etdp"}}}}};
  for (const auto& [tool, given] : calls) {
    INFO(tool);
    json arguments = given;
    const std::string whole = answer_of(agent.call(tool, arguments)).dump();
    CHECK(whole.size() <= 8000);
    arguments["max_bytes"] = whole.size() - 1;
    const json cut = agent.call(tool, arguments);
    if (cut["isError"] == true) continue;  // it has no list that could be shorter
    CHECK(cut["content"][0]["text"].get<std::string>().size() < whole.size());
    CHECK_FALSE(cut["structuredContent"]["left_out"].empty());
  }
}

TEST_CASE("mcp: a study is read once, and again when its dump is another", "[mcp]") {
  MemoryFileSystem files = model_workspace();
  const CountingFiles counting(files);
  Agent agent(counting);
  agent.initialize();
  const json before = answer_of(agent.call("profile_summary"));
  const int once = counting.reads;
  CHECK(once > 0);
  answer_of(agent.call("hot_lines"));
  answer_of(agent.call("advise"));
  CHECK(counting.reads == once);
  files.put(kDumpPath, model_dump(2));
  const json after = answer_of(agent.call("profile_summary"));
  CHECK(counting.reads > once);
  CHECK(after["measured"]["total"].get<double>() ==
        Approx(2 * before["measured"]["total"].get<double>()).epsilon(0.001));
}

TEST_CASE("mcp: sides are compared, and what is no side is said", "[mcp]") {
  MemoryFileSystem files = model_workspace();
  files.put("/work/before/model.etdp", model_dump(std::vector<ModelRun>(6, {1, 9'000})));
  files.put("/work/before/model.etrecord", model_record());
  files.put(kDumpPath, model_dump(std::vector<ModelRun>(6, {1, 27'000})));
  Agent agent(files);
  agent.initialize();
  const json answer = answer_of(agent.call("compare", {{"base", {"before"}}}));
  CHECK(answer["base_dumps"] == 1);
  CHECK(answer["new_dumps"] == 1);
  REQUIRE_FALSE(answer["changes"].empty());
  CHECK(answer["changes"][0]["verdict"] == "slower");
  CHECK(answer["changes"][0]["before"].get<double>() == Approx(0.009));
  CHECK(answer["changes"][0]["after"].get<double>() == Approx(0.027));
  for (const char* base : {"nowhere", "/elsewhere/model.etdp", "before/model.etrecord"}) {
    INFO(base);
    CHECK(agent.call("compare", {{"base", {base}}})["isError"] == true);
  }
}

TEST_CASE("mcp: what was found out of a study is found out once", "[mcp]") {
  const MemoryFileSystem files = model_workspace();
  mcp::Workspace workspace(
      files, {"/work"},
      mcp::RootAccess{[](std::string_view path) { return std::string(path); }, nullptr},
      [] { return std::chrono::milliseconds(); });
  const auto study = workspace.study({}, {});
  REQUIRE(study);
  CHECK((*study)->facts.empty());
  const Result<mcp::Arguments> none = mcp::Arguments::read(json::object(), {});
  REQUIRE(none);
  const auto first = mcp::ask(*none, workspace, {});
  REQUIRE(first);
  const auto second = mcp::ask(*none, workspace, {});
  REQUIRE(second);
  CHECK(&(*first)->facts == &(*second)->facts);
  CHECK(&(*first)->kept->ranking == &(*second)->kept->ranking);
}

TEST_CASE("mcp: a source that was moved is found again", "[mcp]") {
  MemoryFileSystem files = model_workspace();
  Agent agent(files);
  agent.initialize();
  CHECK(answer_of(agent.call("hot_lines"))["lines"][0]["place"]["path"] == kModelPath);
  files.remove(kModelPath);
  files.put("/work/src/model.py", model_source());
  const json moved = answer_of(agent.call("hot_lines"));
  CHECK(moved["lines"][0]["place"]["path"] == "/work/src/model.py");
  CHECK(moved["lines"][0]["place"]["line"] == kUpCallLine + 1);
}

TEST_CASE("mcp: a source that was missing is found when it is there", "[mcp]") {
  MemoryFileSystem files = model_workspace();
  files.remove(kModelPath);
  Agent agent(files);
  agent.initialize();
  CHECK_FALSE(answer_of(agent.call("hot_lines"))["lines"][0]["place"]["path"] == kModelPath);
  files.put(kModelPath, model_source());
  CHECK(answer_of(agent.call("hot_lines"))["lines"][0]["place"]["path"] == kModelPath);
}

TEST_CASE("mcp: a model never reads what no person sees, and names that it read find files",
          "[mcp]") {
  MemoryFileSystem files;
  const std::string source = "/work/m" + kUnseen + ".py";
  const std::string dump_path = "/work/d\u200B\U000E0041.etdp";
  RecordBuilder record;
  record.node({"a" + kUnseen, "aten.add" + kUnseen, 1,
               stack_trace({{source, 2, "forward", "x = x + 1  # " + kUnseen}}),
               "k,L['self'].a" + kUnseen + ",T" + kUnseen});
  record.map(0, {1});
  DumpBuilder dump;
  dump.block("Execute").operator_call("add" + kUnseen, 0, 10, 20);
  dump.framework("Method::execute", 0, 50);
  files.put(source, "def forward(x):\n  x = x + 1  # " + kUnseen + "\n");
  files.put(dump_path, dump.build());
  files.put("/work/r" + kUnseen + ".etrecord", record.build());
  Agent agent(files);
  agent.initialize();
  for (const char* tool : {"check", "profile_summary", "advise", "hot_lines", "modules",
                           "memory_peak", "numeric_errors", "compare"}) {
    CAPTURE(tool);
    const json result = agent.call(tool, {{"max_bytes", 100'000}});
    CHECK_FALSE(holds_unseen_in(result));
  }
  // Errors repeat what was asked for.
  CHECK_FALSE(holds_unseen_in(agent.call("hot_lines", {{"etdump", kUnseen}})));
  CHECK_FALSE(holds_unseen_in(agent.call(kUnseen)));
  const json lines = answer_of(agent.call("hot_lines"));
  const std::string place = lines["lines"][0]["place"]["path"].get<std::string>();
  CHECK(place == shown_text(source));
  CHECK(lines["lines"][0]["place"]["text"] == shown_text("x = x + 1  # " + kUnseen));
  const json arguments{{"path", place}, {"line", 2}, {"etdump", lines["measured"]["etdump"]}};
  const json line = answer_of(agent.call("explain_line", arguments));
  CHECK_FALSE(holds_unseen_in(line));
  CHECK(line["measured"]["etdump"] == "/work/d<U+200B><U+E0041>.etdp");
}

TEST_CASE("mcp: tools say what they take and give, and that they only read", "[mcp]") {
  const MemoryFileSystem files = model_workspace();
  Agent agent(files);
  agent.initialize();
  const json list = agent.request("tools/list")["result"];
  for (const json& tool : list["tools"]) {
    INFO(tool["name"]);
    CHECK(tool["annotations"]["readOnlyHint"] == true);
    CHECK(tool["inputSchema"]["type"] == "object");
    CHECK(tool["inputSchema"]["additionalProperties"] == false);
    CHECK(tool["outputSchema"]["type"] == "object");
    CHECK(tool["outputSchema"]["properties"].contains("left_out"));
    CHECK_FALSE(tool["description"].get<std::string>().empty());
  }
}

}  // namespace etlens::tools_test
