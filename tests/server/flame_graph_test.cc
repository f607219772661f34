// SPDX-License-Identifier: Apache-2.0
// etlens/flameGraph: the frames of the whole, with the lines that they lead to.
#include <catch2/catch.hpp>

#include "tests/support/open_model.h"

namespace etlens::flame_graph_server_test {

using namespace etlens::test;

namespace {

struct Drawn : OpenModel {
  json graph(const json& params = json::object()) {
    return client.request("etlens/flameGraph", params);
  }
};

}  // namespace

TEST_CASE("etlens/flameGraph: the whole is the total, and lines lead to their places", "[server]") {
  Drawn drawn;
  const json graph = drawn.graph();
  const json status = drawn.client.request("etlens/status");
  const json& frames = graph["frames"];
  CHECK(frames[0]["kind"] == "whole");
  CHECK(frames[0]["time"]["value"] == status["profile"]["total"]);
  CHECK(frames[0]["time"]["text"] == status["profile"]["total_text"]);
  CHECK(graph["found"] == frames[0]["time"]);
  CHECK(graph["title"].get<std::string>().starts_with("forward: "));
  bool has_line = false;
  for (size_t f = 0; f < frames.size(); ++f) {
    CHECK(frames[f].contains("parent") == (f > 0));
    if (f > 0) CHECK(frames[f]["parent"] < f);
    if (frames[f]["kind"] != "line") continue;
    const json& place = graph["places"][frames[f]["place"].get<size_t>()];
    has_line = has_line || place["current_line"] == kUpCallLine + 1;
    CHECK(frames[f]["name"] ==
          "L" + std::to_string(place["line"].get<int>()) + " " + place["text"].get<std::string>());
  }
  CHECK(has_line);
}

TEST_CASE("etlens/flameGraph: the order is known, and the filter is that of the events",
          "[server]") {
  Drawn drawn;
  CHECK(drawn.graph({{"order", "execution"}, {"fold", false}})["frames"].size() > 3);
  const json found = drawn.graph({{"filter", "blocks.0"}});
  const json table = drawn.client.request("etlens/eventTable", {{"filter", "blocks.0"}});
  CHECK(found["found"]["text"] == table["self_text"]);
  CHECK(found["found_share"] == table["share"]);
  CHECK(drawn.client.request_error("etlens/flameGraph", {{"order", "size"}})["code"] == -32602);
}

}  // namespace etlens::flame_graph_server_test
