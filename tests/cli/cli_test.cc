// SPDX-License-Identifier: Apache-2.0
// The executable as a user meets it: exit statuses, sentences, forms of output.
#include "tests/cli/process.h"
#include "tests/cli/sandbox.h"

#include "core/base/text.h"
#include "tests/support/corpus.h"
#include "tests/support/dump_builder.h"
#include "tests/support/record_builder.h"

namespace etlens::cli_test {

using namespace etlens::test;
namespace fs = std::filesystem;

TEST_CASE("cli: the main job in a folder", "[cli]") {
  const Sandbox sandbox;
  for (const std::string name : {"storyteller", "leafnet", "pricer"}) {
    const Outcome outcome = sandbox.run("annotate " ETLENS_EXAMPLES "/" + name);
    CAPTURE(name, outcome.out, outcome.err);
    CHECK(outcome.status == 0);
    CHECK(outcome.out.find("/examples/" + name + "/model.py\n") != std::string::npos);
    CHECK(outcome.out.find("= Method::execute") != std::string::npos);
    CHECK((outcome.out.find("XNNPACK") != std::string::npos) == (name != "pricer"));
    CHECK(outcome.out.find("/home/user/") == std::string::npos);  // every source was found
    CHECK(outcome.out.find("\x1b[") == std::string::npos);        // no colours into a pipe
  }
}

TEST_CASE("cli: of two records in a folder, each dump finds its own", "[cli]") {
  const Sandbox sandbox;
  const std::string leafnet = ETLENS_EXAMPLES "/leafnet";
  for (const std::string variant : {"fp32", "int8"}) {
    const std::string folder = leafnet + "/" + variant;
    const Outcome outcome = sandbox.run("check " + leafnet + " --etdump " + folder + "/model.etdp");
    CAPTURE(variant, outcome.out, outcome.err);
    CHECK(outcome.status == 0);
    CHECK(outcome.out.find(folder + "/model.etrecord\n") != std::string::npos);
    CHECK(outcome.out.find("match (score 1)") != std::string::npos);
  }
  check_refused(sandbox.run("annotate --etdump " + leafnet + "/fp32/model.etdp --etrecord " +
                            leafnet + "/int8/model.etrecord"),
                {"do not belong together"});
}

TEST_CASE("cli: a folder with two models says which is shown, and how to choose", "[cli]") {
  const Sandbox sandbox;
  const std::string leafnet = ETLENS_EXAMPLES "/leafnet";
  for (const std::string command :
       {"annotate", "advise", "lines", "modules", "events", "partitions", "check"}) {
    const Outcome outcome = sandbox.run(command + " " + leafnet);
    CAPTURE(command, outcome.err);
    CHECK(outcome.status == 0);
    REQUIRE(split_lines(outcome.err).size() == 1);
    CHECK(outcome.err.find("showing " + leafnet) != std::string::npos);
    CHECK(outcome.err.find("is of another model; choose another with --etdump") !=
          std::string::npos);
    CHECK(outcome.err.find("fp32/model.etdp") != std::string::npos);
    CHECK(outcome.err.find("int8/model.etdp") != std::string::npos);
  }
  const auto json = nlohmann::json::parse(sandbox.run("check --format json " + leafnet).out);
  CHECK(json["other_models"].size() == 1);
  CHECK(sandbox.run("lines " + leafnet + " --etdump " + leafnet + "/int8/model.etdp").err.empty());
}

TEST_CASE("cli: several dumps of one model are no other models", "[cli]") {
  Sandbox sandbox;
  for (const std::string run : {"a", "b"}) {
    sandbox.put(run + "/run.etdp", slurp(kMlp + "/run10.etdp"));
    sandbox.put(run + "/model.etrecord", slurp(kMlp + "/model.etrecord"));
  }
  const Outcome outcome = sandbox.run("lines");
  CHECK(outcome.err.find("is the newest of 2 dumps; choose another with --etdump\n") !=
        std::string::npos);
  CHECK(outcome.err.find("another model") == std::string::npos);
}

TEST_CASE("cli: a dump given alone finds the record and the source beside it", "[cli]") {
  Sandbox sandbox;
  sandbox.put("run/run.etdp", slurp(kMlp + "/run10.etdp"));
  sandbox.put("run/model.etrecord", slurp(kMlp + "/model.etrecord"));
  const std::string source = sandbox.put("run/mlp.py", slurp(ETLENS_TEST_DATA "/models/mlp.py"));
  sandbox.put("elsewhere/readme", "");
  const auto path = [&](const std::string& arguments) {
    const Outcome outcome = sandbox.run("lines --format json " + arguments, "elsewhere");
    CAPTURE(outcome.err);
    return nlohmann::json::parse(outcome.out)["files"][0]["path"];
  };
  CHECK(path("--etdump ../run/run.etdp") == source);
  CHECK(path("--etdump " + kMlp + "/run10.etdp --etrecord ../run/model.etrecord") == source);
  CHECK(path("--etdump ../run/run.etdp --root .").is_null());  // the user knows where they are
}

TEST_CASE("cli: one source file only", "[cli]") {
  const Sandbox sandbox;
  const std::string convnet = ETLENS_TEST_DATA "/examples/convnet";
  const Outcome outcome =
      sandbox.run("annotate " + convnet + "/convnet/blocks.py --root " + convnet);
  CHECK(outcome.status == 0);
  CHECK(outcome.out.find("blocks.py") != std::string::npos);
  CHECK(outcome.out.find("head.py") == std::string::npos);
}

TEST_CASE("cli: colours when asked for, never with NO_COLOR in auto", "[cli]") {
  const Sandbox sandbox;
  const std::string folder = ETLENS_EXAMPLES "/pricer";
  CHECK(sandbox.run("annotate " + folder + " --color always").out.find("\x1b[") !=
        std::string::npos);
  CHECK(sandbox.run("annotate " + folder + " --color never").out.find("\x1b[") ==
        std::string::npos);
}

TEST_CASE("cli: JSON of lines reconciles and is consistent", "[cli]") {
  const Sandbox sandbox;
  const Outcome outcome =
      sandbox.run("lines --format json --root " ETLENS_TEST_DATA "/models" + kMlpPair);
  REQUIRE(outcome.status == 0);
  const auto json = nlohmann::json::parse(outcome.out);
  CHECK(json["schema"] == "etlens/lines@2");
  CHECK(json["method"] == "forward");
  CHECK(json["executions"] == 10);
  int64_t sum = 0;
  for (const auto& [name, ticks] : json["reconciliation"].items()) sum += ticks.get<int64_t>();
  CHECK(sum == json["total_ticks"].get<int64_t>());
  const int64_t typical = sum - json["reconciliation"]["disturbance_ticks"].get<int64_t>();
  int64_t self = 0;
  for (const auto& file : json["files"]) {
    CHECK(file["path"] == ETLENS_TEST_DATA "/models/mlp.py");
    for (const auto& line : file["lines"]) {
      self += line["self_ticks"].get<int64_t>();
      CHECK(line["anchor"] == "exact");
      CHECK(line["current_line"] == line["line"]);
      int64_t ops = 0;
      for (const auto& op : line["ops"]) ops += op["self_ticks"].get<int64_t>();
      CHECK(ops == line["self_ticks"].get<int64_t>());
    }
  }
  CHECK(self == json["reconciliation"]["lines_ticks"].get<int64_t>());
  CHECK(json["total"].get<double>() == Approx(static_cast<double>(typical) / 10 / 1e6));
  CHECK(json["mean"].get<double>() == Approx(json["total_ticks"].get<double>() / 10 / 1e6));
}

TEST_CASE("cli: every form of every table", "[cli]") {
  const Sandbox sandbox;
  for (const std::string command : {"lines", "modules", "events", "partitions"}) {
    for (const std::string format : {"table", "tsv", "csv", "json", "markdown"}) {
      const Outcome outcome = sandbox.run(command + " --format " + format + kMlpPair);
      CAPTURE(command, format, outcome.err);
      CHECK(outcome.status == 0);
      CHECK(outcome.out.size() > 100);
      if (format == "json")
        CHECK(nlohmann::json::parse(outcome.out)["schema"] == "etlens/" + command + "@2");
    }
  }
}

TEST_CASE("cli: a folder alone is annotated, what is nearly a command is named", "[cli]") {
  const Sandbox sandbox;
  const std::string folder = ETLENS_EXAMPLES "/storyteller";
  CHECK(sandbox.run(folder).out == sandbox.run("annotate " + folder).out);
  CHECK(sandbox.run(folder + "/layers.py --statistic mean").out ==
        sandbox.run("annotate " + folder + "/layers.py --statistic mean").out);
  const auto problem = [&](const std::string& arguments) {
    const Outcome outcome = sandbox.run(arguments);
    CHECK(outcome.status == 2);
    CHECK(outcome.out.empty());
    return outcome.err;
  };
  const std::string nothing = "etlens: there is no command and no file ";
  CHECK(problem("anotate x") == nothing + "anotate; did you mean annotate?\n");
  CHECK(problem("evnets") == nothing + "evnets; did you mean events?\n");
  CHECK(problem("part") == nothing + "part; did you mean partitions?\n");
  CHECK(problem("/nowhere/at/all") ==
        nothing + "/nowhere/at/all; `etlens --help` lists the commands\n");
}

TEST_CASE("cli: what to look at first", "[cli]") {
  const Sandbox sandbox;
  const std::string folder = ETLENS_EXAMPLES "/storyteller";
  const std::string text = sandbox.run("advise " + folder).out;
  CHECK(text.find("1. up to ") == 0);
  CHECK(text.find("expand_copy on the CPU between XNNPACK calls, in 2 places") !=
        std::string::npos);
  CHECK(text.find("layers.py:43  return weights @ v") != std::string::npos);
  CHECK(text.find("(docs/advice.md#fallback)") != std::string::npos);
  const auto json = nlohmann::json::parse(sandbox.run("advise --format json " + folder).out);
  CHECK(json["schema"] == "etlens/advice@1");
  REQUIRE(json["advice"].size() == 7);
  const std::string page = test::read_file(ETLENS_SOURCE "/docs/advice.md");
  for (const auto& row : json["advice"]) {
    CAPTURE(row["kind"].get<std::string>());
    CHECK(row["at_most_ticks"] <= json["total_ticks"]);
    CHECK(page.find("\n## " + row["kind"].get<std::string>() + "\n") != std::string::npos);
  }
  const std::string csv = sandbox.run("advise --format csv " + folder).out;
  CHECK(split_lines(csv).size() == 8);
  CHECK(sandbox.run("advise --format markdown " + folder).out.find("| up to") == std::string::npos);
}

TEST_CASE("cli: delegate calls", "[cli]") {
  const Sandbox sandbox;
  const std::string folder = ETLENS_TEST_DATA "/examples/transformer";
  const Outcome table = sandbox.run("partitions " + folder);
  CHECK(table.status == 0);
  CHECK(table.out.find("XNNPACK") != std::string::npos);
  CHECK(table.out.find("on the CPU between two calls of one backend") != std::string::npos);
  for (const std::string format : {"tsv", "csv", "markdown"}) {
    CHECK(sandbox.run("partitions --format " + format + " " + folder).out.find("overhead") !=
          std::string::npos);
  }

  const auto json = nlohmann::json::parse(sandbox.run("partitions --format json " + folder).out);
  CHECK(json["schema"] == "etlens/partitions@2");
  REQUIRE(json["partitions"].size() == 20);
  uint64_t delegated = 0;
  for (const auto& call : json["partitions"]) {
    CHECK(call["backend"] == "XnnpackBackend");
    const uint64_t explained = call["explained_ticks"];
    CHECK(explained + call["opaque_ticks"].get<uint64_t>() +
              call["overhead_ticks"].get<uint64_t>() ==
          call["total_ticks"].get<uint64_t>());
    uint64_t by_confidence = 0;
    for (const auto& [word, ticks] : call["explained_by"].items())
      by_confidence += ticks.get<uint64_t>();
    CHECK(by_confidence == explained);
    uint64_t operators = 0;
    for (const auto& op : call["operators"]) operators += op["self_ticks"].get<uint64_t>();
    CHECK(operators == explained + call["opaque_ticks"].get<uint64_t>());
    CHECK_FALSE(call["nodes"].empty());
    for (const auto& node : call["nodes"])
      CHECK(node["event"].is_null() == (node["fate"] == "not reported"));
    CHECK((!call["fed_by"].empty() || !call["read_by"].empty()));
    delegated += call["total_ticks"].get<uint64_t>();
  }
  CHECK(delegated == json["delegated_ticks"].get<uint64_t>());
  CHECK(json["fallbacks"].size() == 19);
  CHECK(json["fallbacks"][0]["operators"][0]["op"] == "aten.mean.dim");
}

TEST_CASE("cli: lines and modules say what ran in delegates", "[cli]") {
  const Sandbox sandbox;
  const std::string folder = ETLENS_TEST_DATA "/examples/transformer";
  const auto lines = nlohmann::json::parse(sandbox.run("lines --format json " + folder).out);
  bool any_mixed = false;
  for (const auto& line : lines["files"][0]["lines"]) {
    const double share = line["delegated"];
    CHECK(share >= 0);
    CHECK(share <= 1);
    any_mixed |= share > 0 && share < 1;
    if (share > 0) CHECK(line["delegates"] == std::vector<std::string>{"XnnpackBackend"});
  }
  CHECK(any_mixed);
  const auto modules = nlohmann::json::parse(sandbox.run("modules --format json " + folder).out);
  CHECK(modules["modules"][0]["partitions"].size() == 20);
  CHECK(modules["modules"][0]["delegated"].get<double>() > 0.8);
  for (const auto& module : modules["modules"]) {
    CHECK(module["delegated_ticks"].get<uint64_t>() <= module["inclusive_ticks"].get<uint64_t>());
  }
}

TEST_CASE("cli: one module", "[cli]") {
  const Sandbox sandbox;
  const auto json =
      nlohmann::json::parse(sandbox.run("modules --module first --format json" + kMlpPair).out);
  CHECK(json["modules"].size() == 4);
  CHECK(json["modules"][0]["path"] == "first");
  check_refused(sandbox.run("modules --module fir" + kMlpPair),
                {"no module fir", "`etlens modules`"});
}

TEST_CASE("cli: inspect", "[cli]") {
  const Sandbox sandbox;
  const Outcome tsv = sandbox.run("inspect --compat=1.5 --format tsv" + kMlpPair);
  CHECK(tsv.status == 0);
  CHECK(tsv.out.starts_with("\tevent_block_name\tevent_name\tp10 (ms)"));
  CHECK(sandbox
            .run("inspect --compat --format json --debug-buffer " + kMlp + "/debug.bin --etdump " +
                 kMlp + "/debug.etdp --etrecord " + kMlp + "/model.etrecord")
            .out.find("\"mean\": 0.0423") != std::string::npos);
  // A dump that is named alone is shown alone.
  CHECK(sandbox.run("inspect --format json --etdump " + kMlp + "/run10.etdp").out.find("aten.") ==
        std::string::npos);
  const Outcome refused = sandbox.run(
      "inspect --compat --format tsv --etdump " ETLENS_TEST_DATA
      "/release-1.5/methods-forward-portable/interleaved.etdp --etrecord " ETLENS_TEST_DATA
      "/release-1.5/methods-forward-portable/model.etrecord");
  CHECK(refused.status == 0);
  CHECK(refused.err.find("these are etlens's own joins") != std::string::npos);
}

TEST_CASE("cli: check says match, partial or mismatch", "[cli]") {
  const Sandbox sandbox;
  const auto json = nlohmann::json::parse(sandbox.run("check --format json" + kMlpPair).out);
  CHECK(json["pair"]["verdict"] == "match");
  CHECK(json["pair"]["score"] == 1);
  CHECK(json["coverage"]["lines"].get<double>() > 0.9);
  const Outcome wrong = sandbox.run("check --format json --etdump " + kMlp +
                                    "/run10.etdp --etrecord " ETLENS_TEST_DATA
                                    "/release-1.5/gate-portable-fp32/model.etrecord");
  CHECK(wrong.status == 1);
  CHECK(nlohmann::json::parse(wrong.out)["pair"]["verdict"] == "mismatch");
}

TEST_CASE("cli: bad input gets one sentence", "[cli]") {
  Sandbox sandbox;
  const std::string dump = kMlp + "/run10.etdp";
  const std::string record = kMlp + "/model.etrecord";
  const std::string text = sandbox.put("notes.bin", "just some text, nothing more");
  const std::string empty = sandbox.put("empty.etdp", "");

  check_refused(sandbox.run("annotate"), {"no ETDump below", "--etdump"});
  check_refused(sandbox.run("lines --etdump " + sandbox.path("none.etdp")),
                {"none.etdp", "No such file", "check the path"});
  check_refused(sandbox.run("lines --etdump " + sandbox.path()), {"Is a directory", "give a file"});
  check_refused(sandbox.run("lines --etdump " + empty), {"empty.etdp is empty", "EVENT_TRACER"});
  check_refused(sandbox.run("lines --etdump " + text),
                {"notes.bin is not an ETDump", "event tracer"});
  check_refused(sandbox.run("lines --etdump " + record),
                {"is an ETRecord, not an ETDump", "--etrecord"});
  check_refused(sandbox.run("lines --etdump " + dump + " --etrecord " + dump),
                {"is an ETDump, not an ETRecord"});
  check_refused(sandbox.run("lines --etdump " + dump + " --etrecord " + text),
                {"notes.bin is not a ZIP file"});
  check_refused(
      sandbox.run("lines --etdump " + dump +
                  " --etrecord " ETLENS_TEST_DATA "/release-1.5/gate-portable-fp32/model.etrecord"),
      {"do not belong together", "score", "ETRecord of the export"});

  const std::string no_maps =
      sandbox.put("nomaps.etrecord", ZipBuilder().add("ETRECORD_V0", "").build().text());
  check_refused(sandbox.run("lines --etdump " + dump + " --etrecord " + no_maps),
                {"nomaps.etrecord holds no debug_handle_map", "generate_etrecord"});
  DumpBuilder only_loading;
  only_loading.block("Default").framework("Program::load_method", 0, 10);
  const std::string no_events = sandbox.put("loading/loading.etdp", only_loading.build().text());
  check_refused(sandbox.run("lines --etdump " + no_events),
                {"loading.etdp holds no execution", "only the loading", "run the method"});
  const std::string cut = sandbox.put("cut.etdp", slurp(dump).substr(0, 5000));
  check_refused(sandbox.run("lines --etdump " + cut), {"cut.etdp is cut off: 5000 of", "copy it"});
  check_refused(sandbox.run("lines --root " + sandbox.path("nowhere") + " --etdump " + dump),
                {"nowhere", "No such file"});
  check_refused(sandbox.run("annotate --etdump " + sandbox.put("alone/run.etdp", slurp(dump))),
                {"no ETRecord was found", "--etrecord"});
  check_refused(sandbox.run("lines --method train" + kMlpPair),
                {"no method train", "the record has forward"});
  check_refused(sandbox.run("lines --block Run" + kMlpPair),
                {"no execution block Run", "the dump has Execute"});
  check_refused(sandbox.run("lines -o " + sandbox.path("no/folder/x") + kMlpPair),
                {"cannot write", "check the path"});
}

TEST_CASE("cli: what it took to set delegates up stands on their calls", "[cli]") {
  DumpBuilder dump;
  dump.block("Default").add({"", -1, 0, 100, 400'100, -1, "VGF_INIT_TOTAL", ""});
  dump.framework("Method::init", 0, 500'000).framework("Program::load_method", 0, 500'000);
  dump.block("Execute").event("DELEGATE_CALL", 0, 600'000, 601'000);
  dump.framework("Method::execute", 600'000, 602'000);
  RecordBuilder record;
  record.map(0, {1}).delegate(0, "VgfBackend");
  record.lowered("call", "VgfBackend", {{"n", "aten.relu.default", 1, "", "", {"x"}}});
  Sandbox sandbox;
  sandbox.put("m.etdp", dump.build().text());
  sandbox.put("m.etrecord", record.build().text());
  const nlohmann::json calls = nlohmann::json::parse(sandbox.run("partitions . --format json").out);
  CHECK(calls["partitions"][0]["init"] == 0.4);
  CHECK(calls["cold_start"]["init_in_delegates"] == 0.4);
  CHECK(calls["cold_start"]["init_of_calls"] ==
        nlohmann::json::array({{{"partition", 1}, {"init", 0.4}}}));
  const std::string table = sandbox.run("partitions .").out;
  CAPTURE(table);
  CHECK(table.find(" init\n") != std::string::npos);
  CHECK(table.find(" 400 µs\n") != std::string::npos);
  CHECK(sandbox.run("check .").out.find("init 500 µs (400 µs of it in delegates)") !=
        std::string::npos);
  // Where nobody logs it there is no column.
  CHECK(sandbox.run("partitions" + kMlpPair).out.find("init\n") == std::string::npos);
}

TEST_CASE("cli: an artifact without its option is no source", "[cli]") {
  Sandbox sandbox;
  sandbox.put("old.etdp", slurp(kMlp + "/run10.etdp"));
  sandbox.put("new.etdp", slurp(kMlp + "/run10.etdp"));
  sandbox.put("model.etrecord", slurp(kMlp + "/model.etrecord"));
  for (const char* command : {"annotate", "lines", "check", "inspect"}) {
    const std::string name(command);
    check_refused(sandbox.run(name + " old.etdp"),
                  {"old.etdp is an ETDump, not a source", "--etdump"}, 2);
    check_refused(sandbox.run(name + " model.etrecord"),
                  {"model.etrecord is an ETRecord, not a source", "--etrecord"}, 2);
  }
}

TEST_CASE("cli: an unreadable file", "[cli]") {
  Sandbox sandbox;
  const std::string secret = sandbox.put("secret.etdp", slurp(kMlp + "/run10.etdp"));
  fs::permissions(secret, fs::perms::none);
  const Ended ended =
      run_in(sandbox.path(), "lines --etdump " + secret, {.obeys_rights = true});  // as root, too
  check_refused({ended.status, ended.out, ended.err}, {"Permission denied", "make it readable"});
}

TEST_CASE("cli: wrong usage is 2", "[cli]") {
  const Sandbox sandbox;
  CHECK(sandbox.run("").status == 2);
  CHECK(sandbox.run("fly").status == 2);
  CHECK(sandbox.run("lines --format xml").status == 2);
  CHECK(sandbox.run("lines --path-map nonsense" + kMlpPair).status == 2);
  CHECK(sandbox.run("inspect --compat=soon" + kMlpPair).status == 2);
  CHECK(sandbox.run("lines --target-time-scale cycles" + kMlpPair).status == 2);
  CHECK(sandbox.run("--help").status == 0);
  CHECK(sandbox.run("--version").out.starts_with("etlens "));
  for (const std::string command :
       {"annotate", "lines", "modules", "events", "partitions", "inspect", "check"}) {
    const Outcome help = sandbox.run(command + " --help");
    CHECK(help.status == 0);
    CHECK(help.out.find("--etdump") != std::string::npos);
  }
}

TEST_CASE("cli: path mapping never guesses", "[cli]") {
  Sandbox sandbox;
  const std::string source = slurp(ETLENS_TEST_DATA "/models/mlp.py");
  sandbox.put("a/edge-models/mlp.py", source);
  const auto path_of = [&](const std::string& options) {
    const Outcome outcome = sandbox.run("lines --format json " + options + kMlpPair);
    return nlohmann::json::parse(outcome.out)["files"][0]["path"];
  };
  CHECK(path_of("--root .") == sandbox.path("a/edge-models/mlp.py"));
  sandbox.put("b/mlp.py", source);  // shares less of the recorded path
  CHECK(path_of("--root .") == sandbox.path("a/edge-models/mlp.py"));
  sandbox.put("c/edge-models/mlp.py", source);  // as much
  CHECK(path_of("--root .").is_null());
  CHECK(path_of("--root . --path-map /home/user/edge-models=" + sandbox.path("b")) ==
        sandbox.path("b/mlp.py"));
  CHECK(path_of("--root b") == sandbox.path("b/mlp.py"));
}

TEST_CASE("cli: cycles are shown as cycles", "[cli]") {
  const Sandbox sandbox;
  const Outcome outcome = sandbox.run("lines --source-time-scale cycles" + kMlpPair);
  CHECK(outcome.status == 0);
  CHECK(outcome.out.find("kcyc") != std::string::npos);
  const auto json = nlohmann::json::parse(
      sandbox.run("lines --source-time-scale cycles --format json" + kMlpPair).out);
  CHECK(json["time_unit"] == "cycles");
  check_refused(sandbox.run("lines --source-time-scale cycles --target-time-scale us" + kMlpPair),
                {"--target-time-scale", "--source-time-scale"}, 2);
}

TEST_CASE("what keeps numbers from their lines is said", "[cli]") {
  Sandbox sandbox;
  sandbox.put("a.etdp", slurp(kMlp + "/run10.etdp"));
  for (const std::string command :
       {"lines", "modules", "events", "partitions", "advise", "check"}) {
    CAPTURE(command);
    const Outcome alone = sandbox.run(command + " .");
    CHECK(alone.status == 0);
    CHECK(alone.err.find("no ETRecord was found for") != std::string::npos);
    CHECK(sandbox.run(command + kMlpPair).err.empty());
  }
  sandbox.put("cut.pte", slurp(kMlp + "/model.pte").substr(0, 700));
  for (const std::string command : {"lines", "check", "annotate"}) {
    CAPTURE(command);
    const Outcome cut = sandbox.run(command + kMlpPair + "--pte cut.pte");
    CHECK(cut.status == 0);
    CHECK(cut.err.find("cut.pte is damaged") != std::string::npos);
    CHECK(split_lines(cut.err).size() == 1);
  }
}

TEST_CASE("a table of all files says so when one was named", "[cli]") {
  const Sandbox sandbox;
  const std::string folder = ETLENS_SOURCE "/examples/storyteller";
  const Outcome outcome = sandbox.run("lines " + folder + " " + folder + "/rope.py");
  CHECK(outcome.status == 0);
  CHECK(outcome.err.find("this is of all files") != std::string::npos);
  CHECK(sandbox.run("annotate " + folder + " " + folder + "/rope.py").err.empty());
}

TEST_CASE("a repeatable option takes one value, and leaves the folder alone", "[cli]") {
  const Sandbox sandbox;
  const std::string folder = kMlp;
  for (const std::string option : {"--root .", "--library-frames '*/x/*'", "--path-map /a=/b"}) {
    CAPTURE(option);
    const Outcome outcome = sandbox.run("lines " + option + " " + folder);
    CHECK(outcome.status == 0);
    CHECK_FALSE(outcome.out.empty());
  }
}

}  // namespace etlens::cli_test
