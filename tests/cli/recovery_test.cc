// SPDX-License-Identifier: Apache-2.0
// Lines inside helpers from end to end: an export that lost them, its sources, and their history.
#include <regex>

#include "tests/cli/sandbox.h"
#include "tests/support/corpus.h"
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

}  // namespace etlens::cli_recovery_test
