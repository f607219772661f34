// SPDX-License-Identifier: Apache-2.0
#include "server/config.h"

#include <catch2/catch.hpp>

#include "tests/support/language_client.h"
#include "tests/support/server_workspace.h"

namespace etlens::config_test {

using namespace etlens::test;

TEST_CASE("settings: nested, dotted, or both, null is not set", "[server]") {
  const ConfigReading reading = read_config(json::parse(R"({
    "hints": {"thresholdPercent": 2, "format": "share"}, "hints.enabled": false, "timeUnit": "us",
    "sourceTimeScale": "cycles", "pathMappings": [{"from": "/build", "to": "src"}],
    "libraryFrames": ["**/vendored/**"], "recoverHelperLines": false, "artifactGlobs": ["runs/*.etdp"], "diagnostics": {"fallback": true},
    "profile": null, "method": "encode", "block": "Execute #2"})"));
  CHECK(reading.problems.empty());
  CHECK(reading.unknown.empty());
  CHECK(reading.config.show.threshold == Approx(0.02));
  CHECK(reading.config.show.style == HintStyle::Share);
  CHECK_FALSE(reading.config.show.hints);
  CHECK(reading.config.show.unit == TimeScale::Microseconds);
  CHECK(reading.config.show.fallback_diagnostics);
  CHECK(reading.config.load.time_scale == TimeScale::Cycles);
  CHECK(reading.config.load.path_mappings.at(0).from == "/build");
  CHECK(reading.config.load.library_frames == std::vector<std::string>{"**/vendored/**"});
  CHECK_FALSE(reading.config.load.recovers);
  CHECK(reading.config.load.artifact_globs == std::vector<std::string>{"runs/*.etdp"});
  CHECK(reading.config.load.selection.method == "encode");
  CHECK(reading.config.load.selection.block == "Execute #2");
}

TEST_CASE(
    "settings: wrong types keep the default and are named, unknown ones too, a client's are its "
    "own",
    "[server]") {
  const ConfigReading reading = read_config(json::parse(R"({
    "hints": {"thresholdPercent": "much", "colour": "red"}, "hints.enabled": 1, "timeUnit": "cycles",
    "sourceTimeScale": "days", "pathMappings": {"a": "b"}, "speed": 3, "server": {"path": "/x"}, "heat.enabled": true, "trace.server": "off"})"));
  CHECK(reading.config.show == ShowSettings());
  CHECK(reading.config.load == LoadSettings());
  CHECK(reading.problems ==
        std::vector<std::string>{
            "the setting etlens.hints.thresholdPercent must be a number from 0 to 100; the default "
            "is used instead",
            "the setting etlens.hints.enabled must be true or false; the default is used instead",
            "the setting etlens.pathMappings must be a list of {\"from\": …, \"to\": …}; the "
            "default is used instead",
            "the setting etlens.sourceTimeScale must be one of ns, us, ms, s, cycles; the default "
            "is used instead",
            "the setting etlens.timeUnit must be one of auto, ns, us, ms, s; the default is used "
            "instead"});
  CHECK(reading.unknown == std::vector<std::string>{"etlens.hints.colour", "etlens.speed"});
  CHECK(read_config(json::array({1})).problems.size() == 1);
  CHECK(read_config("hints").problems.size() == 1);
  CHECK(read_config(nullptr).problems.empty());
}

TEST_CASE("settings: an empty object, as Lua writes it, is one", "[server]") {
  for (const char* text :
       {"[]", R"({"hints": [], "diagnostics": []})", R"({"pathMappings": []})", "{}"}) {
    const ConfigReading reading = read_config(json::parse(text));
    CHECK(reading.problems.empty());
    CHECK(reading.unknown.empty());
  }
  CHECK(read_config(json::parse(R"({"hints": [1]})")).unknown ==
        std::vector<std::string>{"etlens.hints"});
}

TEST_CASE("wrong settings are reported once, whatever the client repeats", "[server]") {
  MemoryFileSystem files = model_workspace();
  LanguageClient client(files);
  client.settings = {{"hints", {{"thresholdPercent", -1}}}};
  client.initialize();
  CHECK(client.take("window/showMessage").size() == 1);
  for (int i = 0; i < 3; ++i)
    client.notify("workspace/didChangeConfiguration", {{"settings", nullptr}});
  CHECK(client.count("window/showMessage") == 0);
}

TEST_CASE("a change of what is shown refreshes, a change of what is loaded loads", "[server]") {
  MemoryFileSystem files = model_workspace();
  LanguageClient client(files);
  client.initialize();
  client.open(kModelPath, model_source());
  client.take("workspace/inlayHint/refresh");
  client.advance(1000);
  const json generation = client.request("etlens/status")["generation"];

  client.settings = {{"hints", {{"format", "share"}}}};
  client.notify("workspace/didChangeConfiguration", {{"settings", nullptr}});
  CHECK(client.take("workspace/inlayHint/refresh").size() == 1);
  CHECK(client.hints(kModelPath).at(kTopkLine) == "5.7%");
  CHECK(client.request("etlens/status")["generation"] == generation);

  client.advance(1000);
  client.settings["sourceTimeScale"] = "us";
  client.notify("workspace/didChangeConfiguration", {{"settings", nullptr}});
  CHECK(client.take("workspace/inlayHint/refresh").size() == 1);
  CHECK(client.request("etlens/status")["generation"] > generation);

  client.advance(1000);
  client.notify("workspace/didChangeConfiguration", {{"settings", nullptr}});  // nothing new
  CHECK(client.count("workspace/inlayHint/refresh") == 0);
}

TEST_CASE("a client without workspace/configuration sends its settings along", "[server]") {
  json capabilities = full_capabilities();
  capabilities["workspace"].erase("configuration");
  MemoryFileSystem files = model_workspace();
  LanguageClient client(files);
  client.initialize(capabilities, {{"hints", {{"format", "time"}}}});
  client.open(kModelPath, model_source());
  CHECK(client.hints(kModelPath).at(kTopkLine) == "9.00 µs");
  client.notify("workspace/didChangeConfiguration",
                {{"settings", {{"etlens", {{"hints", {{"format", "share"}}}}}}}});
  CHECK(client.hints(kModelPath).at(kTopkLine) == "5.7%");
}

TEST_CASE("a client that never answers the question for settings gets the defaults", "[server]") {
  MemoryFileSystem files = model_workspace();
  LanguageClient client(files);
  client.answers_requests = false;
  client.initialize();
  client.open(kModelPath, model_source());
  CHECK(client.hints(kModelPath).empty());
  client.advance(600);
  CHECK(client.hints(kModelPath).size() == 10);
}

TEST_CASE("settings choose the artifacts, the globs where they may be", "[server]") {
  MemoryFileSystem files = model_workspace();
  files.put("/work/runs/old.etdp", model_dump(2));
  files.put(kDumpPath, model_dump(1));  // newer
  const auto hint_with = [&](const json& settings) {
    LanguageClient client(files);
    client.settings = settings;
    client.initialize();
    client.open(kModelPath, model_source());
    const std::map<int, std::string> hints = client.hints(kModelPath);
    return hints.contains(kTopkLine)
               ? hints.at(kTopkLine)
               : client.request("etlens/status")["message"].get<std::string>();
  };
  CHECK(hint_with(nullptr) == "9.00 µs 5.7% CPU");
  CHECK(hint_with({{"profile", "runs/old.etdp"}}) == "18.0 µs 5.7% CPU");
  CHECK(hint_with({{"profile", "/work/runs/old.etdp"}, {"record", "model.etrecord"}}) ==
        "18.0 µs 5.7% CPU");
  CHECK(hint_with({{"artifactGlobs", {"runs/*.etdp", "*.etrecord"}}}) == "18.0 µs 5.7% CPU");
  CHECK(hint_with({{"artifactGlobs", {"nowhere/*"}}}).find("no ETDump below /work") == 0);
  CHECK(hint_with({{"profile", "missing.etdp"}}).find("cannot read /work/missing.etdp") == 0);
  CHECK(hint_with({{"method", "encode"}}).find("forward") !=
        std::string::npos);  // says what there is
}

TEST_CASE("path mappings lead from the exporter's machine to the workspace", "[server]") {
  MemoryFileSystem files = model_workspace();
  files.remove(kModelPath);
  files.put("/work/a/model.py", model_source());
  files.put("/work/b/model.py", model_source());
  const auto hints_in = [&](const json& settings, const std::string& path) {
    LanguageClient client(files);
    client.settings = settings;
    client.initialize();
    client.open(path, model_source());
    return client.hints(path).size();
  };
  // Of two candidates that which is open.
  CHECK(hints_in(nullptr, "/work/a/model.py") == 10);
  const json mapped{{"pathMappings", {{{"from", "/recorded"}, {"to", "/work/b"}}}}};
  CHECK(hints_in(mapped, "/work/b/model.py") == 10);
  CHECK(hints_in(mapped, "/work/a/model.py") == 0);
  CHECK(hints_in({{"pathMappings", {{{"from", "/recorded"}, {"to", "a"}}}}}, "/work/a/model.py") ==
        10);
}

TEST_CASE("workspace folders come and go", "[server]") {
  MemoryFileSystem files = model_workspace();
  LanguageClient client(files);
  client.request("initialize", {{"processId", nullptr},
                                {"capabilities", full_capabilities()},
                                {"workspaceFolders", {{{"uri", "file:///empty"}, {"name", "e"}}}}});
  client.notify("initialized");
  client.open(kModelPath, model_source());
  CHECK(client.hints(kModelPath).empty());
  const auto change = [&](const json& added, const json& removed) {
    client.notify("workspace/didChangeWorkspaceFolders",
                  {{"event", {{"added", added}, {"removed", removed}}}});
  };
  change({{{"uri", "file:///work"}, {"name", "w"}}}, json::array());
  CHECK(client.hints(kModelPath).size() == 10);
  change(json::array(), {{{"uri", "file:///work"}, {"name", "w"}}});
  CHECK(
      client.request("etlens/status")["message"] ==
      std::string(kDumpPath) +
          " is not found any more (its folder is not open, the settings leave it out, or it is not "
          "an ETDump now); its last numbers stay until a new dump appears");
}

}  // namespace etlens::config_test
