// SPDX-License-Identifier: Apache-2.0
// A workspace with an export that has not run: lines say what is delegated, until a dump appears.
#include <catch2/catch.hpp>

#include "test_paths.h"
#include "tests/support/language_client.h"
#include "tests/support/server_workspace.h"

namespace etlens::export_study_test {

using namespace etlens::test;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

const std::string kPricer = ETLENS_EXAMPLES "/pricer/";

void copy(MemoryFileSystem& files, const std::string& name) {
  const Result<Bytes> bytes = real_file_system().read(kPricer + name);
  if (!bytes) FAIL(bytes.error().message);
  files.put("/work/" + name, *bytes);
}

struct Exported {
  MemoryFileSystem files;
  std::unique_ptr<LanguageClient> client;

  Exported() {
    for (const char* name : {"model.etrecord", "model.pte", "model.py", "features.py"})
      copy(files, name);
    client = std::make_unique<LanguageClient>(files);
    client->initialize();
  }

  void change(const std::string& name) {
    client->notify("workspace/didChangeWatchedFiles",
                   {{"changes", {{{"uri", "file:///work/" + name}, {"type", 2}}}}});
    client->advance(20'000);
  }
};

}  // namespace

TEST_CASE("an export: hints, hovers, lenses and views answer without a dump", "[server]") {
  Exported shown;
  LanguageClient& client = *shown.client;
  const json status = client.request("etlens/status");
  CHECK(status["state"] == "ready");
  CHECK_THAT(status["message"].get<std::string>(),
             StartsWith("model.pte: not run yet · 44 operators, none delegated"));
  CHECK(status["measure"] == "operators");
  CHECK(status["profile"]["etdump"] == "");
  CHECK_THAT(status["profile"]["headline"].get<std::string>(), StartsWith("not run yet · "));
  const std::map<int, std::string> hints = client.hints("/work/model.py");
  REQUIRE(hints.contains(20));
  CHECK(hints.at(20) == "CPU · 104 kB");
  CHECK(hints.at(35) == "Σ 16 operators on the CPU · 14.1 kB");
  const json hover =
      client.request("textDocument/hover", {{"textDocument", {{"uri", "file:///work/model.py"}}},
                                            {"position", {{"line", 20}, {"character", 4}}}});
  CHECK_THAT(hover["contents"]["value"].get<std::string>(), Contains("operators on the CPU"));
  const json lenses = client.request("textDocument/codeLens",
                                     {{"textDocument", {{"uri", "file:///work/model.py"}}}});
  CHECK_THAT(lenses.dump(), Contains("operators on the CPU"));
  CHECK(client.request("etlens/modules")["modules"].size() > 1);
  CHECK(client.request("etlens/partitions").contains("partitions"));
  CHECK(client.request("etlens/memory")["why"] == "");
  CHECK(client.request("etlens/size")["why"] == "");
  CHECK_THAT(client.request("etlens/edgeProgram").dump(), Contains("CPU"));
  CHECK(client.request("etlens/advice").contains("advice"));
  const json costs =
      client.request("etlens/lineCosts", {{"textDocument", {{"uri", "file:///work/model.py"}}}});
  REQUIRE(costs["lines"].size() > 3);
  for (const json& line : costs["lines"]) CHECK(line["heat"] == 0);  // a count is no heat
}

TEST_CASE("an export: times take its place when a dump appears, and stay when it goes",
          "[server]") {
  Exported shown;
  CHECK(shown.client->hints("/work/model.py").at(20) == "CPU · 104 kB");
  copy(shown.files, "model.etdp");
  shown.change("model.etdp");
  CHECK(shown.client->request("etlens/status")["measure"] == "time");
  CHECK_THAT(shown.client->hints("/work/model.py").at(20), Contains("s "));
  shown.files.remove("/work/model.etdp");
  shown.change("model.etdp");
  CHECK_THAT(shown.client->request("etlens/status")["message"].get<std::string>(),
             Contains("is gone; its last numbers stay"));
  CHECK(shown.client->request("etlens/status")["measure"] == "time");
}

TEST_CASE("an export: a damaged one leaves the last state", "[server]") {
  Exported shown;
  shown.files.put("/work/model.etrecord", "PK\x03\x04 nothing");
  shown.change("model.etrecord");
  const json status = shown.client->request("etlens/status");
  CHECK_THAT(status["message"].get<std::string>(), Contains("model.etrecord"));
  CHECK(status.contains("profile"));
}

TEST_CASE("an export: a record that is damaged from the start is named, and the program shown",
          "[server]") {
  MemoryFileSystem files;
  copy(files, "model.pte");
  const Result<Bytes> record = real_file_system().read(kPricer + "model.etrecord");
  REQUIRE(record);
  files.put("/work/model.etrecord",
            std::string(record->text().substr(0, record->text().size() * 3 / 4)));
  LanguageClient client(files);
  client.initialize();
  const json status = client.request("etlens/status");
  CHECK(status["state"] == "ready");
  CHECK_THAT(status["message"].get<std::string>(), Contains("model.etrecord"));
  CHECK_THAT(status["profile"]["pte"].get<std::string>(), Contains("model.pte"));
}

}  // namespace etlens::export_study_test
