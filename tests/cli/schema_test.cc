// SPDX-License-Identifier: Apache-2.0
// `etlens schema`, and that the JSON of the commands is what their schemas describe.
#include "tests/cli/process.h"
#include "tests/cli/sandbox.h"

#include <algorithm>
#include <filesystem>

#include "core/base/text.h"
#include "tests/support/json_schema.h"

namespace etlens::schema_test {

using namespace etlens::test;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

std::vector<std::string> dumps() {
  std::vector<std::string> paths;
  for (const auto& entry : fs::recursive_directory_iterator(ETLENS_TEST_DATA))
    if (entry.path().extension() == ".etdp") paths.push_back(entry.path().string());
  std::sort(paths.begin(), paths.end());
  return paths;
}

json schema(const Sandbox& sandbox, const std::string& name) {
  const Outcome outcome = sandbox.run("schema " + name);
  CAPTURE(name, outcome.err);
  REQUIRE(outcome.status == 0);
  return json::parse(outcome.out);
}

// Holds what a command prints of every dump against its schema, and returns of how many there was
// something to print.
size_t fitting(const Sandbox& sandbox, const std::string& command,
               const std::string& options = "") {
  const json described = schema(sandbox, command);
  size_t fit = 0;
  for (const std::string& dump : dumps()) {
    const Outcome outcome = sandbox.run(command + " --format json" + options + " --etdump " + dump);
    if (outcome.out.empty()) continue;
    CAPTURE(dump, command, options);
    CHECK(misfit(json::parse(outcome.out), described) == "");
    ++fit;
  }
  return fit;
}

}  // namespace

TEST_CASE("schema: what there is, by its name and for short", "[cli]") {
  const Sandbox sandbox;
  const Outcome list = sandbox.run("schema");
  CHECK(list.status == 0);
  const std::vector<std::string_view> names = split_lines(list.out);
  CHECK(names.size() > 1);
  for (const std::string_view name : names) {
    if (name.empty()) continue;
    const json described = schema(sandbox, std::string(name));
    CHECK(described["$schema"] == "https://json-schema.org/draft/2020-12/schema");
    CHECK(described["title"] == name);
    CHECK(described["properties"]["schema"] == json{{"const", name}});
    const size_t slash = name.find('/') + 1;
    const std::string command(name.substr(slash, name.find('@') - slash));
    CHECK(schema(sandbox, command) == described);
  }
  check_refused(sandbox.run("schema etlens/lines@1"),
                {"there is no schema etlens/lines@1", "`etlens schema` lists them"});
}

TEST_CASE("schema: a document of every dump fits its schema", "[cli]") {
  const Sandbox sandbox;
  const std::string command = GENERATE("lines", "modules", "events", "partitions");
  CHECK(fitting(sandbox, command) > 20);
}

TEST_CASE("schema: chosen rows and other measures fit as well", "[cli]") {
  const Sandbox sandbox;
  CHECK(fitting(sandbox, "events", " --top 2 --sort event") > 20);
  CHECK(fitting(sandbox, "lines", " --measure error") > 1);
}

TEST_CASE("schema: the test finds what does not fit", "[cli]") {
  const json described = json::parse(R"({"type": "object", "required": ["a"], "properties": {
      "a": {"type": "integer"}, "b": {"anyOf": [{"type": "string"}, {"type": "null"}]},
      "c": {"type": "array", "prefixItems": [{"type": "string"}], "items": false, "minItems": 1}}})");
  CHECK(misfit(json::parse(R"({"a": 1, "b": null, "c": ["x"]})"), described) == "");
  CHECK(misfit(json::parse(R"({"b": "x"})"), described) == ": has no \"a\"");
  CHECK(misfit(json::parse(R"({"a": 1.5})"), described) == "/a: is not of the type \"integer\"");
  CHECK(misfit(json::parse(R"({"a": 1, "b": 2})"), described) == "/b: is not of the type \"null\"");
  CHECK(misfit(json::parse(R"({"a": 1, "c": []})"), described) == "/c: has another size");
  CHECK(misfit(json::parse(R"({"a": 1, "c": ["x", 1]})"), described) ==
        "/c/1: is more than there may be");
  CHECK(misfit(json::parse(R"({"a": 1, "d": 1})"), described) == "/d: is more than there may be");
}

}  // namespace etlens::schema_test
