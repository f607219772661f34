// SPDX-License-Identifier: Apache-2.0
// etlens/changes lists what left the delegate and what entered it since the baseline, as `etlens diff` does.
#include <catch2/catch.hpp>

#include "test_paths.h"
#include "tests/support/language_client.h"
#include "tests/support/memory_file_system.h"

namespace etlens::server_delegation_moves_test {

using namespace etlens::test;

namespace {

const std::string kRelease = ETLENS_TEST_DATA "/release-1.5/";

void put(MemoryFileSystem& files, const std::string& from, const std::string& folder) {
  for (const char* name : {"run10.etdp", "model.etrecord"}) {
    const Result<Bytes> bytes = real_file_system().read(kRelease + from + "/" + name);
    if (!bytes) FAIL(bytes.error().message);
    files.put(folder + "/" + name, *bytes);
  }
}

json changes_since(const MemoryFileSystem& files) {
  LanguageClient client(files);
  client.settings = {{"baseline", "before"}};
  client.initialize();
  client.advance(3000);
  return client.request("etlens/changes");
}

}  // namespace

TEST_CASE("what left the delegate is listed with its line", "[server]") {
  MemoryFileSystem files;
  put(files, "mlp-xnnpack-int8", "/work/before");
  put(files, "mlp-portable-fp32", "/work");
  const json changes = changes_since(files);
  CHECK_FALSE(changes["comparison"].contains("problem"));
  CHECK_FALSE(changes.contains("delegation_not_known"));
  REQUIRE(changes["delegation"].size() > 3);
  const json& first = changes["delegation"][0];
  CHECK(first["move"] == "left");
  CHECK(first["backend"] == "XNNPACK");
  CHECK(first["place"] == "mlp.py:16");
  CHECK(first["text"] == "2 × aten.gelu.default");
  CHECK(first["source"]["line"] == 16);
}

TEST_CASE("what left the delegate is not known without a record", "[server]") {
  MemoryFileSystem files;
  put(files, "mlp-xnnpack-int8", "/work/before");
  put(files, "mlp-xnnpack-int8", "/work");
  files.remove("/work/model.etrecord");
  files.remove("/work/before/model.etrecord");
  const json changes = changes_since(files);
  REQUIRE(changes.contains("comparison"));
  CHECK_FALSE(changes["comparison"].contains("problem"));
  CHECK(changes["delegation"].empty());
  const std::string why = changes["delegation_not_known"];
  CHECK(
      why ==
      "what left the delegate and what entered it is not known: of the base, no ETRecord is used with it");
}

}  // namespace etlens::server_delegation_moves_test
