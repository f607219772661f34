// SPDX-License-Identifier: Apache-2.0
// Artifacts on disk: found, replaced, rewritten, deleted; and that the client hears of it once.
#include <catch2/catch.hpp>

#include "tests/support/gated_files.h"
#include "tests/support/language_client.h"
#include "tests/support/server_workspace.h"
#include "tests/support/watched.h"

namespace etlens::loader_test {

using namespace etlens::test;

namespace {

constexpr int kNoticed = 2500;  // behind a look at the stamps without anybody's help, and two more

}  // namespace

TEST_CASE("a new dump shows its numbers, with one refresh", "[server]") {
  Watched watched;
  watched.files.put(kDumpPath, model_dump(2));
  watched.tell(kDumpPath);
  CHECK(watched.hint() == "9.00 µs 5.7% CPU");  // the last good one, until it stands still
  watched.client.advance(kSettled);
  CHECK(watched.hint() == "18.0 µs 5.7% CPU");
  CHECK(watched.refreshes() == 1);
  watched.client.advance(120'000);
  CHECK(watched.refreshes() == 0);
}

TEST_CASE("a new dump is noticed without the client's help", "[server]") {
  Watched watched;
  watched.files.put(kDumpPath, model_dump(3));
  watched.client.advance(kNoticed);
  CHECK(watched.hint() == "27.0 µs 5.7% CPU");
  CHECK(watched.refreshes() == 1);
}

TEST_CASE("many notifications of one change are one load", "[server]") {
  Watched watched;
  watched.files.put(kDumpPath, model_dump(2));
  for (int i = 0; i < 50; ++i) {
    watched.tell(kDumpPath);
    watched.client.advance(5);
  }
  watched.client.advance(5000);
  CHECK(watched.hint() == "18.0 µs 5.7% CPU");
  CHECK(watched.refreshes() == 1);
}

TEST_CASE("a file that is being written is read when it is whole", "[server]") {
  Watched watched;
  const Bytes whole = model_dump(2);
  watched.tell(kDumpPath);
  for (size_t part = 1; part <= 8; ++part) {  // truncated and rewritten in pieces
    watched.files.put(kDumpPath, whole.text().substr(0, whole.size() * part / 8));
    watched.tell(kDumpPath);
    watched.client.advance(200);
    CHECK(watched.hint() == (part < 8 ? "9.00 µs 5.7% CPU" : watched.hint()));
  }
  watched.client.advance(kSettled);
  CHECK(watched.hint() == "18.0 µs 5.7% CPU");
  CHECK(watched.refreshes() == 1);
  CHECK(watched.client.count("window/showMessage") == 0);
}

TEST_CASE("a broken dump leaves the last good numbers, and says why in the status", "[server]") {
  Watched watched;
  watched.files.put(kDumpPath, "ETDUMP? no");
  watched.tell(kDumpPath);
  watched.client.advance(kSettled);
  CHECK(watched.hint() == "9.00 µs 5.7% CPU");
  // It is no artifact any more, so there is none.
  const json status = watched.client.request("etlens/status");
  CHECK(
      status["message"] ==
      std::string(kDumpPath) +
          " is not found any more (its folder is not open, the settings leave it out, or it is not "
          "an ETDump now); its last numbers stay until a new dump appears");
  // A dump whose inside is broken.
  std::string broken(model_dump(2).text());
  broken.resize(broken.size() / 2);
  watched.files.put(kDumpPath, broken);
  watched.tell(kDumpPath);
  watched.client.advance(kSettled);
  CHECK(watched.client.request("etlens/status")["state"] == "failed");
  CHECK(watched.client.request("etlens/status")["profile"]["executions"] == 2);
  CHECK(watched.hint() == "9.00 µs 5.7% CPU");
  CHECK(watched.client.count("window/showMessage") == 0);  // the numbers are still there
  CHECK(watched.refreshes() == 0);
  watched.files.put(kDumpPath, model_dump(2));
  watched.tell(kDumpPath);
  watched.client.advance(kSettled);
  CHECK(watched.client.request("etlens/status")["state"] == "ready");
  CHECK(watched.hint() == "18.0 µs 5.7% CPU");
}

TEST_CASE("a first load that fails is a message that begins with the file's name in the folder",
          "[server]") {
  MemoryFileSystem files = model_workspace();
  std::string broken(model_dump().text());
  broken.resize(broken.size() / 2);
  files.put(kDumpPath, broken);
  LanguageClient client(files);
  client.initialize();
  const json status = client.request("etlens/status");
  CHECK(status["state"] == "failed");
  const std::string whole = status["message"];
  REQUIRE(whole.find("/work/model.etdp") == 0);
  const std::vector<json> said = client.take("window/showMessage");
  REQUIRE(said.size() == 1);
  CHECK(said[0]["params"]["message"] == whole.substr(std::string_view("/work/").size()));
}

TEST_CASE("a message on the screen has no link, whatever files are called", "[server]") {
  MemoryFileSystem files = model_workspace();
  std::string broken(model_dump().text());
  broken.resize(broken.size() / 2);
  files.remove(kDumpPath);
  files.put("/work/[go](command:x).etdp", broken);
  LanguageClient client(files);
  client.initialize();
  const std::vector<json> said = client.take("window/showMessage");
  REQUIRE(said.size() == 1);
  const std::string message = said[0]["params"]["message"];
  CHECK(message.find("](") == std::string::npos);
  CHECK(message.find("[go] (command:x).etdp") == 0);
}

TEST_CASE("a deleted dump: the next newest is shown, without one the last numbers stay",
          "[server]") {
  Watched watched;
  watched.files.put("/work/runs/second.etdp", model_dump(2));
  watched.client.advance(60'000);  // found by a walk
  CHECK(watched.hint() == "18.0 µs 5.7% CPU");
  CHECK(watched.refreshes() == 1);
  watched.files.remove("/work/runs/second.etdp");
  watched.client.advance(kNoticed);
  CHECK(watched.hint() == "9.00 µs 5.7% CPU");
  CHECK(watched.refreshes() == 1);
  watched.files.remove(kDumpPath);
  watched.client.advance(kNoticed);
  CHECK(watched.hint() == "9.00 µs 5.7% CPU");
  CHECK(watched.refreshes() == 0);
  CHECK(watched.client.request("etlens/status")["message"].get<std::string>().find("is gone") !=
        std::string::npos);
  // Nothing changes any more, and nothing more is said.
  watched.client.take("window/logMessage");
  watched.client.advance(120'000);
  CHECK(watched.client.count("window/logMessage") == 0);
  CHECK(watched.client.count("window/showMessage") == 0);
  watched.files.put(kDumpPath, model_dump(4));
  watched.client.advance(60'000);
  CHECK(watched.hint() == "36.0 µs 5.7% CPU");
}

TEST_CASE("a dump that appears in an empty workspace is found", "[server]") {
  MemoryFileSystem files;
  files.put(kModelPath, model_source());
  LanguageClient client(files);
  client.initialize();
  client.open(kModelPath, model_source());
  CHECK(client.hints(kModelPath).empty());
  const json status = client.request("etlens/status");
  CHECK(status["state"] == "none");
  CHECK(
      status["message"] ==
      "no ETDump below /work, and no ETRecord or program; export a model there, or run it with the "
      "event tracer and save its ETDump");
  files.put(kRecordPath, model_record());
  files.put(kDumpPath, model_dump());
  client.advance(60'000);
  CHECK(client.hints(kModelPath).size() == 10);
  CHECK(client.take(kRefresh).size() == 1);
}

TEST_CASE("a dump without a record says what is missing, and the record makes it whole",
          "[server]") {
  MemoryFileSystem files = model_workspace();
  files.remove(kRecordPath);
  LanguageClient client(files);
  client.initialize();
  client.open(kModelPath, model_source());
  CHECK(client.hints(kModelPath).empty());
  CHECK(client.request("etlens/status")["message"] ==
        "no ETRecord was found for model.etdp, so no time can be placed on lines; save the "
        "ETRecord of the "
        "export next to it");
  files.put(kRecordPath, model_record());
  client.advance(60'000);
  CHECK(client.hints(kModelPath).size() == 10);
}

TEST_CASE("artifacts that have nothing to do with the shown ones cause no refresh", "[server]") {
  Watched watched;
  watched.files.put("/work/deep/er/other.etrecord", "PK\x03\x04 nothing");
  watched.files.put("/work/notes.txt", "text");
  watched.files.put("/work/training.log.0", "text");
  watched.tell("/work/deep/er/other.etrecord", 1);
  watched.tell("/work/training.log.0");
  watched.client.advance(120'000);
  CHECK(watched.refreshes() == 0);
  // A copy of the record farther away is no better than the one that was chosen.
  watched.files.put("/work/deep/er/copy.etrecord", model_record());
  watched.client.advance(120'000);
  CHECK(watched.refreshes() == 0);
  CHECK(watched.client.request("etlens/status")["state"] == "ready");
}

TEST_CASE("files in environments and hidden folders are not looked at", "[server]") {
  Watched watched;
  watched.files.put("/work/.venv/x.etdp", model_dump(7));
  watched.files.put("/work/node_modules/x.etdp", model_dump(7));
  watched.tell("/work/.venv/x.etdp", 1);
  watched.tell("/work/node_modules/x.etdp", 1);
  watched.client.advance(60'000);
  CHECK(watched.hint() == "9.00 µs 5.7% CPU");
}

TEST_CASE("a record that does not belong to the dump leaves what a missing one leaves",
          "[server]") {
  MemoryFileSystem files = model_workspace();
  files.put(kDumpPath, other_model_dump());
  LanguageClient client(files);
  client.initialize();
  client.open(kModelPath, model_source());
  const std::vector<json> messages = client.take("window/showMessage");
  REQUIRE(messages.size() == 1);
  CHECK(messages[0]["params"]["message"].get<std::string>().find("do not belong together") !=
        std::string::npos);
  CHECK(client.hints(kModelPath).empty());
  const json status = client.request("etlens/status");
  CHECK(status["state"] == "ready");
  CHECK_FALSE(status["profile"].contains("etrecord"));
  CHECK(status["profile"]["record_problem"] == status["message"]);
  const json events = client.request("etlens/events");
  CHECK(events["count"] > 0);
  client.request("workspace/executeCommand", {{"command", "etlens.reload"}});
  client.advance(5000);
  CHECK(client.count("window/showMessage") == 0);
  files.remove(kRecordPath);
  client.advance(60'000);
  CHECK(client.request("etlens/events")["events"] == events["events"]);
  CHECK_FALSE(client.request("etlens/status")["profile"].contains("record_problem"));
}

TEST_CASE("numbers on lines stay while the record beside a new dump is still the old one",
          "[server]") {
  Watched watched;
  const std::string before = watched.hint();
  watched.files.put(kDumpPath, other_model_dump());
  watched.tell(kDumpPath);
  watched.client.advance(kSettled);
  CHECK(watched.client.request("etlens/status")["state"] == "failed");
  CHECK(watched.hint() == before);
}

TEST_CASE("a record that is one no longer leaves the numbers, and the status names it",
          "[server]") {
  Watched watched;
  const std::string before = watched.hint();
  const Bytes record = *watched.files.read(kRecordPath);
  watched.files.put(kRecordPath, std::string(4096, 'x'));
  watched.tell(kRecordPath);
  watched.client.advance(kSettled);
  const json status = watched.client.request("etlens/status");
  CHECK(status["state"] == "failed");
  CHECK(status["message"].get<std::string>().find(kRecordPath) != std::string::npos);
  CHECK(watched.hint() == before);
  watched.client.request("workspace/executeCommand", {{"command", "etlens.reload"}});
  watched.client.advance(kSettled);
  CHECK(watched.client.request("etlens/status")["state"] == "failed");
  CHECK(watched.hint() == before);
  watched.files.put(kRecordPath, record.text());
  watched.tell(kRecordPath);
  watched.client.advance(kSettled);
  CHECK(watched.client.request("etlens/status")["state"] == "ready");
  CHECK(watched.hint() == before);
  // Gone, it is missed.
  watched.files.remove(kRecordPath);
  watched.tell(kRecordPath, 3);
  watched.client.advance(kSettled);
  CHECK(watched.hint().empty());
}

TEST_CASE("a source that appears, or moves, is found when it is opened", "[server]") {
  MemoryFileSystem files = model_workspace();
  files.remove(kModelPath);
  LanguageClient client(files);
  client.initialize();
  client.advance(kSettled);
  files.put(kModelPath, model_source());
  client.open(kModelPath, model_source());
  client.advance(kSettled);
  CHECK(client.hints(kModelPath).size() == 10);
  const std::string moved = "/work/inside/model.py";
  files.remove(kModelPath);
  files.put(moved, model_source());
  client.open(moved, model_source());
  client.advance(kSettled);
  CHECK(client.hints(moved).size() == 10);
}

TEST_CASE("a source that is known, or one of several that fit, is not looked for again",
          "[server]") {
  const auto reads_after_opening = [](MemoryFileSystem files, const std::string& path) {
    LanguageClient client(files);
    client.initialize();
    client.advance(kSettled);
    client.take("window/logMessage");
    client.open(path, model_source());
    client.advance(kSettled);
    return client.count("window/logMessage");
  };
  MemoryFileSystem files = model_workspace();
  CHECK(reads_after_opening(files, kModelPath) == 0);
  files.remove(kModelPath);
  CHECK(reads_after_opening(files, kModelPath) > 0);
  files.put("/work/a/model.py", model_source());
  files.put("/work/b/model.py", model_source());
  CHECK(reads_after_opening(files, "/work/a/model.py") == 0);
}

TEST_CASE("work-done progress is shown only for loads that take long", "[server][thread]") {
  const MemoryFileSystem memory = model_workspace();
  LanguageClient quick(memory);
  quick.initialize();
  quick.advance(10'000);
  CHECK(quick.count("window/workDoneProgress/create") == 0);

  Timing timing;
  timing.progress_after = Delay(0);
  GatedFiles files(memory, kDumpPath);
  files.close();
  LanguageClient slow(files, timing);
  // A client that answers at once. The load ends when the progress has begun.
  slow.transport().on_send = [&](const std::string& text) {
    const json message = json::parse(text);
    const std::string method = message.value("method", "");
    if (method == "$/progress") files.open();
    if (method != "window/workDoneProgress/create") return;
    slow.transport().feed(
        lsp::frame(json{{"jsonrpc", "2.0"}, {"id", message["id"]}, {"result", nullptr}}.dump()));
  };
  slow.initialize();
  const std::vector<json> created = slow.take("window/workDoneProgress/create");
  const std::vector<json> progress = slow.take("$/progress");
  REQUIRE(created.size() == 1);
  REQUIRE(progress.size() == 2);
  CHECK(progress[0]["params"]["token"] == created[0]["params"]["token"]);
  CHECK(progress[0]["params"]["value"]["kind"] == "begin");
  CHECK(progress[0]["params"]["value"]["message"] == "reading model.etdp");
  CHECK(progress[1]["params"]["value"]["kind"] == "end");
}

TEST_CASE("a load that the user gives up leaves what was shown, and says how to read again",
          "[server][thread]") {
  MemoryFileSystem memory = model_workspace();
  Timing timing;
  timing.progress_after = Delay(0);
  // The load stays in the middle of it until the user has given it up.
  GatedFiles files(memory, kDumpPath);
  files.close();
  LanguageClient client(files, timing);
  bool gives_up = true;
  client.transport().on_send = [&](const std::string& text) {
    const json message = json::parse(text);
    if (!message.contains("method")) return;
    const json params = message.value("params", json());
    json answer;
    if (message["method"] == "window/workDoneProgress/create") {
      answer = {{"id", message["id"]}, {"result", nullptr}};
    } else if (gives_up && message["method"] == "$/progress" &&
               params["value"]["kind"] == "begin") {
      answer = {{"method", "window/workDoneProgress/cancel"},
                {"params", {{"token", params["token"]}}}};
    } else {
      return;
    }
    answer["jsonrpc"] = "2.0";
    client.transport().feed(lsp::frame(answer.dump()));
    if (message["method"] == "$/progress") files.open();
  };
  client.initialize();
  client.open(kModelPath, model_source());
  client.advance(kSettled);
  json status = client.request("etlens/status");
  CHECK(status["state"] == "none");
  CHECK(status["message"].get<std::string>().find("etlens.reload") != std::string::npos);
  gives_up = false;  // and the gate stays open
  client.request("workspace/executeCommand", {{"command", "etlens.reload"}});
  client.advance(kSettled);
  CHECK(client.request("etlens/status")["state"] == "ready");
  CHECK(client.hints(kModelPath).size() == 10);
  gives_up = true;
  files.close();
  memory.put(kDumpPath, model_dump(2));
  client.advance(kNoticed);
  status = client.request("etlens/status");
  CHECK(status["state"] == "ready");
  CHECK(client.hints(kModelPath).at(kTopkLine) == "9.00 µs 5.7% CPU");
}

TEST_CASE("a disk that does not answer is said once, and its numbers are shown if they come",
          "[server]") {
  MemoryFileSystem memory = model_workspace();
  GatedFiles files(memory, kDumpPath);
  files.close();
  Timing timing;
  timing.load_hangs = Delay(0);
  timing.load_hangs_bytes_per_ms = INT64_MAX;
  LanguageClient client(files, timing);
  size_t said = 0;
  client.transport().on_send = [&](const std::string& text) {
    const json message = json::parse(text);
    if (message.value("method", "") != "window/showMessage") return;
    const std::string sentence = message["params"]["message"];
    if (sentence.find("still being read") == std::string::npos) return;
    CHECK(sentence.starts_with("model.etdp is still being read: its disk does not answer"));
    if (said++ == 0) files.open();
  };
  client.initialize();
  client.open(kModelPath, model_source());
  client.advance(kSettled);
  CHECK(said == 1);
  CHECK(client.request("etlens/status")["state"] == "ready");
  CHECK(client.hints(kModelPath).size() == 10);
}

TEST_CASE("refreshes close together become one", "[server]") {
  Timing timing;
  timing.refresh_merge = Delay(60'000);
  MemoryFileSystem files = model_workspace();
  LanguageClient client(files, timing);
  client.initialize();
  CHECK(client.take(kRefresh).size() == 1);
  for (int scale = 2; scale < 6; ++scale) {
    files.put(kDumpPath, model_dump(scale));
    client.advance(kNoticed);
  }
  CHECK(client.count(kRefresh) == 0);
  client.advance(60'000);
  CHECK(client.take(kRefresh).size() == 1);
}

}  // namespace etlens::loader_test
