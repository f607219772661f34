// SPDX-License-Identifier: Apache-2.0
// What looks like an error and is none: an export that has not run yet, a dump that is being
// copied, a baseline that lacks its record. One calm sentence each.
#include <catch2/catch.hpp>

#include <chrono>

#include "test_paths.h"
#include "tests/support/corpus.h"
#include "tests/support/language_client.h"
#include "tests/support/server_workspace.h"

namespace etlens::waiting_test {

using namespace etlens::test;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

constexpr int kSettled = 1000;

int64_t now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

struct Waiting {
  MemoryFileSystem files;
  LanguageClient client{files};

  explicit Waiting(MemoryFileSystem start) : files(std::move(start)) {
    client.initialize();
    client.open(kModelPath, model_source());
    client.advance(kSettled);
  }
  void put(const std::string& path, std::string_view content) {
    files.put(path, content);
    client.notify("workspace/didChangeWatchedFiles",
                  {{"changes", {{{"uri", uri_of(path)}, {"type", 2}}}}});
    client.advance(kSettled);
  }
  void put(const std::string& path, const Bytes& content) { put(path, content.text()); }
  json status() { return client.request("etlens/status"); }
  std::vector<std::string> said() {
    std::vector<std::string> messages;
    for (const json& message : client.take("window/showMessage"))
      messages.push_back(message["params"]["message"]);
    return messages;
  }
};

}  // namespace

TEST_CASE("exported again, not run yet: the numbers stay, and nothing is wrong", "[server]") {
  Waiting shown(model_workspace());
  const std::map<int, std::string> hints = shown.client.hints(kModelPath);
  REQUIRE(hints.size() == 10);
  shown.put(kRecordPath, other_model_record());
  const json status = shown.status();
  CHECK(status["state"] == "ready");
  CHECK(status["waiting"] == "exported again, not run yet");
  CHECK(
      status["message"] ==
      "exported again, not run yet: the ETRecord is newer than model.etdp; run the model and save "
      "its ETDump, until then the numbers are of the run before");
  CHECK_THAT(status["details"].get<std::string>(), Contains("do not belong together"));
  CHECK(shown.client.hints(kModelPath) == hints);
  CHECK(shown.said().empty());
  // Neither time nor another look makes it worse.
  shown.client.advance(60'000);
  CHECK(shown.status()["waiting"] == status["waiting"]);
  // The run: numbers of the new model.
  shown.put(kDumpPath, other_model_dump());
  CHECK_FALSE(shown.status().contains("waiting"));
  CHECK_FALSE(shown.status().contains("details"));
  CHECK(shown.client.request("etlens/events")["count"] > 0);
  CHECK(shown.said().empty());
}

TEST_CASE("exported again, not run yet: also for a server that starts then", "[server]") {
  MemoryFileSystem files = model_workspace();
  files.put(kRecordPath, other_model_record());
  Waiting shown(std::move(files));
  const json status = shown.status();
  CHECK(status["state"] == "ready");
  CHECK(status["waiting"] == "exported again, not run yet");
  CHECK_THAT(status["message"].get<std::string>(),
             Contains("until then no time can be placed on lines"));
  CHECK_FALSE(status["profile"].contains("etrecord"));
  CHECK(shown.client.request("etlens/events")["count"] > 0);
  CHECK(shown.said().empty());
  // The record of the dump is there again.
  shown.put(kRecordPath, model_record());
  CHECK_FALSE(shown.status().contains("waiting"));
  CHECK(shown.client.hints(kModelPath).size() == 10);
}

TEST_CASE("what is wrong is still said as wrong", "[server]") {
  // A dump that is newer than the record, which it does not belong to.
  Waiting shown(model_workspace());
  shown.put(kDumpPath, other_model_dump());
  CHECK(shown.status()["state"] == "failed");
  CHECK_FALSE(shown.status().contains("waiting"));
  // A newer record that nobody can read.
  Waiting broken(model_workspace());
  broken.put(kRecordPath, "PK\x03\x04 nothing");
  CHECK_FALSE(broken.status().contains("waiting"));
}

TEST_CASE("a dump that is being copied is received, and no error", "[server]") {
  const std::string dump(read_file(ETLENS_EXAMPLES "/storyteller/model.etdp"));
  MemoryFileSystem files;
  files.put("/work/model.etrecord", read_file(ETLENS_EXAMPLES "/storyteller/model.etrecord"));
  const bool has_other = GENERATE(false, true);
  CAPTURE(has_other);
  if (has_other) files.put("/work/model.etdp", dump);
  files.set_clock(now_ns());
  Waiting shown(std::move(files));
  for (size_t part = 1; part < 8; ++part) {
    shown.put("/work/model.etdp", dump.substr(0, part * dump.size() / 8));
    const json status = shown.status();
    CHECK(status["state"] == "ready");  // without another dump the export is shown
    CHECK(status["waiting"] == "receiving model.etdp");
    CHECK_THAT(
        status["message"].get<std::string>(),
        StartsWith("receiving model.etdp: ") && Contains(" of " + std::to_string(dump.size())));
    CHECK(status["profile"]["etdump"].get<std::string>().empty() == !has_other);
  }
  CHECK(shown.said().empty());
  shown.put("/work/model.etdp", dump);
  CHECK(shown.status()["state"] == "ready");
  CHECK_FALSE(shown.status().contains("waiting"));
  CHECK(shown.status()["profile"]["on_lines"] > 0.9);
  CHECK(shown.said().empty());
}

TEST_CASE("a dump that stays cut off is said once", "[server]") {
  const std::string dump(read_file(ETLENS_EXAMPLES "/storyteller/model.etdp"));
  MemoryFileSystem files;
  files.set_clock(now_ns());
  Waiting shown(std::move(files));
  shown.put("/work/model.etdp", dump.substr(0, dump.size() / 2));
  CHECK(shown.said().empty());
  CHECK(shown.status()["waiting"] == "receiving model.etdp");
  shown.client.advance(30'000);
  CHECK(shown.status()["state"] == "failed");
  CHECK_FALSE(shown.status().contains("waiting"));
  const std::vector<std::string> said = shown.said();
  REQUIRE(said.size() == 1);
  CHECK_THAT(said.front(), Contains("model.etdp is cut off: "));
  shown.client.advance(60'000);
  CHECK(shown.said().empty());
  // The copy goes on after all.
  shown.put("/work/model.etdp", dump);
  CHECK(shown.status()["state"] == "ready");
}

TEST_CASE("a baseline without its record says which file to copy", "[server]") {
  MemoryFileSystem files = model_workspace();
  files.put("/work/before/run1.etdp", other_model_dump());
  files.put("/work/before/run2.etdp", other_model_dump());
  files.put(kDumpPath, model_dump());  // the newest
  Waiting shown(std::move(files));
  shown.client.request("workspace/executeCommand",
                       {{"command", "etlens.selectBaseline"},
                        {"arguments", json::array({json{{"paths", {"/work/before"}}}})}});
  shown.client.advance(kSettled);
  CHECK(shown.status()["comparison"]["problem"] ==
        "the baseline /work/before has no ETRecord; copy the one of its export next to its dumps");
  // It comes, and there is no problem of that kind any more.
  shown.put("/work/before/model.etrecord", other_model_record());
  CHECK_THAT(shown.status()["comparison"].value("problem", ""), !Contains("has no ETRecord"));
}

}  // namespace etlens::waiting_test
