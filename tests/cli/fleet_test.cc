// SPDX-License-Identifier: Apache-2.0
// `etlens fleet` and `etlens rows`, on made dumps.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "bench/fleet/make_fleet.h"
#include "core/base/path.h"
#include "tests/cli/sandbox.h"
#include "tests/support/corpus.h"

namespace etlens::cli_fleet_test {

using namespace etlens::test;
using nlohmann::json;

namespace {

constexpr size_t kDumps = 120;

bench::FleetMaker maker(bench::FleetPlan plan = {}) {
  std::vector<std::string> series;
  for (int i = 1; i <= 6; ++i)
    series.push_back(read_file(ETLENS_TEST_DATA "/compare/base-" + std::to_string(i) + ".dump.gz"));
  return bench::FleetMaker(std::move(series), plan);
}

// `first`: one of twenty fleets without a change accuses something, and a test is of one that does
// not.
void put_fleet(Sandbox& sandbox, size_t dumps, bench::FleetPlan plan = {}, size_t first = 0) {
  const bench::FleetMaker fleet = maker(plan);
  REQUIRE(fleet.series_size() == 6);
  sandbox.put("model.etrecord", read_file(kMlp + "/model.etrecord"));
  for (size_t i = first; i < first + dumps; ++i) {
    const std::string name = fleet.name(i);
    sandbox.put(name, fleet.dump(i));
    sandbox.put(name.substr(0, name.size() - 5) + ".json", fleet.sidecar(i));
  }
}

json fleet_json_of(const Sandbox& sandbox, const std::string& arguments) {
  const Outcome outcome = sandbox.run("fleet --format json " + arguments);
  CAPTURE(outcome.err);
  REQUIRE(outcome.status == 0);
  return json::parse(outcome.out);
}

}  // namespace

TEST_CASE("cli fleet: dumps, rows, and rows twice give the same", "[fleet]") {
  Sandbox sandbox;
  put_fleet(sandbox, kDumps);
  const json direct = fleet_json_of(sandbox, "--group-by device,build");
  CHECK(direct["schema"] == "etlens/fleet@1");
  CHECK(direct["dumps"] == kDumps);
  CHECK(direct["broken"].empty());
  CHECK(direct["quantile_error"] == 0);
  CHECK(direct["places"][0]["kind"] == "total");
  CHECK(direct["places"][0]["groups"].size() == 24);
  CHECK(fleet_json_of(sandbox, "--group-by device,build --jobs 1") == direct);
  CHECK(fleet_json_of(sandbox, "--group-by device,build --jobs 5") == direct);

  REQUIRE(sandbox.run("rows -o rows.ndjson").status == 0);
  CHECK(fleet_json_of(sandbox, "--group-by device,build --from rows.ndjson") == direct);
  // A first try that was ended in the middle of a row, then all of it again.
  const std::string rows = slurp(sandbox.path("rows.ndjson"));
  const std::string part = rows.substr(0, rows.size() / 2);
  sandbox.put("twice.ndjson", part + "\n" + rows);
  const Outcome twice =
      sandbox.run("fleet --format json --group-by device,build --from twice.ndjson");
  json again = json::parse(twice.out);
  CHECK(again["repeated"] > 0);
  again["repeated"] = 0;
  CHECK(again["lines_left_out"]["count"] == 1);
  const std::string first = again["lines_left_out"]["first"];
  CHECK(first.find(" of twice.ndjson ") != std::string::npos);
  CHECK(direct["lines_left_out"] == json({{"count", 0}, {"first", nullptr}}));
  again["lines_left_out"] = direct["lines_left_out"];
  CHECK(again == direct);
  CHECK(twice.err.find("1 line left out: " + first) != std::string::npos);
}

TEST_CASE("cli fleet: dumps that are there twice count once", "[fleet]") {
  Sandbox sandbox;
  put_fleet(sandbox, 30);
  const json once = fleet_json_of(sandbox, "");
  std::filesystem::copy(sandbox.path("device-1"), sandbox.path("zz-copy"),
                        std::filesystem::copy_options::recursive);
  json twice = fleet_json_of(sandbox, "");
  CHECK(twice["repeated"] == 4);
  twice["repeated"] = 0;
  CHECK(twice == once);
}

TEST_CASE("cli fleet: a tenth of the files is cut or foreign, the rest is as it was", "[fleet]") {
  Sandbox sandbox;
  put_fleet(sandbox, kDumps);
  const bench::FleetMaker fleet = maker();
  for (size_t i = 0; i < kDumps; i += 10) std::filesystem::remove(sandbox.path(fleet.name(i)));
  const json rest = fleet_json_of(sandbox, "--group-by device");
  for (size_t i = 0; i < kDumps; i += 10) {
    const std::string whole = fleet.dump(i);
    const std::string broken = i % 40 == 0    ? whole.substr(0, whole.size() * 2 / 3)
                               : i % 40 == 10 ? std::string("not what it is called")
                               : i % 40 == 20 ? std::string()
                                              : whole.substr(0, 40);
    sandbox.put(fleet.name(i), broken);
  }
  json with_broken = fleet_json_of(sandbox, "--group-by device");
  size_t broken = 0;
  std::set<std::string> reasons;
  for (const json& row : with_broken["broken"]) {
    broken += row["count"].get<size_t>();
    CHECK(row["named"].size() == row["count"]);
    reasons.insert(row["reason"]);
  }
  CHECK(broken == kDumps / 10);
  CHECK(reasons == std::set<std::string>{"damaged", "empty", "foreign"});
  with_broken["broken"] = json::array();
  CHECK(with_broken == rest);
  const Outcome text = sandbox.run("fleet");
  CHECK(text.status == 0);
  CHECK(text.out.find("12 files left out") != std::string::npos);
}

TEST_CASE("cli fleet: a record that cannot be used is said once, and why", "[fleet]") {
  Sandbox sandbox;
  put_fleet(sandbox, 12);
  const json rest = fleet_json_of(sandbox, "");
  CHECK(rest["records_left_out"] == json{{"count", 0}, {"named", json::array()}});
  // Nearer to the dumps than the record that fits: each of them is asked for.
  const std::string unusable = slurp(ETLENS_TEST_DATA "/field/unusable.etrecord.bin");
  std::set<std::string> folders;
  for (size_t i = 0; i < 12 && folders.size() < 2; ++i)
    folders.emplace(parent_path(maker().name(i)));
  REQUIRE(folders.size() == 2);
  for (const std::string& folder : folders) sandbox.put(folder + "/near.etrecord", unusable);
  for (const std::string jobs : {"--jobs 1", "--jobs 3"}) {
    json left_out = fleet_json_of(sandbox, jobs);
    const json records = left_out["records_left_out"];
    CAPTURE(jobs, records.dump());
    CHECK(records["count"] == 2);
    REQUIRE(records["named"].size() == 2);
    const std::string sentence = records["named"][0];
    CHECK(sentence.find(*folders.begin() + "/near.etrecord holds no debug_handle_map") !=
          std::string::npos);
    left_out["records_left_out"] = rest["records_left_out"];
    CHECK(left_out == rest);
  }
  for (const std::string command : {"fleet", "rows -o rows.ndjson"}) {
    const Outcome text = sandbox.run(command);
    CAPTURE(command, text.out, text.err);
    CHECK(text.status == 0);
    const std::string& said = command == "fleet" ? text.out : text.err;
    CHECK(said.find("2 records left out") != std::string::npos);
    CHECK(said.find(*folders.rbegin() + "/near.etrecord holds no debug_handle_map") !=
          std::string::npos);
  }
  // One that was named is missed by every dump; none that nobody asks for is said.
  CHECK(sandbox.run("fleet --etrecord " + *folders.begin() + "/near.etrecord").status == 1);
  CHECK(fleet_json_of(sandbox, "--no-etrecord")["records_left_out"]["count"] == 0);
  CHECK(fleet_json_of(sandbox, "--etrecord model.etrecord")["records_left_out"]["count"] == 0);
}

TEST_CASE("cli fleet: a planted change is on its line and nowhere else", "[fleet]") {
  Sandbox sandbox;
  const Outcome lines = sandbox.run("lines --format json" + kMlpPair);
  REQUIRE(lines.status == 0);
  const json line = json::parse(lines.out)["files"][0]["lines"];
  // The hottest line's hottest operator.
  json hottest;
  for (const json& row : line) {
    if (hottest.is_null() || row["self"] > hottest["self"]) hottest = row;
  }
  bench::FleetPlan plan;
  plan.changes.push_back({1, hottest["ops"][0]["instruction_id"].get<int32_t>(), 3});
  put_fleet(sandbox, 240, plan, 24'000);
  const Outcome outcome = sandbox.run("fleet --trend build --format json --picture trend.svg");
  CAPTURE(outcome.err);
  REQUIRE(outcome.status == 0);
  const json trend = json::parse(outcome.out);
  CHECK(trend["schema"] == "etlens/fleet-trend@1");
  std::vector<int> accused;
  for (const json& row : trend["places"]) {
    if (row["kind"] != "line" || row["changed_with"].is_null()) continue;
    accused.push_back(row["line"]);
    CHECK(row["changed_with"] == "2");
    CHECK(row["change"].get<double>() > 0.05);
  }
  CHECK(accused == std::vector<int>{hottest["line"].get<int>()});
  const std::string svg = slurp(sandbox.path("trend.svg"));
  CHECK(svg.starts_with("<svg"));
  CHECK(svg.find("class=\"peak\"") != std::string::npos);
}

TEST_CASE("cli fleet: tables, Markdown, sketches and patterns", "[fleet]") {
  Sandbox sandbox;
  put_fleet(sandbox, 48);
  const Outcome table = sandbox.run("fleet --group-by lab --by module");
  CHECK(table.status == 0);
  CHECK(table.out.find("north") != std::string::npos);
  CHECK(table.out.find("p99") != std::string::npos);
  CHECK(sandbox.run("fleet --format markdown").out.find("| total |") != std::string::npos);
  CHECK(sandbox.run("fleet --format csv --by operator").out.find("aten.") != std::string::npos);
  const json exact = fleet_json_of(sandbox, "");
  const json sketched = fleet_json_of(sandbox, "--exact-values 0");
  CHECK(sketched["quantile_error"] == 0.005);
  for (size_t p = 0; p < exact["places"].size(); ++p) {
    for (const char* q : {"p50", "p90", "p95", "p99"}) {
      const double truth = exact["places"][p][q];
      const auto& places = sketched["places"];
      const auto same = std::find_if(places.begin(), places.end(), [&](const json& row) {
        return row["kind"] == exact["places"][p]["kind"] &&
               row["place"] == exact["places"][p]["place"];
      });
      REQUIRE(same != places.end());
      CHECK(std::abs((*same)[q].get<double>() - truth) <= truth * 0.00501);
    }
  }
  const json by_path =
      fleet_json_of(sandbox, "--facts '{folder}/build-{number}/*.etdp' --group-by folder,number");
  CHECK(by_path["places"][0]["groups"].size() == 24);
  CHECK(by_path["places"][0]["groups"][0]["group"] == json({"device-1", "1"}));
}

TEST_CASE("cli fleet: what cannot be done is one sentence", "[fleet]") {
  Sandbox sandbox;
  check_refused(sandbox.run("fleet ."), {"no ETDump below"});
  check_refused(sandbox.run("fleet --from none.ndjson"), {"cannot open none.ndjson"});
  sandbox.put("text.ndjson", "nothing\n");
  check_refused(sandbox.run("fleet --from text.ndjson"), {"line 1 of text.ndjson"});
  sandbox.put("run.etdp", "");
  check_refused(sandbox.run("fleet --picture a.svg"), {"--trend"}, 2);
  CHECK(sandbox.run("rows").status == 1);
  sandbox.put("run.etdp", read_file(ETLENS_TEST_DATA "/compare/base-1.dump.gz"));
  check_refused(sandbox.run("fleet --group-by planet"), {"the fact planet"}, 2);
  check_refused(sandbox.run("fleet --trend build"), {"the fact build"}, 2);
  sandbox.put("answer.ndjson",
              R"({"schema":"etlens/fleet-places@1","kind":"total","place":"total","dumps":3,)"
              R"("quantiles":[1,2,3,4],"exact":1})"
              "\n");
  CHECK(sandbox.run("fleet --from answer.ndjson").status == 0);
  check_refused(sandbox.run("fleet --from answer.ndjson --group-by lab"), {"places.sql"}, 2);
  check_refused(sandbox.run("rows nowhere"), {"nowhere"});
}

}  // namespace etlens::cli_fleet_test
