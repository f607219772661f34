// SPDX-License-Identifier: Apache-2.0
// `etlens delegation` as it is called.
#include <chrono>
#include <filesystem>

#include "tests/cli/sandbox.h"
#include "tests/support/json_schema.h"

namespace etlens::delegation_cli_test {

using namespace etlens::test;
using nlohmann::json;

namespace {

const std::string kCases = ETLENS_TEST_DATA "/delegation/own.gated-";

void copy_case(const Sandbox& box, const std::string& name) {
  std::filesystem::copy_file(kCases + name + "/model.etrecord", box.path("model.etrecord"));
}

json report_of(const Sandbox& box, const std::string& options = "") {
  const Outcome outcome = box.run("delegation --format json " + options);
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
  json report = json::parse(outcome.out);
  CHECK(misfit(report, json::parse(box.run("schema delegation").out)) == "");
  return report;
}

}  // namespace

TEST_CASE("cli: delegation of a record alone", "[cli]") {
  const Sandbox box;
  copy_case(box, "xnnpack");
  const json report = report_of(box);
  CHECK(report["schema"] == "etlens/delegation@1");
  CHECK(report["delegate_calls"] == 3);
  CHECK(report["delegated_nodes"] == 9);
  CHECK(report["cpu_nodes"] == 8);
  CHECK(report["pte"].is_null());
  for (const json& node : report["nodes"]) {
    CHECK(node["backend"].is_null() == node["call"].is_null());
    CHECK(node["backend"].is_null() != node["reason"].is_null());
    if (node["node"] != "aten_mean_dim_1") continue;
    CHECK(node["op"] == "aten_mean_dim");
    CHECK(node["line"] == 66);
    CHECK(node["reason"]["id"] == "mean_keepdim");
  }
  const Outcome text = box.run("delegation");
  CHECK(
      text.out.starts_with("XNNPACK: 9 of 17 operators delegated in 3 delegate calls; 8 on the "
                           "CPU\n"));
  CHECK(text.err == "");
  CHECK(box.run("delegation --format text").out == text.out);
  CHECK(box.run("delegation --format markdown").out.find("| aten_cumsum_default | 0 | 1 |") !=
        std::string::npos);
}

TEST_CASE("cli: delegation where nothing is delegated", "[cli]") {
  const Sandbox box;
  copy_case(box, "portable");
  const json report = report_of(box);
  CHECK(report["lowering"] == "no_delegate");
  CHECK(report["delegate_calls"] == 0);
  for (const json& node : report["nodes"]) CHECK(node["reason"]["id"] == "no_delegate");
  const std::string text = box.run("delegation").out;
  const std::string sentence = "calls no delegate";
  CHECK(text.find(sentence) != std::string::npos);
  CHECK(text.find(sentence) == text.rfind(sentence));
}

TEST_CASE("cli: delegation uses the target that the program names", "[cli]") {
  const Sandbox box;
  copy_case(box, "ethosu-arm");
  std::filesystem::copy_file(kCases + "ethosu-arm/model.pte", box.path("model.pte"));
  const json report = report_of(box, "model.pte");
  CHECK(report["pte"] == box.path("model.pte"));
  size_t refused = 0;
  for (const json& node : report["nodes"])
    if (!node["reason"].is_null() && node["reason"]["id"] == "unsupported_by_u55") ++refused;
  CHECK(refused == 2);
}

TEST_CASE("cli: delegation of a program alone", "[cli]") {
  for (const std::string name : {"xnnpack", "vulkan"}) {
    const Sandbox box;
    std::filesystem::copy_file(kCases + name + "/model.pte", box.path("model.pte"));
    const json report = report_of(box, "model.pte");
    CHECK(report == report_of(box));
    CHECK(report["etrecord"].is_null());
    CHECK(report["pte"] == box.path("model.pte"));
    CHECK(report["delegate_calls"] == 3);
    size_t kernels = 0;
    for (const json& node : report["nodes"]) {
      CHECK(node["node"].is_null());
      CHECK(node["line"].is_null());
      CHECK(node["instruction_id"].is_number());
      CHECK(node["backend"].is_null() != node["reason"].is_null());
      if (!node["backend"].is_null()) continue;
      ++kernels;
      if (node["op"] == "aten_cumsum_default")
        CHECK(node["reason"]["id"] == "unsupported_operator");
    }
    CHECK(report["cpu_nodes"] == kernels);
    const bool is_read = name == "xnnpack" || name == "vulkan";
    for (const json& call : report["calls"]) CHECK(call["nodes"].is_null() != is_read);
    CHECK((report["delegated_nodes"] != 0) == is_read);
    CHECK(box.run("delegation").out.find("This is of the program alone") != std::string::npos);
  }
}

TEST_CASE("cli: delegation lists what keeps calls apart", "[cli]") {
  const Sandbox box;
  copy_case(box, "xnnpack");
  const json report = report_of(box);
  REQUIRE(!report["cuts"].empty());
  for (const json& cut : report["cuts"]) {
    CHECK(cut["before"] < cut["after"]);
    CHECK((cut["direct"] == true || !cut["nodes"].empty()));
  }
  CHECK(report["cuts"][0]["nodes"][0]["node"] == "aten_mean_dim");
  CHECK(report["cuts"][0]["nodes"][0]["line"] == 62);
  const std::string text = box.run("delegation").out;
  CHECK(text.find("between delegate calls\n") != std::string::npos);
  CHECK(text.find("1 and 2") != std::string::npos);
}

TEST_CASE("cli: delegation of what it cannot read is one sentence", "[cli]") {
  Sandbox box;
  check_refused(box.run("delegation"), {"no ETRecord below ", "--etrecord"});
  check_refused(box.run("delegation missing"), {"missing", "No such file"});
  box.put("text.etrecord", "not a record");
  check_refused(box.run("delegation text.etrecord"), {"text.etrecord is not a ZIP file"});
  copy_case(box, "vulkan");
  check_refused(box.run("delegation --method decode"), {"has no method decode; it has forward"});
  std::filesystem::copy_file(kCases + "xnnpack/model.pte", box.path("other.pte"));
  check_refused(box.run("delegation model.etrecord --pte other.pte"), {"do not belong together"});
  // An older program of another export is not used where nobody named it.
  const std::filesystem::path other = box.path("other.pte");
  std::filesystem::last_write_time(
      other, std::filesystem::last_write_time(other) - std::chrono::seconds(60));
  CHECK(report_of(box)["pte"].is_null());
}

}  // namespace etlens::delegation_cli_test
