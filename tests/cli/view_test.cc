// SPDX-License-Identifier: Apache-2.0
// What all tables have in common: rows, order, columns, colours, legends; and `etlens explain`.
#include <algorithm>

#include "core/base/text.h"
#include "tests/cli/sandbox.h"

namespace etlens::view_test {

using namespace etlens::test;
using nlohmann::json;

namespace {

const std::string kStoryteller = ETLENS_EXAMPLES "/storyteller";

json json_of(const Sandbox& sandbox, const std::string& arguments) {
  const Outcome outcome = sandbox.run(arguments);
  CAPTURE(arguments, outcome.err);
  REQUIRE(outcome.status == 0);
  return json::parse(outcome.out);
}

size_t rows_of_csv(const std::string& text) { return split_lines(text).size() - 1; }

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("views: every table is cut, ordered and narrowed by the same options", "[cli]") {
  const Sandbox sandbox;
  // A column each that its table can be ordered by, and one that it does not have.
  const auto [command, column] = GENERATE(table<const char*, const char*>({
      {"lines", "inclusive"},
      {"modules", "self"},
      {"events", "p90"},
      {"partitions", "overhead"},
      {"advise", "share"},
      {"memory", "share"},
      {"size", "bytes"},
      {"lines --measure memory", "self"},
  }));
  const std::string run = std::string(command) + " " + kStoryteller;
  CAPTURE(run);
  const Outcome two =
      sandbox.run(run + " --format csv --top 2 --sort " + column + " --columns " + column);
  CAPTURE(two.out, two.err);
  CHECK(two.status == 0);
  const std::vector<std::string_view> lines = split_lines(two.out);
  REQUIRE(lines.size() == 3);
  CHECK(lines[0].starts_with(column));
  const Outcome both = sandbox.run(std::string(command) + " --format csv --columns " + column +
                                   "," + column + " " + kStoryteller);
  CAPTURE(both.err);
  CHECK(both.status == 0);
  CHECK(both.out.starts_with(column));
  CHECK(holds(both.out.substr(0, both.out.find('\n')), "," + std::string(column)));
  CHECK(parse_double(lines[1]).value() >= parse_double(lines[2]).value());
  CHECK(rows_of_csv(sandbox.run(run + " --format csv --top 0").out) >= 2);
  const auto is_refused = [&](const std::string& options, const std::string& why) {
    const Outcome outcome = sandbox.run(run + options);
    CAPTURE(outcome.err);
    return outcome.status == 2 && outcome.out.empty() && holds(outcome.err, why);
  };
  CHECK(is_refused(" --sort no-such", "there is no column no-such; there are: "));
  CHECK(is_refused(" --format json --columns share", "has every field"));
  CHECK(sandbox.run(run + " --top 1").status == 0);
}

TEST_CASE("views: JSON lists the rows that are asked for, and its sums stay whole", "[cli]") {
  const Sandbox sandbox;
  const json all = json_of(sandbox, "events --format json " + kStoryteller);
  const json top = json_of(sandbox, "events --format json --top 3 " + kStoryteller);
  REQUIRE(top["events"].size() == 3);
  for (size_t i = 0; i < 3; ++i) CHECK(top["events"][i] == all["events"][i]);
  CHECK(top["reconciliation"] == all["reconciliation"]);

  const json lines = json_of(sandbox, "lines --format json --top 4 --sort share " + kStoryteller);
  size_t count = 0;
  for (const json& file : lines["files"]) count += file["lines"].size();
  CHECK(count == 4);

  const json modules = json_of(sandbox, "modules --format json --sort self " + kStoryteller);
  double before = 1e9;
  for (const json& module : modules["modules"]) {
    CHECK(module["self"].get<double>() <= before);
    before = module["self"];
  }
  CHECK(json_of(sandbox, "memory --format json --top 5 " + kStoryteller)["tensors"].size() == 5);
  CHECK(
      json_of(sandbox, "size --format json --top 5 --sort bytes " + kStoryteller)["parts"].size() ==
      5);
  CHECK(json_of(sandbox, "partitions --format json --top 2 " + kStoryteller)["partitions"].size() ==
        2);
  CHECK(json_of(sandbox, "advise --format json --top 1 " + kStoryteller)["advice"].size() == 1);
  check_refused(sandbox.run("diff --format json --top 3 --base " + kStoryteller + " --new " +
                            ETLENS_EXAMPLES "/storyteller-after"),
                {"--format json lists everything"}, 2);
}

TEST_CASE("views: without a terminal nothing is cut, and nothing is coloured", "[cli]") {
  const Sandbox sandbox;
  const std::string text = "return x.repeat_interleave(self.heads // self.kv_heads, dim=1)";
  for (const std::string command : {"lines ", "lines --color never "})
    CHECK(holds(sandbox.run(command + kStoryteller).out, text));
  const std::string narrow = sandbox.show("lines " + kStoryteller, 96);
  CHECK_FALSE(holds(narrow, text));
  CHECK(holds(narrow, "layers.py:43"));
  CHECK(holds(narrow, "…\r\n"));
  const Outcome colored = sandbox.run("lines --color always " + kStoryteller);
  CHECK(holds(colored.out, "\x1b[1mconfidence\x1b[0m"));
  CHECK(holds(colored.out, "\x1b[1;31m39%\x1b[0m"));
}

TEST_CASE("views: variables that other programs heed", "[cli]") {
  const Sandbox sandbox;
  const auto is_colored = [&](const std::string& environment, const std::string& options) {
    const std::string command = "cd '" + sandbox.path() + "' && " + environment +
                                " '" ETLENS_EXECUTABLE "' modules " + options + kStoryteller +
                                " >out.txt 2>err.txt </dev/null";
    REQUIRE(std::system(command.c_str()) == 0);
    return holds(slurp(sandbox.path("out.txt")), "\x1b[");
  };
  CHECK_FALSE(is_colored("env -u NO_COLOR", ""));
  CHECK(is_colored("CLICOLOR_FORCE=1", ""));
  CHECK_FALSE(is_colored("CLICOLOR_FORCE=0", ""));
  CHECK_FALSE(is_colored("CLICOLOR_FORCE=1 NO_COLOR=1", ""));
  CHECK(is_colored("NO_COLOR=1", "--color always "));
  CHECK_FALSE(is_colored("CLICOLOR_FORCE=1", "--color never "));
}

TEST_CASE("views: a legend explains what was used", "[cli]") {
  const Sandbox sandbox;
  const auto legend_of = [&](const std::string& command) {
    const std::string plain = sandbox.run(command).out;
    const Outcome explained = sandbox.run(command + " --explain");
    CAPTURE(command, explained.err);
    CHECK(explained.status == 0);
    REQUIRE(explained.out.starts_with(plain));
    return explained.out.substr(plain.size());
  };
  const std::string lines = legend_of("lines " + kStoryteller);
  for (const char* word : {"aligned", "inclusive", "XNNPACK", "±", "×", "noise"})
    CHECK(holds(lines, "\n" + std::string(word) + " "));
  CHECK_FALSE(holds(lines, "\nslower "));
  CHECK(holds(legend_of("annotate " + kStoryteller), "\nΣ "));
  CHECK(holds(legend_of("memory " + kStoryteller), "\nat peak "));
  const std::string diff =
      legend_of("diff --base " + kStoryteller + " --new " + ETLENS_EXAMPLES "/storyteller-after");
  for (const char* word : {"line", "before", "after", "change", "interval", "verdict", "text",
                           "cannot tell", "likely"})
    CHECK(holds(diff, "\n" + std::string(word) + " "));
}

TEST_CASE("explain: a word, a sign, and all of them", "[cli]") {
  const Sandbox sandbox;
  CHECK(sandbox.run("explain aligned").out ==
        "aligned  worked out by order, kinds and data flow, with one possible answer\n");
  CHECK(holds(sandbox.run("explain Σ ALIGNED").out, "inclusive"));
  const std::string all = sandbox.run("explain").out;
  for (const char* heading : {"Signs", "How sure a line is", "Columns"})
    CHECK(holds(all, std::string(heading) + "\n"));
  CHECK(sandbox.run("explain --format markdown").out == slurp(ETLENS_SOURCE "/docs/terms.md"));
  check_refused(sandbox.run("explain dispatc"), {"dispatc is not a word or sign", "there is: "});
  check_refused(sandbox.run("explain qqq"), {"`etlens explain` lists them"});
}

}  // namespace etlens::view_test
