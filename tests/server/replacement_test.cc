// SPDX-License-Identifier: Apache-2.0
// A thousand times another file under the open server: damaged, torn, empty, gone, sound. It
// answers all the time, and in the end it shows what is there.
#include <catch2/catch.hpp>
#include <random>

#include "server/load/load_job.h"
#include "tests/support/hostile.h"
#include "tests/support/language_client.h"
#include "tests/support/mutation.h"
#include "tests/support/server_workspace.h"

namespace etlens::replacement_test {

using namespace etlens::test;

namespace {

constexpr int kSettled = 400;

std::string hint_of(LanguageClient& client) {
  const std::map<int, std::string> hints = client.hints(kModelPath);
  return hints.contains(kTopkLine) ? hints.at(kTopkLine) : "";
}

}  // namespace

TEST_CASE("a thousand replacements of files under the open server", "[server][hostile]") {
  MemoryFileSystem files = model_workspace();
  LanguageClient client(files);
  client.initialize();
  client.open(kModelPath, model_source());
  REQUIRE(hint_of(client) == "9.00 µs 5.7% CPU");
  const ArtifactParts sound =
      parts_of({std::string(model_dump().text()), std::string(model_record().text())});
  std::mt19937 random(11);
  for (int n = 0; n < 1000; ++n) {
    ArtifactParts parts = sound;
    std::vector<uint8_t> script(kMutationBytes * (random() % 4));
    for (uint8_t& byte : script) byte = static_cast<uint8_t>(random());
    mutate(parts, script);
    const HostilePair pair = pair_of(parts);
    const size_t torn = random() % 8;
    const auto written = [&](const std::string& content) {
      return torn == 0 ? content.substr(0, random() % (content.size() + 1)) : content;
    };
    if (torn == 1) files.remove(kRecordPath);
    else if (torn % 2 == 0) files.put(kRecordPath, written(pair.etrecord));
    if (torn == 3) files.remove(kDumpPath);
    else files.put(kDumpPath, written(pair.etdump));
    client.notify("workspace/didChangeWatchedFiles",
                  {{"changes", {{{"uri", uri_of(kDumpPath)}, {"type", 2}}}}});
    client.advance(static_cast<int>(random() % 500));
    client.request("etlens/status");
    if (n % 50 == 0) hint_of(client);
  }
  files.put(kDumpPath, model_dump(2));
  files.put(kRecordPath, model_record());
  client.notify(
      "workspace/didChangeWatchedFiles",
      {{"changes",
        {{{"uri", uri_of(kDumpPath)}, {"type", 2}}, {{"uri", uri_of(kRecordPath)}, {"type", 2}}}}});
  client.advance(10 * kSettled);
  CHECK(hint_of(client) == "18.0 µs 5.7% CPU");
}

TEST_CASE("a dump that replaces another: sources are parsed again where they changed", "[server]") {
  MemoryFileSystem files = model_workspace();
  const auto load = [&](std::shared_ptr<const OpenStudy> shown, uint64_t version) {
    LoadJob job;
    job.key.settings.etdump = kDumpPath;
    job.key.stamps = {{kDumpPath, FileStamp{version, 0, 0, false}}};
    job.key.settings.roots = {"/work"};
    job.key.settings.etrecord = kRecordPath;
    job.shown = std::move(shown);
    job.run(files);
    REQUIRE(job.result);
    return *job.result;
  };
  const std::shared_ptr<const OpenStudy> first = load(nullptr, 1);
  REQUIRE(first->sources.size() == 1);
  REQUIRE(first->sources[0].syntax);
  const std::shared_ptr<const OpenStudy> second = load(first, 2);
  CHECK(second->sources[0].syntax == first->sources[0].syntax);
  files.put(kModelPath, "# changed\n" + model_source());
  const std::shared_ptr<const OpenStudy> third = load(second, 3);
  CHECK(third->sources[0].syntax != first->sources[0].syntax);
  CHECK(third->sources[0].syntax->document().text().starts_with("# changed"));
}

TEST_CASE("a profile is chosen by its name, also if that is no text", "[server]") {
  MemoryFileSystem files = model_workspace();
  const std::string odd = "/work/n\xFF\x1b.etdp";
  files.put(odd, model_dump(3));
  files.put(kDumpPath, model_dump());  // the newest
  LanguageClient client(files);
  client.initialize();
  client.open(kModelPath, model_source());
  REQUIRE(hint_of(client) == "9.00 µs 5.7% CPU");
  const json dumps = client.request_list("etlens/profiles", "dumps");
  REQUIRE(dumps.size() == 2);
  const std::string shown = dumps[1]["etdump"];
  CHECK(shown == "/work/n\uFFFD\uFFFD.etdp");
  client.request("workspace/executeCommand",
                 {{"command", "etlens.selectProfile"}, {"arguments", {{{"etdump", shown}}}}});
  client.advance(kSettled);
  CHECK(hint_of(client) == "27.0 µs 5.7% CPU");
}

}  // namespace etlens::replacement_test
