// SPDX-License-Identifier: Apache-2.0
// `etlens export` and `etlens report` as a user meets them.
#include "tests/cli/sandbox.h"

#include "core/base/text.h"

namespace etlens::export_test {

using namespace etlens::test;

TEST_CASE("cli: every form is written, to stdout and to a file alike", "[cli][export]") {
  const Sandbox sandbox;
  for (const std::string form : {"chrome", "csv", "html", "markdown", "ndjson", "perfetto", "pprof",
                                 "prof", "speedscope", "svg"}) {
    CAPTURE(form);
    const Outcome printed = sandbox.run("export --to " + form + kMlpPair);
    CHECK(printed.status == 0);
    CHECK(printed.err.empty());
    CHECK(printed.out.size() > 200);
    const Outcome written = sandbox.run("export --to " + form + kMlpPair + "-o out");
    CHECK(written.status == 0);
    CHECK(written.out.empty());
    CHECK(slurp(sandbox.path("out")) == printed.out);
    // A dump alone.
    const Outcome alone =
        sandbox.run("export --to " + form + " --etdump " + kMlp + "/run10.etdp --method ''");
    CHECK(alone.status == 0);
  }
}

TEST_CASE("cli: exports refuse what cannot be", "[cli][export]") {
  const Sandbox sandbox;
  CHECK(sandbox.run("export" + kMlpPair).status == 2);
  CHECK(sandbox.run("export --to xml" + kMlpPair).status == 2);
  check_refused(sandbox.run("export --to svg" + kMlpPair + "-o nowhere/out.svg"),
                {"cannot write nowhere/out.svg", "check the path"});
  check_refused(sandbox.run("export --to svg --etdump nothing.etdp"), {"nothing.etdp"});
  check_refused(sandbox.run("report" + kMlpPair + "--base nothing"), {"nothing"});
}

TEST_CASE("cli: a report follows the name of its file, and compares", "[cli][export]") {
  const Sandbox sandbox;
  const std::string leafnet = ETLENS_EXAMPLES "/leafnet/";
  CHECK(sandbox.run("report " + leafnet + "int8 -o r.md").status == 0);
  CHECK(slurp(sandbox.path("r.md")).starts_with("**forward** "));
  CHECK(sandbox.run("report " + leafnet + "int8 --root " + leafnet + " -o r.html").status == 0);
  const std::string page = slurp(sandbox.path("r.html"));
  CHECK(page.starts_with("<!DOCTYPE html>"));
  CHECK(page.find("id=\"memory\"") != std::string::npos);
  CHECK(page.find("id=\"comparison\"") == std::string::npos);
  const std::string compared =
      "report " + leafnet + "int8 --root " + leafnet + " --base " + leafnet + "fp32 ";
  CHECK(sandbox.run(compared + "-o d.html").status == 0);
  CHECK(slurp(sandbox.path("d.html")).find("id=\"comparison\"") != std::string::npos);
  const Outcome markdown = sandbox.run(compared + "--format markdown");
  CHECK(markdown.status == 0);
  const Outcome diff = sandbox.run("diff --base " + leafnet + "fp32 --new " + leafnet +
                                   "int8 --root " + leafnet + " --format markdown");
  CHECK(markdown.out.find(diff.out) != std::string::npos);  // the same words
}

TEST_CASE("cli: the call graph of a Python profile is Graphviz' language", "[cli][export]") {
  const Sandbox sandbox;
  const std::string profile = ETLENS_TEST_DATA "/pstats/grosse.cprofile-eager.prof";
  const Outcome outcome = sandbox.run("export --to dot " + profile);
  CHECK(outcome.status == 0);
  CHECK(outcome.out.starts_with("digraph {"));
  CHECK(outcome.out.find(" -> ") != std::string::npos);
  check_refused(sandbox.run("export --to svg " + profile), {"--to dot"}, 2);
  check_refused(sandbox.run("export --to dot" + kMlpPair), {".prof"}, 2);
}

TEST_CASE("cli: Graphviz draws the call graph of a Python profile", "[cli][export][needs:dot]") {
  const Sandbox sandbox;
  const std::string profile = ETLENS_TEST_DATA "/pstats/grosse.cprofile-eager.prof";
  CHECK(sandbox.run("export --to dot " + profile + " -o graph.dot").status == 0);
  CHECK(std::system(
            ("dot -Tsvg -o '" + sandbox.path("graph.svg") + "' '" + sandbox.path("graph.dot") + "'")
                .c_str()) == 0);
  CHECK(slurp(sandbox.path("graph.svg")).find("<svg") != std::string::npos);
}

TEST_CASE("cli: the memory chart of a program, with a dump or without", "[cli][export]") {
  const Sandbox sandbox;
  const std::string chart = "export --to svg --measure memory ";
  const std::string storyteller = ETLENS_EXAMPLES "/storyteller";
  const Outcome outcome = sandbox.run(chart + storyteller);
  CHECK(outcome.status == 0);
  CHECK(outcome.out.starts_with("<svg "));
  CHECK(outcome.out.find("layers.py:43") != std::string::npos);
  // The program that lies beside the dump that was named, and a program alone.
  CHECK(sandbox.run(chart + "--etdump " + storyteller + "/model.etdp").out == outcome.out);
  CHECK(sandbox
            .run(chart + "--etrecord " + storyteller + "/model.etrecord " + storyteller +
                 "/model.pte")
            .out == outcome.out);
  check_refused(sandbox.run("export --to chrome --measure memory " + storyteller), {"--to svg"}, 2);
  check_refused(sandbox.run(chart), {".pte"});
  CHECK(sandbox.run("export --to svg --measure size " + storyteller).status == 2);
}

}  // namespace etlens::export_test
