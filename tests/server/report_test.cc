// SPDX-License-Identifier: Apache-2.0
// etlens/report: the page of what is shown, written in the background.
#include <catch2/catch.hpp>

#include "tests/support/open_model.h"

namespace etlens::report_test {

using namespace etlens::test;

TEST_CASE("report: the page of the study, with links to the lines of now", "[server]") {
  OpenModel open;
  const json report = open.client.request("etlens/report");
  CHECK(report["why"] == "");
  CHECK_THAT(report["title"].get<std::string>(), Catch::Matchers::StartsWith("forward: "));
  const std::string body = report["body"];
  CHECK(body.find("topk on the CPU between XNNPACK calls") != std::string::npos);
  CHECK(body.find("data-path=\"" + kModelPath + "\" data-line=\"" + std::to_string(kTopkLine + 1) +
                  "\"") != std::string::npos);
  CHECK(body.find("<script") == std::string::npos);
  // Lines are those of the text of now.
  open.client.change(kModelPath, 2, {{{"text", "\n" + model_source()}}});
  const std::string moved = open.client.request("etlens/report")["body"];
  CHECK(moved.find("data-line=\"" + std::to_string(kTopkLine + 2) + "\"") != std::string::npos);
}

TEST_CASE("report: two questions get the same answer, and without a study there is a sentence",
          "[server]") {
  OpenModel open;
  for (const int id : {901, 902}) {
    open.client.feed_message(
        {{"jsonrpc", "2.0"}, {"id", id}, {"method", "etlens/report"}, {"params", json::object()}});
  }
  open.client.request("etlens/status");
  open.client.advance(100);
  const std::vector<json> answers = open.client.take_responses();
  REQUIRE(answers.size() == 2);
  CHECK(answers[0]["result"] == answers[1]["result"]);
  MemoryFileSystem nothing;
  LanguageClient client(nothing);
  client.initialize();
  const json none = client.request("etlens/report");
  CHECK(none["body"] == "");
  CHECK(none["why"].get<std::string>().find("ETDump") != std::string::npos);
}

}  // namespace etlens::report_test
