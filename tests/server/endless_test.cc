// SPDX-License-Identifier: Apache-2.0
// Loads and looks at sources that do not end are given up, with a sentence. (ThreadSanitizer keeps
// signals back from a thread that calls nothing: scripts/check leaves out [endless] there.)
#include <catch2/catch.hpp>

#include "tests/support/endless_files.h"
#include "tests/support/language_client.h"
#include "tests/support/server_workspace.h"

namespace etlens::endless_test {

using namespace etlens::test;

namespace {

constexpr Delay kPatience(300);
constexpr int kSettled = 3000;

}  // namespace

TEST_CASE("a load that does not end is given up with a sentence, and the next one is shown",
          "[server][thread][endless]") {
  MemoryFileSystem memory = model_workspace();
  EndlessFiles files(memory, kDumpPath);
  files.is_endless = false;
  LanguageClient client(files);
  client.loop().set_patience(kPatience);
  client.initialize();
  client.open(kModelPath, model_source());
  client.advance(kSettled);
  const std::map<int, std::string> before = client.hints(kModelPath);
  REQUIRE(before.size() == 10);
  files.is_endless = true;
  memory.put(kDumpPath, model_dump(3));
  client.advance(kSettled);
  const json status = client.request("etlens/status");
  CHECK(status["state"] == "failed");
  CHECK_THAT(status["message"].get<std::string>(),
             Catch::StartsWith("/work/model.etdp was given up: reading it does not end"));
  CHECK(client.hints(kModelPath) == before);  // the last good state
  files.is_endless = false;
  memory.put(kDumpPath, model_dump(2));
  client.advance(kSettled);
  CHECK(client.request("etlens/status")["state"] == "ready");
  CHECK(client.hints(kModelPath) != before);
  CHECK(client.finish() == 0);
}

TEST_CASE("a source that cannot be looked at is given up, and others are looked at",
          "[server][thread][endless]") {
  MemoryFileSystem memory = model_workspace();
  EndlessFiles files(memory, kModelPath);
  files.is_endless = false;
  Timing timing;
  timing.at_once = std::chrono::nanoseconds(0);
  LanguageClient client(files, timing);
  client.loop().set_patience(kPatience);
  client.initialize();
  client.advance(kSettled);
  REQUIRE(client.request_list("etlens/hotLines", "lines").size() == 4);
  files.is_endless = true;
  memory.put(kModelPath, "# edited elsewhere\n" + model_source());
  client.request("etlens/hotLines");
  client.advance(kSettled);
  CHECK(client.request("etlens/status")["state"] == "ready");
  // An editor brings the text itself.
  client.open(kModelPath, "# edited here\n" + model_source());
  client.advance(kSettled);
  CHECK(client.hints(kModelPath).size() == 10);
}

}  // namespace etlens::endless_test
