// SPDX-License-Identifier: Apache-2.0
// What many executions are as one number: the options, and that every answer adds up.
#include <cmath>

#include "core/render/display_width.h"
#include "tests/cli/sandbox.h"
#include "tests/support/corpus.h"
#include "tests/support/dump_builder.h"

namespace etlens::statistic_test {

using namespace etlens::test;
using nlohmann::json;

namespace {

const std::string kTransformer = " " ETLENS_TEST_DATA "/examples/transformer ";

json run_json(const Sandbox& sandbox, const std::string& arguments) {
  const Outcome outcome = sandbox.run(arguments);
  CAPTURE(arguments, outcome.err);
  REQUIRE(outcome.status == 0);
  return json::parse(outcome.out);
}

int64_t sum_of_parts(const json& report) {
  int64_t sum = 0;
  for (const auto& [name, ticks] : report["reconciliation"].items()) sum += ticks.get<int64_t>();
  return sum;
}

// A dump of executions that take `ticks` each, in two operators.
std::string dump_of(std::initializer_list<uint64_t> ticks) {
  DumpBuilder dump;
  uint64_t now = 0;
  for (const uint64_t t : ticks) {
    dump.block("Execute");
    dump.operator_call("native_call_mm.out", 0, now, now + t);
    dump.operator_call("native_call_add.out", 1, now + t, now + 2 * t);
    dump.framework("Method::execute", now, now + 2 * t);
    now += 3 * t;
  }
  return std::string(dump.build().text());
}

}  // namespace

TEST_CASE("statistic: whichever it is, the numbers reconcile", "[cli][statistic]") {
  const Sandbox sandbox;
  const std::string options =
      GENERATE(as<std::string>(), "", "--statistic mean", "--statistic median", "--statistic min",
               "--statistic max", "--raw", "--statistic mean --raw", "--executions 1-5,10",
               "--statistic min --raw --executions 7", "--warmup 4",
               "--statistic mean --executions 2-7 --warmup 4");
  CAPTURE(options);
  const json report = run_json(sandbox, "lines --format json" + kTransformer + options);
  CHECK(sum_of_parts(report) == report["total_ticks"].get<int64_t>());
  const auto used = report["executions_used"].get<double>();
  const int64_t parts =
      sum_of_parts(report) - report["reconciliation"]["disturbance_ticks"].get<int64_t>();
  CHECK(report["total"].get<double>() == Approx(static_cast<double>(parts) / used / 1e6));
  CHECK(report["mean"].get<double>() == Approx(report["total_ticks"].get<double>() / used / 1e6));
  int64_t self = 0;
  double shares = 0;
  for (const json& file : report["files"]) {
    for (const json& line : file["lines"]) {
      self += line["self_ticks"].get<int64_t>();
      shares += line["share"].get<double>();
      int64_t ops = 0;
      int64_t disturbance = 0;
      for (const json& op : line["ops"]) {
        ops += op["self_ticks"].get<int64_t>();
        disturbance += op["disturbance_ticks"].get<int64_t>();
      }
      CHECK(ops == line["self_ticks"].get<int64_t>());
      CHECK(disturbance == line["disturbance_ticks"].get<int64_t>());
    }
  }
  CHECK(self == report["reconciliation"]["lines_ticks"].get<int64_t>());
  CHECK(shares == Approx(static_cast<double>(self) / static_cast<double>(parts)));
  CHECK(run_json(sandbox, "check --format json" + kTransformer + options)["total_ticks"] ==
        report["total_ticks"]);
  CHECK(run_json(sandbox, "modules --format json" + kTransformer + options)["total"] ==
        report["total"]);
}

TEST_CASE("statistic: the mean of all, raw, has no disturbance", "[cli][statistic]") {
  const Sandbox sandbox;
  const json report = run_json(
      sandbox, "lines --statistic mean --raw --executions all --format json" + kTransformer);
  CHECK(report["statistic"] == "mean");
  CHECK(report["raw"] == true);
  CHECK(report["executions_shown"] == "all");
  CHECK(report["executions_used"] == report["executions"]);
  CHECK(report["reconciliation"]["disturbance_ticks"] == 0);
  CHECK(report["total"].get<double>() == Approx(report["mean"].get<double>()));
}

TEST_CASE("statistic: the executions to use", "[cli][statistic]") {
  const Sandbox sandbox;
  const json some = run_json(sandbox, "events --executions 3-5,1 --format json" + kTransformer);
  CHECK(some["executions_shown"] == "1,3-5");
  CHECK(some["executions_used"] == 4);
  CHECK(some["executions"].get<int>() > 4);
  CHECK(some["statistic"] == "typical");
  for (const json& event : some["events"]) CHECK(event["low"].is_null());  // too few to tell
}

TEST_CASE("statistic: what does not exist is one sentence", "[cli][statistic]") {
  const Sandbox sandbox;
  for (const std::string command : {"lines", "modules", "events", "partitions", "check"}) {
    CAPTURE(command);
    check_refused(sandbox.run(command + " --statistic average" + kTransformer),
                  {"no statistic average", "typical, mean, median, min and max"}, 2);
    check_refused(sandbox.run(command + " --executions 1-900" + kTransformer),
                  {"1-900", "slow, fast or all"}, 2);
    check_refused(sandbox.run(command + " --executions slow" + kTransformer),
                  {"of one kind", "1-25,30"}, 2);
  }
  check_refused(sandbox.run("annotate --statistic p99" + kTransformer), {"no statistic p99"}, 2);
  for (const std::string option : {"--warmup", "--top"}) {
    const Outcome outcome = sandbox.run("lines " + option + " -1" + kTransformer);
    CAPTURE(option, outcome.err);
    CHECK(outcome.status == 2);
    CHECK(outcome.err.starts_with(option + ": a whole number from 0 on is needed\n"));
  }
}

TEST_CASE("statistic: executions that do different work", "[cli][statistic]") {
  Sandbox sandbox;
  sandbox.put("llm.etdp", read_file(ETLENS_TEST_DATA "/llm-cache/model.etdp.gz"));
  const std::string pair = " --etdump " + sandbox.path("llm.etdp") +
                           " --etrecord " ETLENS_TEST_DATA "/llm-cache/model.etrecord ";
  const json report = run_json(sandbox, "check --format json" + pair);
  CHECK(report["executions"] == 31);
  CHECK(report["executions_shown"] == "2-31");
  REQUIRE(report["groups"].size() == 2);
  const json& decode = report["groups"][0];
  const json& prefill = report["groups"][1];
  CHECK(decode["name"] == "decode");
  CHECK(decode["executions"].size() == 30);
  CHECK(decode["shown"] == true);
  CHECK(decode["size"].is_null());
  CHECK(decode["total_ticks"] == report["total_ticks"]);
  CHECK(decode["typical"].get<double>() == Approx(report["total"].get<double>()));
  CHECK(prefill["name"] == "prefill");
  CHECK(prefill["executions"] == json::array({1}));
  CHECK(report["kinds"][1]["executions"] == 1);
  CHECK(report["report"].dump().find("executions-differ") != std::string::npos);
  CHECK(sandbox.run("check" + pair).out.find("prefill ×1") != std::string::npos);
  for (const char* chosen : {"--group prefill", "--executions slow", "--executions prefill"}) {
    CAPTURE(chosen);
    const json lines = run_json(sandbox, "lines --format json " + (chosen + pair));
    CHECK(lines["executions_shown"] == "1");
    CHECK(lines["groups"][1]["shown"] == true);
    CHECK(sum_of_parts(lines) == lines["total_ticks"].get<int64_t>());
  }
  CHECK(run_json(sandbox, "check --format json --executions all" + pair)["executions_used"] == 31);
  check_refused(sandbox.run("lines --group chat" + pair), {"chat", "decode, prefill"}, 2);
}

TEST_CASE("statistic: groups of executions side by side", "[cli][statistic]") {
  Sandbox sandbox;
  sandbox.put("llm.etdp", read_file(ETLENS_TEST_DATA "/llm-cache/model.etdp.gz"));
  const std::string pair = " --etdump " + sandbox.path("llm.etdp") +
                           " --etrecord " ETLENS_TEST_DATA "/llm-cache/model.etrecord ";
  const json lines = run_json(sandbox, "lines --format json" + pair);
  const json modules = run_json(sandbox, "modules --format json" + pair);
  REQUIRE(lines["groups"].size() == 2);
  for (size_t g = 0; g < 2; ++g) {
    const json& group = lines["groups"][g];
    const std::string name = group["name"];
    CAPTURE(name);
    int64_t all = 0;
    for (const auto& [part, ticks] : group["reconciliation"].items()) all += ticks.get<int64_t>();
    CHECK(all == group["total_ticks"]);
    const json alone = run_json(sandbox, "lines --format json --group " + name + pair);
    int64_t on_lines = 0;
    for (size_t f = 0; f < lines["files"].size(); ++f) {
      const json& rows = lines["files"][f]["lines"];
      for (size_t l = 0; l < rows.size(); ++l) {
        const json& cost = rows[l]["groups"][g];
        const json& line = alone["files"][f]["lines"][l];
        CHECK(cost["name"] == name);
        for (const char* field :
             {"self", "self_ticks", "inclusive", "inclusive_ticks", "disturbance_ticks", "share"})
          CHECK(cost[field] == line[field]);
        on_lines += cost["self_ticks"].get<int64_t>();
      }
    }
    CHECK(on_lines == group["reconciliation"]["lines_ticks"]);
    CHECK(on_lines > 0);
    const json of_group = run_json(sandbox, "modules --format json --group " + name + pair);
    for (size_t m = 0; m < modules["modules"].size(); ++m) {
      const json& cost = modules["modules"][m]["groups"][g];
      const json& module = of_group["modules"][m];
      for (const char* field :
           {"self", "self_ticks", "inclusive", "inclusive_ticks", "disturbance_ticks", "share"})
        CHECK(cost[field] == module[field]);
    }
    const json events = run_json(sandbox, "events --format json --group " + name + pair);
    int64_t of_events = group["reconciliation"]["disturbance_ticks"];
    for (const json& event : events["events"]) {
      CHECK(event["groups"][g]["self_ticks"] == event["self_ticks"]);
      of_events += event["groups"][g]["self_ticks"].get<int64_t>();
    }
    CHECK(of_events == group["total_ticks"]);
  }
  for (const char* command : {"lines", "modules", "events"}) {
    CAPTURE(command);
    const std::string table = sandbox.run(std::string(command) + " --groups" + pair).out;
    CHECK(table.find("decode ×30") < table.find("prefill ×1"));
    CHECK(table.find("one execution of each group") != std::string::npos);
    const std::string by_prefill =
        sandbox.run(std::string(command) + " --groups --sort prefill-share --format csv" + pair)
            .out;
    CHECK(by_prefill.find("prefill share") != std::string::npos);
  }
  check_refused(sandbox.run("events --groups --by line" + pair), {"--groups", "--by"}, 2);
  const Outcome alike = sandbox.run("lines --groups" + kTransformer);
  CHECK(alike.status == 0);
  CHECK(alike.err.find("no groups") != std::string::npos);
}

TEST_CASE("statistic: tokens per second where a count is known", "[cli][statistic]") {
  Sandbox sandbox;
  sandbox.put("llm.etdp", read_file(ETLENS_TEST_DATA "/llm-cache/model.etdp.gz"));
  sandbox.put("nets.etdp", read_file(ETLENS_TEST_DATA "/groups/dense-xnnpack/three.etdp.gz"));
  const json of_tokens =
      run_json(sandbox, "check --format json --etdump " + sandbox.path("llm.etdp") +
                            " --etrecord " ETLENS_TEST_DATA "/llm-cache/model.etrecord")["groups"];
  CHECK(of_tokens[0]["tokens"] == 1);
  CHECK(of_tokens[0]["tokens_per_second"].get<double>() ==
        Approx(1000 / of_tokens[0]["typical"].get<double>()));
  // Its size is a lower bound, which is no count.
  CHECK(of_tokens[1]["tokens"].is_null());
  CHECK(of_tokens[1]["tokens_per_second"].is_null());
  const json of_images =
      run_json(sandbox, "check --format json --etdump " + sandbox.path("nets.etdp") +
                            " --etrecord " ETLENS_TEST_DATA
                            "/groups/dense-xnnpack/model.etrecord")["groups"];
  REQUIRE(of_images.size() == 3);
  for (const json& group : of_images) CHECK(group["tokens_per_second"].is_null());
}

TEST_CASE("statistic: executions of static shapes are one group", "[cli][statistic]") {
  Sandbox sandbox;
  const std::string dump =
      " --etdump " +
      sandbox.put("kinds.etdp", dump_of({12000000, 11900000, 12100000, 1000000, 1010000, 1000000,
                                         990000, 1000000, 1005000, 1000000, 1000000, 1002000})) +
      " ";
  const json report = run_json(sandbox, "check --format json" + dump);
  CHECK(report["groups"] == json::array());
  CHECK(report["kinds"] == json::array());
  CHECK(report["executions_shown"] == "all");
}

TEST_CASE("statistic: one execution that took far longer is odd, and named", "[cli][statistic]") {
  Sandbox sandbox;
  const std::string dump =
      " --etdump " + sandbox.put("odd.etdp", dump_of({1000, 1010, 9000, 1000, 990, 1000, 1000}));
  const json report = run_json(sandbox, "check --format json" + dump);
  REQUIRE(report["odd_executions"].size() == 1);
  CHECK(report["odd_executions"][0]["execution"] == 3);
  CHECK(report["odd_executions"][0]["total_ticks"] == 18000);
  CHECK(report["reconciliation"]["disturbance_ticks"].get<int64_t>() > 15000);
  CHECK(sum_of_parts(report) == report["total_ticks"].get<int64_t>());
}

TEST_CASE("statistic: a single sample is called one", "[cli][statistic]") {
  Sandbox sandbox;
  const std::string dump = " --etdump " + sandbox.put("one.etdp", dump_of({1000}));
  const json report = run_json(sandbox, "check --format json" + dump);
  CHECK(report["report"].dump().find("single-sample") != std::string::npos);
  const std::string text = sandbox.run("lines" + dump).out;
  CHECK(text.find("a single sample") != std::string::npos);
  CHECK(text.find("±") == std::string::npos);
}

TEST_CASE("statistic: intervals hold the number, ranks that nobody can tell are shared",
          "[cli][statistic]") {
  const Sandbox sandbox;
  const json report = run_json(sandbox, "lines --format json" + kTransformer);
  std::vector<std::pair<int64_t, json>> ranked;
  for (const json& file : report["files"]) {
    for (const json& line : file["lines"]) {
      if (line["self_ticks"] == 0) {
        CHECK(line["rank"].is_null());
        continue;
      }
      ranked.emplace_back(line["self_ticks"], line["rank"]);
      CHECK(line["low"].get<double>() <= line["self"].get<double>());
      CHECK(line["high"].get<double>() >= line["self"].get<double>());
    }
  }
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  size_t shared = 0;
  for (size_t i = 0; i < ranked.size(); ++i) {
    const auto first = ranked[i].second[0].get<size_t>();
    const auto last = ranked[i].second[1].get<size_t>();
    CHECK(first <= i + 1);
    CHECK(last >= i + 1);
    if (i > 0) CHECK(last >= ranked[i - 1].second[1].get<size_t>());
    shared += first < last ? 1 : 0;
  }
  CHECK(shared >= 2);
  CHECK(ranked.front().second[1] < ranked.back().second[0]);  // these two can be told
  const std::string table = sandbox.run("lines" + kTransformer).out;
  CHECK(table.find("–") != std::string::npos);
  CHECK(table.find("±") != std::string::npos);
}

TEST_CASE("statistic: percentiles of an event are of the self time beside them",
          "[cli][statistic]") {
  const Sandbox sandbox;
  const json report =
      run_json(sandbox, "events --statistic median --raw --format json" + kTransformer);
  const auto used = report["executions_used"].get<double>();
  size_t compared = 0;
  for (const json& event : report["events"]) {
    if (event["p50"].is_null()) continue;
    CAPTURE(event["event"]);
    CHECK(event["p50"].get<double>() >= event["min"].get<double>());
    CHECK(event["p90"].get<double>() <= event["max"].get<double>());
    CHECK(std::fabs(event["p50"].get<double>() - event["self"].get<double>()) <= 1e-6 / used);
    ++compared;
  }
  CHECK(compared > 0);
}

TEST_CASE("tables: the unit that was asked for, in the columns of the terminal",
          "[cli][statistic]") {
  const Sandbox sandbox;
  for (const std::string command : {"lines", "modules", "events", "partitions"}) {
    CAPTURE(command);
    const Outcome chosen = sandbox.run(command + kTransformer);
    CHECK(chosen.out.find(" ns") != std::string::npos);
    const Outcome outcome = sandbox.run(command + " --target-time-scale us" + kTransformer);
    CHECK(outcome.out.find("µs") != std::string::npos);
    CHECK(outcome.out.find(" ns") == std::string::npos);
    CHECK(outcome.out.find(" ms") == std::string::npos);
    CHECK(outcome.out.find("_ms") == std::string::npos);
    const std::string shown = sandbox.show(command + kTransformer, 120);
    CHECK(shown.find("= Method::execute") != std::string::npos);
    for (const std::string_view line : split_lines(shown)) {
      CAPTURE(line);
      if (command != "modules") CHECK(display_width(line) <= 120);
    }
  }
}

}  // namespace etlens::statistic_test
