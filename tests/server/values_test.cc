// SPDX-License-Identifier: Apache-2.0
// Values that a dump logged, in the editor: the measure error, hovers, the first NaN, and why
// something is not there.
#include <catch2/catch.hpp>
#include <cstring>

#include "test_paths.h"
#include "tests/support/corpus.h"
#include "tests/support/language_client.h"
#include "tests/support/memory_file_system.h"

namespace etlens::values_test {

using namespace etlens::test;
using Catch::Matchers::Contains;

namespace {

const std::string kFolder = std::string(ETLENS_TEST_DATA) + "/values/mlp";
using Names = std::vector<std::string>;

constexpr const char* kSource = "/work/mlp.py";
constexpr int kFaultLine = 15;  // 0-based: whose weight was perturbed

// A dump with a planted fault; beside it what `names` says.
struct Opened {
  MemoryFileSystem files;
  LanguageClient client{files};

  explicit Opened(const Names& names, const json& settings = json::object()) {
    put("fault.etdp");
    put("model.etrecord");
    for (const std::string& name : names) put(name);
    files.put(kSource, read_file(std::string(ETLENS_TEST_DATA) + "/models/mlp.py"));
    client.settings = settings;
  }
  void put(const std::string& name) { files.put("/work/" + name, read_file(kFolder + "/" + name)); }
  void start() {
    client.initialize();
    client.open(kSource, read_file(std::string(ETLENS_TEST_DATA) + "/models/mlp.py"));
  }
  json choose(const std::string& measure) {
    return client.request("workspace/executeCommand",
                          {{"command", "etlens.selectMeasure"},
                           {"arguments", json::array({json{{"measure", measure}}})}});
  }
  std::string hover(int line) {
    const json answer =
        client.request("textDocument/hover", {{"textDocument", {{"uri", uri_of(kSource)}}},
                                              {"position", {{"line", line}, {"character", 8}}}});
    return answer.is_null() ? "" : answer["contents"]["value"].get<std::string>();
  }
  std::vector<std::string> measures() {
    std::vector<std::string> ids;
    const json status = client.request("etlens/status");
    for (const json& row : status["measures"]) ids.push_back(row["id"]);
    return ids;
  }
  json warning(const std::string& id) {
    const json status = client.request("etlens/status");
    for (const json& row : status["warnings"]) {
      if (row["id"] == id) return row;
    }
    return nullptr;
  }
  std::vector<json> diagnostics() {
    std::vector<json> all;
    for (const json& message : client.take("textDocument/publishDiagnostics")) {
      for (const json& item : message["params"]["diagnostics"]) all.push_back(item);
    }
    return all;
  }
};

}  // namespace

TEST_CASE("values: the error is on the line that makes it", "[server]") {
  Opened opened(Names{"fault.bin", "aot.npz"});
  opened.start();
  CHECK(opened.measures() == Names{"time", "error"});
  const std::string before = opened.hover(kFaultLine);
  CHECK_THAT(before, Contains("error: SNR "));
  CHECK_THAT(before, Contains(" of the final error"));
  opened.choose("error");
  CHECK_THAT(opened.client.hints(kSource).at(kFaultLine), Contains("SNR "));
  CHECK_THAT(opened.client.hints(kSource).at(kFaultLine), Contains(" dB ▼ "));
  const json hot = opened.client.request("etlens/hotLines");
  const json& worst = hot["lines"][0];
  CHECK(worst["current_line"] == kFaultLine + 1);
  CHECK(hot["unit"] == "share");
  CHECK(worst["self"].get<double>() > 0.99);
  const std::string hover = opened.hover(kFaultLine);
  CHECK_THAT(hover, Contains("of the final error"));
  CHECK_THAT(hover, Contains("time: "));
}

TEST_CASE("values: a hover has them, with or without a reference", "[server]") {
  Opened opened(Names{"fault.bin"});
  opened.start();
  CHECK(opened.measures() == Names{"time"});
  CHECK_THAT(opened.hover(kFaultLine), Contains("logged here"));
  CHECK_THAT(opened.hover(kFaultLine), Contains("| value | type | range | mean |"));
  // Tooltips of hints come by the dozen: they read no values.
  const json hints = opened.client.request(
      "textDocument/inlayHint",
      {{"textDocument", {{"uri", uri_of(kSource)}}},
       {"range",
        {{"start", {{"line", 0}, {"character", 0}}}, {"end", {{"line", 99}, {"character", 0}}}}}});
  REQUIRE(!hints.empty());
  CHECK_THAT(hints.dump(), !Contains("logged here"));

  opened.put("aot.npz");
  opened.client.request("workspace/executeCommand", {{"command", "etlens.reload"}});
  opened.client.advance(5000);
  CHECK(opened.measures() == Names{"time", "error"});
  const std::string hover = opened.hover(kFaultLine);
  CHECK_THAT(hover, Contains("worst elements of "));
  CHECK_THAT(hover, Contains("| element | value | reference | error |"));
}

TEST_CASE("values: the buffer is looked for when it appears", "[server]") {
  Opened opened(Names{"aot.npz"});
  opened.start();
  CHECK(opened.measures() == Names{"time"});
  const json warning = opened.warning("values-unreadable");
  REQUIRE(!warning.is_null());
  CHECK_THAT(warning["first"].get<std::string>(), Contains("no debug buffer"));
  opened.put("fault.bin");
  opened.client.notify(
      "workspace/didChangeWatchedFiles",
      {{"changes", json::array({json{{"uri", uri_of("/work/fault.bin")}, {"type", 1}}})}});
  opened.client.advance(5000);
  CHECK(opened.warning("values-unreadable").is_null());
  CHECK(opened.measures() == Names{"time", "error"});
}

TEST_CASE("values: a reference that does not fit is said", "[server]") {
  Opened opened(Names{"fault.bin"});
  const std::string arrays = read_file(kFolder + "/aot.npz");
  opened.files.put("/work/aot.npz", arrays.substr(0, arrays.size() / 2));
  opened.start();
  CHECK(opened.measures() == Names{"time"});
  const json warning = opened.warning("values-reference-unfit");
  REQUIRE(!warning.is_null());
  CHECK_THAT(warning["first"].get<std::string>(), Contains("/work/aot.npz"));
}

TEST_CASE("values: the first NaN is a warning on its line", "[server]") {
  Opened opened(Names{});
  std::string buffer = read_file(kFolder + "/fault.bin");
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (size_t at = 0; at + sizeof nan <= buffer.size(); at += sizeof nan)
    std::memcpy(buffer.data() + at, &nan, sizeof nan);
  opened.files.put("/work/fault.bin", buffer);
  const bool is_wanted = GENERATE(true, false);
  if (!is_wanted) opened.client.settings = {{"diagnostics.values", false}};
  opened.start();
  const std::vector<json> items = opened.diagnostics();
  if (!is_wanted) {
    CHECK(items.empty());
    return;
  }
  REQUIRE(items.size() == 1);
  CHECK(items[0]["severity"] == 2);
  CHECK(items[0]["code"] == "values");
  CHECK_THAT(items[0]["message"].get<std::string>(), Contains("the first NaN is made here"));
}

}  // namespace etlens::values_test
