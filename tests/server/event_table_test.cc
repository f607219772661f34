// SPDX-License-Identifier: Apache-2.0
// etlens/eventTable: rows of events and groups, filtered and sorted, page by page.
#include <catch2/catch.hpp>
#include <set>

#include "tests/support/open_model.h"

namespace etlens::event_table_test {

using namespace etlens::test;

namespace {

struct Tabulated : OpenModel {
  json table(const json& params = json::object()) {
    return client.request("etlens/eventTable", params);
  }
  json rows(const json& params) { return client.request_list("etlens/eventTable", "rows", params); }
  std::vector<std::string> names(const json& params) {
    std::vector<std::string> names;
    for (const json& row : rows(params))
      names.push_back(row.contains("group") ? row["group"]["name"] : row["event"]["name"]);
    return names;
  }
  std::set<int> ranked() {
    std::set<int> ids;
    for (const json& event : client.request_list("etlens/events", "events"))
      ids.insert(event["id"].get<int>());
    return ids;
  }
};

}  // namespace

TEST_CASE("etlens/eventTable: groups hold every event once and add up to the total", "[server]") {
  Tabulated tabulated;
  for (const char* grouping : {"line", "module", "operator", "delegate", "partition"}) {
    CAPTURE(grouping);
    const json closed = tabulated.table({{"group_by", grouping}});
    CHECK(closed["share"].get<double>() == Approx(1));
    CHECK(closed["rows"].back()["group"]["running_share"].get<double>() == Approx(1));
    json keys = json::array();
    size_t count = 0;
    for (const json& row : closed["rows"]) {
      CHECK(row["group"]["is_open"] == false);
      keys.push_back(row["group"]["key"]);
      count += row["group"]["count"].get<size_t>();
    }
    CHECK(closed["count"] == count);
    const json open = tabulated.table({{"group_by", grouping}, {"open", keys}});
    CHECK(open["row_count"] == keys.size() + count);
    std::set<int> ids;
    for (const json& row : open["rows"]) {
      CHECK(row["level"] == (row.contains("group") ? 1 : 2));
      if (row.contains("event")) CHECK(ids.insert(row["event"]["id"].get<int>()).second);
    }
    CHECK(ids == tabulated.ranked());
  }
  const json lines = tabulated.table({{"group_by", "line"}})["rows"];
  CHECK(lines[0]["group"]["name"] == "model.py:12");
  CHECK(lines[0]["group"]["source"]["current_line"] == kUpCallLine + 1);
  CHECK(lines[0]["group"]["self_text"] == "56.0 µs");
  CHECK(tabulated.names({{"group_by", "delegate"}})[0] == "XNNPACK");
  CHECK(tabulated.names({{"group_by", "delegate"}})[1] == "CPU");
  CHECK(tabulated.names({{"group_by", "partition"}})[0] == "#1 XNNPACK");
}

TEST_CASE("etlens/eventTable: the overhead of all delegate calls is one row that opens",
          "[server]") {
  Tabulated tabulated;
  const json ranking = tabulated.client.request("etlens/events");
  size_t overhead = 0;
  for (const json& event : ranking["events"]) overhead += event["part"] == "delegate_overhead";
  REQUIRE(overhead > 1);
  const json closed = tabulated.table();
  CHECK(closed["row_count"] == ranking["events"].size() - overhead + 1);
  json key;
  for (const json& row : closed["rows"]) {
    if (!row.contains("group")) continue;
    CHECK(key.is_null());
    key = row["group"]["key"];
    CHECK(row["group"]["count"] == overhead);
  }
  REQUIRE_FALSE(key.is_null());
  CHECK(tabulated.table({{"open", {key}}})["row_count"] == ranking["events"].size() + 1);
  // One call alone needs no row above it.
  const json one = tabulated.table({{"filter", "DELEGATE_CALL -\"#1 XNNPACK\""}});
  REQUIRE(one["count"] == overhead - 1);
}

TEST_CASE("etlens/eventTable: pages are parts of the whole, in open groups, too", "[server]") {
  Tabulated tabulated;
  json keys = json::array();
  for (const json& row : tabulated.rows({{"group_by", "line"}}))
    keys.push_back(row["group"]["key"]);
  keys.erase(1);
  json params{{"group_by", "line"}, {"open", keys}};
  const json all = tabulated.table(params)["rows"];
  for (size_t size = 1; size <= 4; ++size) {
    params["limit"] = size;
    json pages = json::array();
    for (size_t offset = 0; offset < all.size(); offset += size) {
      params["offset"] = offset;
      for (const json& row : tabulated.rows(params)) pages.push_back(row);
    }
    CHECK(pages == all);
  }
}

TEST_CASE("etlens/eventTable: every column sorts both ways, what has no value comes last",
          "[server]") {
  Tabulated tabulated;
  for (const char* column : {"line", "operator", "event", "module", "where", "confidence"}) {
    CAPTURE(column);
    const json up = tabulated.table({{"sort_by", column}, {"ascending", true}})["rows"];
    const json down = tabulated.table({{"sort_by", column}})["rows"];
    CHECK(up != tabulated.table()["rows"]);
    CHECK(up.size() == down.size());
  }
  const json by_line = tabulated.table({{"sort_by", "line"}, {"ascending", true}})["rows"];
  int last = -1;
  bool is_behind = false;
  for (const json& row : by_line) {
    const bool has_line = row.contains("event") && !row["event"]["line"].is_null();
    CHECK_FALSE((is_behind && has_line));
    is_behind = !has_line;
    if (!has_line) continue;
    const int line = row["event"]["line"];
    CHECK(line >= last);
    last = line;
  }
  CHECK(is_behind);
  const std::vector<std::string> lines =
      tabulated.names({{"group_by", "line"}, {"sort_by", "line"}, {"ascending", true}});
  CHECK(lines[0] == "model.py:12");
  CHECK(tabulated.client.request_error("etlens/eventTable", {{"sort_by", "colour"}})["code"] ==
        -32602);
  CHECK(tabulated.client.request_error("etlens/eventTable", {{"group_by", "colour"}})["code"] ==
        -32602);
}

TEST_CASE("etlens/eventTable: words narrow, a minus leaves out, quotes are whole names",
          "[server]") {
  Tabulated tabulated;
  const size_t all = tabulated.table()["count"];
  const auto count = [&](const std::string& filter) {
    return tabulated.table({{"filter", filter}})["count"].get<size_t>();
  };
  CHECK(count("  ") == all);
  CHECK(count("topk") == 1);
  CHECK(count("topk xnnpack") == 0);
  CHECK(count("model.py:12") > 0);
  CHECK(count("-topk") == all - 1);
  CHECK(count("topk -topk") == 0);
  // Parts of words, case aside; each may stand in another text, but none is scattered.
  CHECK(count("TOPK") == 1);
  CHECK(count("opk cpu") == 1);
  CHECK(count("cpu opk model.py") == 1);
  CHECK(count("tpk") == 0);
  CHECK(count("mdl") == 0);
  // A minus alone is a word, an open quote ends at the end.
  CHECK(count("-") == 0);
  CHECK(count("\"") == all);
  for (const json& row : tabulated.rows({{"group_by", "line"}})) {
    const json& group = row["group"];
    CAPTURE(group["exclude"]);
    CHECK(count(group["exclude"]) == all - group["count"].get<size_t>());
  }
}

TEST_CASE("etlens/eventTable finds an event's row, in its group, too", "[server]") {
  Tabulated tabulated;
  const json wanted = tabulated.client.request("etlens/events")["events"][1]["id"];
  const json found = tabulated.table({{"locate", wanted}});
  CHECK(found["rows"][found["located"]["row"].get<size_t>()]["event"]["id"] == wanted);
  const json closed =
      tabulated.table({{"group_by", "line"}, {"limit", 0}, {"locate", wanted}})["located"];
  const json open = tabulated.table({{"group_by", "line"}, {"open", {closed["group"]}}});
  CHECK(open["rows"][closed["row"].get<size_t>()]["event"]["id"] == wanted);
  CHECK_FALSE(tabulated.table({{"filter", "topk"}, {"locate", wanted}}).contains("located"));
  CHECK_FALSE(tabulated.table({{"locate", 1'000'000}}).contains("located"));
}

}  // namespace etlens::event_table_test
