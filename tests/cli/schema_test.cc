// SPDX-License-Identifier: Apache-2.0
// `etlens schema`, and that the JSON of the commands is what their schemas describe.
#include "tests/cli/process.h"
#include "tests/cli/sandbox.h"

#include <algorithm>
#include <filesystem>

#include "core/base/text.h"
#include "tests/support/corpus.h"
#include "tests/support/json_schema.h"

namespace etlens::schema_test {

using namespace etlens::test;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

// Files of the tests' data with this extension.
std::vector<std::string> files(std::string_view extension) {
  std::vector<std::string> paths;
  for (const auto& entry : fs::recursive_directory_iterator(ETLENS_TEST_DATA))
    if (entry.path().extension() == extension) paths.push_back(entry.path().string());
  std::sort(paths.begin(), paths.end());
  return paths;
}

json schema(const Sandbox& sandbox, const std::string& name) {
  const Outcome outcome = sandbox.run("schema " + name);
  CAPTURE(name, outcome.err);
  REQUIRE(outcome.status == 0);
  return json::parse(outcome.out);
}

// What a document may be: itself, or one of several forms.
std::vector<json> forms_of(const json& described) {
  return described.contains("anyOf") ? described["anyOf"].get<std::vector<json>>()
                                     : std::vector<json>{described};
}

// Holds what a command prints against a schema; false if there was nothing to print.
bool fits(const Sandbox& sandbox, const std::string& command, const json& described) {
  const Outcome outcome = sandbox.run(command + " --format json");
  if (outcome.out.empty()) return false;
  CAPTURE(command);
  CHECK(misfit(json::parse(outcome.out), described) == "");
  return true;
}

// Of every dump; returns of how many there was something to print.
size_t fitting(const Sandbox& sandbox, const std::string& command, const std::string& name) {
  const json described = schema(sandbox, name);
  size_t fit = 0;
  for (const std::string& dump : files(".etdp"))
    fit += fits(sandbox, command + " --etdump " + dump, described) ? 1 : 0;
  return fit;
}

// Two sides with six dumps each.
void put_sides(Sandbox& sandbox) {
  const std::string compare = ETLENS_TEST_DATA "/compare/";
  sandbox.put("base/model.etrecord",
              read_file(ETLENS_TEST_DATA "/release-1.5/mlp-portable-fp32/model.etrecord"));
  sandbox.put("wider/model.etrecord", read_file(compare + "wider.etrecord.gz"));
  for (const std::string side : {"base", "wider"}) {
    for (const char run : std::string("123456")) {
      const std::string dump = read_file(compare + side + "-" + run + ".dump.gz");
      sandbox.put(side + "/run" + run + ".etdp", dump);
      sandbox.put(side + "/run" + run + ".json", R"({"build": ")" + std::string(1, run) + "\"}");
    }
  }
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
    for (const json& form : forms_of(described))
      CHECK(form["properties"]["schema"] == json{{"const", name}});
    const size_t slash = name.find('/') + 1;
    const std::string command(name.substr(slash, name.find('@') - slash));
    CHECK(schema(sandbox, command) == described);
  }
  check_refused(sandbox.run("schema etlens/lines@1"),
                {"there is no schema etlens/lines@1", "`etlens schema` lists them"});
}

TEST_CASE("schema: a document of every dump fits its schema", "[cli][schema]") {
  const Sandbox sandbox;
  const auto [command, name] =
      GENERATE(table<std::string, std::string>({{"lines", "lines"},
                                                {"modules", "modules"},
                                                {"events", "events"},
                                                {"events --by line", "event-groups"},
                                                {"partitions", "partitions"},
                                                {"advise", "advice"},
                                                {"check", "check"},
                                                {"check --no-etrecord", "check"},
                                                {"inspect", "inspect"}}));
  CHECK(fitting(sandbox, command, name) > 20);
}

TEST_CASE("schema: chosen rows and other measures fit as well", "[cli][schema]") {
  const Sandbox sandbox;
  CHECK(fitting(sandbox, "events --top 2 --sort event", "events") > 20);
  CHECK(fitting(sandbox, "lines --measure error", "lines") > 1);
}

TEST_CASE("schema: a document of every program fits its schema", "[cli][schema]") {
  const Sandbox sandbox;
  const std::string command = GENERATE("memory", "size");
  const json described = schema(sandbox, command);
  const std::vector<std::string> programs = files(".pte");
  CHECK(programs.size() > 5);
  for (const std::string& program : programs)
    CHECK(fits(sandbox, command + " --pte " + program, described));
  if (command == "size") return;
  const std::string mlp = ETLENS_TEST_DATA "/release-1.5/mlp-portable-fp32/";
  CHECK(
      fits(sandbox, "memory --pte " + mlp + "model.pte --etdump " + mlp + "run10.etdp", described));
}

TEST_CASE("schema: values fit, with each kind of reference", "[cli][schema][values]") {
  const Sandbox sandbox;
  CHECK(fitting(sandbox, "values", "values") > 3);
  const json described = schema(sandbox, "values");
  const std::string values = ETLENS_TEST_DATA "/values/mlp/";
  const std::string fault = "values --etdump " + values + "fault.etdp --reference " + values;
  CHECK(fits(sandbox, fault + "sound.etdp --histogram", described));
  CHECK(fits(sandbox, fault + "aot.npz", described));
  for (const std::string metric : {"MSE", "L1", "SNR"})
    CHECK(fits(sandbox, fault + "aot.npz --compat --metric " + metric, described));
}

TEST_CASE("schema: Python profiles fit", "[cli][schema][pstats]") {
  const Sandbox sandbox;
  const json described = schema(sandbox, "pstats");
  const std::vector<std::string> profiles = files(".prof");
  CHECK(profiles.size() > 2);
  for (const std::string& profile : profiles) CHECK(fits(sandbox, "pstats " + profile, described));
}

TEST_CASE("schema: comparisons fit", "[cli][schema]") {
  Sandbox sandbox;
  put_sides(sandbox);
  const json diff = schema(sandbox, "diff");
  CHECK(fits(sandbox, "diff --base base --new wider", diff));
  CHECK(fits(sandbox, "diff --base base/run1.etdp --new wider/run2.etdp", diff));
  CHECK(fits(sandbox, "diff --no-etrecord --base base --new base", diff));
  const json program_diff = schema(sandbox, "program-diff");
  const std::vector<std::string> programs = files(".pte");
  for (size_t p = 1; p < programs.size(); ++p) {
    const std::string both = " --base " + programs[p - 1] + " --new " + programs[p];
    CHECK(fits(sandbox, "diff --measure size" + both, program_diff));
    CHECK(fits(sandbox, "diff --measure memory --top 3" + both, program_diff));
  }
}

TEST_CASE("schema: fleets fit", "[cli][schema][fleet]") {
  Sandbox sandbox;
  put_sides(sandbox);
  sandbox.put("base/broken.etdp", "nothing");
  const json fleet = schema(sandbox, "fleet");
  CHECK(fits(sandbox, "fleet base", fleet));
  CHECK(fits(sandbox, "fleet base --group-by build --exact-values 3", fleet));
  CHECK(fits(sandbox, "fleet base --trend build", schema(sandbox, "fleet-trend")));
  sandbox.put("answer.ndjson",
              R"({"schema":"etlens/fleet-places@1","kind":"total","place":"total","dumps":3,)"
              R"("quantiles":[1,2,3,4],"exact":0})"
              "\n{}\n");
  CHECK(fits(sandbox, "fleet --from answer.ndjson", fleet));
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
