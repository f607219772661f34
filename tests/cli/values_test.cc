// SPDX-License-Identifier: Apache-2.0
// `etlens values` as a user meets it.
#include <fstream>

#include "core/formats/npz/npy.h"
#include "tests/cli/sandbox.h"
#include "tests/support/corpus.h"

namespace etlens::values_test {

using namespace etlens::test;
namespace fs = std::filesystem;

namespace {

const std::string kValues = ETLENS_TEST_DATA "/values/mlp";
const std::string kFault =
    "values --etdump " + kValues + "/fault.etdp --etrecord " + kValues + "/model.etrecord ";

nlohmann::json json_of(const Outcome& outcome) {
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
  return nlohmann::json::parse(outcome.out);
}

}  // namespace

TEST_CASE("cli: values with their statistics, on lines", "[cli][values]") {
  const Sandbox sandbox;
  const auto json = json_of(sandbox.run(kFault + "--format json --histogram"));
  CHECK(json["schema"] == "etlens/values@1");
  CHECK(json["debug_buffer"] == kValues + "/fault.bin");
  const auto& value = json["values"][0];
  CHECK(value["block"] == "Execute");
  CHECK(value["event"] == "native_call_mean.out");
  CHECK(value["instruction_id"] == 0);
  CHECK(value["debug_handles"] == nlohmann::json({1}));
  CHECK(value["dtype"] == "float32");
  CHECK(value["shape"] == nlohmann::json({4, 1}));
  CHECK(value["first"].size() == 4);
  CHECK(value["line"] == nlohmann::json({"/home/user/edge-models/mlp.py", 39}));
  CHECK(!value["histogram"]["positive"].empty());
  CHECK(!value.contains("gap"));
  for (const std::string form : {"table", "csv", "tsv", "markdown"}) {
    const Outcome outcome = sandbox.run(kFault + "--format " + form);
    CHECK(outcome.status == 0);
    CHECK(outcome.out.find("aten") != std::string::npos);
  }
}

TEST_CASE("cli: values against a reference: where the error begins", "[cli][values]") {
  const Sandbox sandbox;
  const auto json =
      json_of(sandbox.run(kFault + "--format json --reference " + kValues + "/aot.npz"));
  REQUIRE(!json["origin"].empty());
  CHECK(json["origin"][0]["line"] == nlohmann::json({"/home/user/edge-models/mlp.py", 16}));
  CHECK(json["origin"][0]["made"] > 0.99);
  size_t gaps = 0;
  for (const auto& value : json["values"]) gaps += value.contains("gap");
  CHECK(gaps >= 6);
  // What the method returns alone does not tell.
  const std::string outputs = kFault + "--reference " + kValues + "/model.etrecord ";
  CHECK(json_of(sandbox.run(outputs + "--format json"))["origin"].empty());
  CHECK(
      sandbox.run(outputs).out.starts_with("where the error begins the values of every operator"));
  const Outcome table = sandbox.run(kFault + "--reference " + kValues + "/sound.etdp");
  CHECK(table.out.find("where the error begins\n") == 0);
}

TEST_CASE("cli: the Inspector's gaps", "[cli][values]") {
  const Sandbox sandbox;
  const auto json = json_of(sandbox.run(
      kFault + "--format json --compat --metric SNR --reference " + kValues + "/aot.npz"));
  REQUIRE(json["rows"].size() == 6);
  CHECK(json["rows"][0]["runtime_ops"] == nlohmann::json({"native_call_mean.out"}));
  CHECK(json["rows"][0]["gap"].size() == 1);
  check_refused(sandbox.run(kFault + "--compat --reference " + kValues + "/sound.etdp"),
                {"--compat", ".npz"}, 2);
}

TEST_CASE("cli: values are saved as numpy has them", "[cli][values]") {
  const Sandbox sandbox;
  const std::string folder = sandbox.path("saved");
  const Outcome outcome = sandbox.run(kFault + "--save " + folder);
  CHECK(outcome.status == 0);
  size_t files = 0;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string content = read_file(entry.path().string());
    const auto header =
        read_npy_header({reinterpret_cast<const uint8_t*>(content.data()), content.size()});
    REQUIRE(header);
    ++files;
  }
  CHECK(files == 20);
  CHECK(fs::exists(folder + "/e0_i0_native_call_mean.out_0.npy"));
  CHECK(fs::exists(folder + "/e0_output_0.npy"));
}

TEST_CASE("cli: values that are not there are said", "[cli][values]") {
  const Sandbox sandbox;
  const std::string run = ETLENS_TEST_DATA "/release-1.5/mlp-portable-fp32";
  check_refused(
      sandbox.run("values --etdump " + run + "/run10.etdp --etrecord " + run + "/model.etrecord"),
      {"holds no values", "kIntermediateOutputs"});
  check_refused(sandbox.run(kFault + "--debug-buffer /no/such.bin"), {"/no/such.bin"});
  check_refused(sandbox.run(kFault + "--reference " + kValues + "/fault.bin"),
                {"nothing to compare values with"});
}

}  // namespace etlens::values_test
