// SPDX-License-Identifier: Apache-2.0
// Lines inside helpers from end to end: an export that lost them, its sources, and their history.
#include <regex>

#include "tests/cli/sandbox.h"
#include "tests/support/corpus.h"
#include "tests/support/dump_builder.h"
#include "tests/support/record_builder.h"
#include "tests/support/test_repository.h"

namespace etlens::cli_recovery_test {

using namespace etlens::test;
namespace fs = std::filesystem;

namespace {

void copy_example(Sandbox& sandbox) {
  for (const auto& entry : fs::directory_iterator(ETLENS_EXAMPLES "/int8net"))
    sandbox.put(entry.path().filename().string(), read_file(entry.path().string()));
}

}  // namespace

TEST_CASE("cli: a line of a helper is the hottest", "[cli][recovery]") {
  const Sandbox sandbox;
  const std::string example = ETLENS_EXAMPLES "/int8net";
  const Outcome found = sandbox.run("lines --top 1 " + example);
  CAPTURE(found.out, found.err);
  CHECK(found.status == 0);
  CHECK(found.out.find("functional.py:8") != std::string::npos);
  CHECK(found.out.find("recovered   return F.relu(conv(x))") != std::string::npos);
  const Outcome plain = sandbox.run("lines --no-recover " + example);
  CHECK(plain.status == 0);
  CHECK(plain.out.find("functional.py") == std::string::npos);
}

TEST_CASE("cli: edited sources are explained by the version that was exported", "[cli][recovery]") {
  Sandbox sandbox;
  copy_example(sandbox);
  const std::string model = read_file(ETLENS_EXAMPLES "/int8net/model.py");
  const std::string edited = "# A note.\n# And another.\n" + model;
  sandbox.put("model.py", edited);
  const Outcome unknown = sandbox.run("lines");
  CAPTURE(unknown.out, unknown.err);
  CHECK(unknown.out.find("recovered") == std::string::npos);  // nobody knows what was exported

  sandbox.put("model.py", model);
  TestRepository repository(sandbox.path());
  repository.commit_all();
  sandbox.put("model.py", edited);
  const Outcome known = sandbox.run("lines");
  CAPTURE(known.out, known.err);
  CHECK(known.out.find("functional.py:8") != std::string::npos);
  // As recorded, and two lines further down now.
  CHECK(std::regex_search(known.out, std::regex("model\\.py:18 +20 ")));
}

TEST_CASE("cli: a fleet has the lines of its dumps, if they are asked for", "[cli][recovery]") {
  Sandbox sandbox;
  for (const char* name : {"model.etdp", "model.etrecord"})
    sandbox.put(std::string("runs/") + name,
                read_file(ETLENS_EXAMPLES "/int8net/" + std::string(name)));
  for (const char* name : {"model.py", "functional.py", "__init__.py"})
    sandbox.put(std::string("src/int8net/") + name,
                read_file(ETLENS_EXAMPLES "/int8net/" + std::string(name)));
  const auto has_helper = [&](const std::string& arguments) {
    const Outcome outcome = sandbox.run(arguments, "runs");
    CAPTURE(arguments, outcome.err);
    REQUIRE(outcome.status == 0);
    return outcome.out.find("functional.py") != std::string::npos;
  };
  for (const std::string command : {"fleet --format json", "rows"}) {
    CHECK_FALSE(has_helper(command));
    CHECK_FALSE(has_helper(command + " --root ../src"));
    CHECK(has_helper(command + " --recover --root ../src"));
    CHECK(has_helper(command + " --recover --path-map /home/user=../src"));
    CHECK_FALSE(has_helper(command + " --recover"));  // no source is below the working folder
  }
  check_refused(sandbox.run("fleet --path-map nowhere", "runs"), {"--path-map nowhere is not FROM"},
                2);
  check_refused(sandbox.run("rows --root nowhere", "runs"), {"nowhere"});
}

TEST_CASE("cli: a program has its lines where a mapping leads", "[cli][recovery]") {
  Sandbox sandbox;
  for (const char* name : {"model.pte", "model.etrecord"})
    sandbox.put(std::string("runs/") + name,
                read_file(ETLENS_EXAMPLES "/int8net/" + std::string(name)));
  for (const char* name : {"model.py", "functional.py", "__init__.py"})
    sandbox.put(std::string("src/int8net/") + name,
                read_file(ETLENS_EXAMPLES "/int8net/" + std::string(name)));
  for (const std::string command : {"memory --format json", "size --format json"}) {
    const auto has_helper = [&](const std::string& arguments) {
      const Outcome outcome = sandbox.run(command + arguments, "runs");
      CAPTURE(command, arguments, outcome.err);
      REQUIRE(outcome.status == 0);
      return outcome.out.find("functional.py") != std::string::npos;
    };
    CHECK_FALSE(has_helper(""));
    CHECK(has_helper(" --root ../src"));
    CHECK(has_helper(" --path-map /home/user=../src"));
    CHECK_FALSE(has_helper(" --no-recover --root ../src"));
  }
}

TEST_CASE("cli: installed packages are found in the environment that is named", "[cli]") {
  Sandbox sandbox;
  RecordBuilder record;
  record
      .node({"a",
             "aten.add.Tensor",
             1,
             stack_trace(
                 {{"/x/lib/python3.10/site-packages/zoo/net.py", 2, "forward", "return x + 1"}}),
             "",
             {}})
      .map(0, {1});
  DumpBuilder dump;
  dump.block("Execute").operator_call("add.out", 0, 10, 20).framework("Method::execute", 0, 30);
  sandbox.put("run/model.etdp", dump.build().text());
  sandbox.put("run/model.etrecord", record.build().text());
  sandbox.put("env/pyvenv.cfg", "");
  const std::string source = sandbox.put("env/lib/python3.11/site-packages/zoo/net.py",
                                         "def forward(x):\n    return x + 1\n");
  const auto finds = [&](const std::string& arguments) {
    const Outcome outcome = sandbox.run("lines --format json" + arguments, "run");
    CAPTURE(arguments, outcome.err, outcome.out);
    REQUIRE(outcome.status == 0);
    return outcome.out.find(source) != std::string::npos;
  };
  CHECK_FALSE(finds(""));
  CHECK(finds(" --python-environment ../env"));
  check_refused(sandbox.run("lines --python-environment ../nowhere", "run"), {"nowhere"});
}

}  // namespace etlens::cli_recovery_test
