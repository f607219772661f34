// SPDX-License-Identifier: Apache-2.0
// Commands on an export that has not run.
#include <chrono>
#include <filesystem>

#include "tests/cli/sandbox.h"
#include "tests/support/json_schema.h"

namespace etlens::export_study_cli_test {

using namespace etlens::test;
using nlohmann::json;

namespace {

const std::string kCase = ETLENS_TEST_DATA "/delegation/own.gated-xnnpack/";
constexpr std::string_view kSummary =
    "not run yet · 9 of 17 operators delegated · 3 delegate calls · peak 426 kB";

Sandbox sandbox_of_export() {
  Sandbox box;
  for (const std::string name : {"model.etrecord", "model.pte"}) box.put(name, slurp(kCase + name));
  return box;
}

}  // namespace

TEST_CASE("cli: every command that needs no execution answers without a dump", "[cli]") {
  const Sandbox box = sandbox_of_export();
  for (const char* command : {"lines", "modules", "partitions", "advise", "check", "annotate"}) {
    CAPTURE(command);
    const Outcome outcome = box.run(command);
    CHECK(outcome.status == 0);
    CHECK(outcome.out.find(kSummary) != std::string::npos);
    CHECK(outcome.err.find("no ETDump is here: model.pte with model.etrecord is shown") !=
          std::string::npos);
  }
  CHECK(box.run("annotate").out.find("self.block(x)   XNNPACK · 2.82 kB\n") != std::string::npos);
  CHECK(box.run("check").out.find("dump    none: not run yet\n") != std::string::npos);
  const Outcome page = box.run("report");
  CHECK(page.status == 0);
  CHECK(page.out.find("<h1>forward: not run yet</h1>") != std::string::npos);
  CHECK(page.out.find("XNNPACK takes mean only with keepdim=True.") != std::string::npos);
  CHECK(box.run("export --to markdown").out.find("9 of 17 operators") != std::string::npos);
}

TEST_CASE("cli: the JSON of an export has the schema of its document", "[cli]") {
  const Sandbox box = sandbox_of_export();
  for (const std::string command : {"lines", "modules", "partitions", "advise", "check"}) {
    CAPTURE(command);
    const Outcome outcome = box.run(command + " --format json");
    REQUIRE(outcome.status == 0);
    const json document = json::parse(outcome.out);
    const std::string name = command == "advise" ? "advice" : command;
    CHECK(misfit(document, json::parse(box.run("schema " + name).out)) == "");
    if (document.contains("measure")) CHECK(document["measure"] == "operators");
  }
  const json lines = json::parse(box.run("lines --format json").out);
  CHECK(lines["total"] == 17);
  const json partitions = json::parse(box.run("partitions --format json").out);
  CHECK(partitions["partitions"].size() == 3);
  CHECK(partitions["partitions"][0]["nodes"][0]["fate"] == "not run");
}

TEST_CASE("cli: what only executions tell asks for a dump", "[cli]") {
  const Sandbox box = sandbox_of_export();
  for (const char* command : {"events", "inspect", "values", "export --to chrome",
                              "export --to speedscope", "export --to ndjson"}) {
    CAPTURE(command);
    check_refused(box.run(command), {"no ETDump below", "give one with --etdump"});
  }
  CHECK(box.run("lines --measure memory").status == 0);
  CHECK(box.run("lines --measure operators").out == box.run("lines").out);
}

TEST_CASE("cli: delegation and lines are of the same export", "[cli]") {
  Sandbox box;
  box.put("old/model.etrecord", slurp(kCase + "model.etrecord"));
  box.put("new/other.pte", slurp(ETLENS_TEST_DATA "/delegation/own.gated-vulkan/model.pte"));
  const auto age = [&](const std::string& path, int seconds) {
    const std::filesystem::path file = box.path(path);
    std::filesystem::last_write_time(
        file, std::filesystem::last_write_time(file) - std::chrono::seconds(seconds));
  };
  // The program is newer, and the record is of another export.
  age("old/model.etrecord", 60);
  json shown = json::parse(box.run("delegation --format json").out);
  CHECK(shown["etrecord"].is_null());
  CHECK(shown["pte"].get<std::string>().ends_with("other.pte"));
  CHECK(box.run("lines").err.find("other.pte is shown") != std::string::npos);
  // The record is newer.
  age("new/other.pte", 120);
  shown = json::parse(box.run("delegation --format json").out);
  CHECK(shown["etrecord"].get<std::string>().ends_with("model.etrecord"));
  CHECK(shown["pte"].is_null());
  CHECK(box.run("lines").out.find("9 of 17 operators delegated") != std::string::npos);
}

TEST_CASE("cli: a program alone", "[cli]") {
  Sandbox box;
  box.put("model.pte", slurp(kCase + "model.pte"));
  for (const char* command : {"lines", "modules", "partitions", "advise", "check"}) {
    CAPTURE(command);
    const Outcome outcome = box.run(command);
    CHECK(outcome.status == 0);
    CHECK(outcome.out.find("not run yet · no ETRecord, so no lines · 3 delegate calls") !=
          std::string::npos);
  }
  CHECK(box.run("partitions").out.find("XNNPACK") != std::string::npos);
  const Outcome annotated = box.run("annotate");
  CHECK(annotated.status == 1);
  CHECK(annotated.err.find("no ETRecord was found for") != std::string::npos);
}

}  // namespace etlens::export_study_cli_test
