// SPDX-License-Identifier: Apache-2.0
// What is made to be sent holds text of no file but those of the project, whatever a record names
// and wherever links lead.
#include <catch2/catch.hpp>

#include "core/base/path.h"
#include "tests/cli/sandbox.h"
#include "tests/support/dump_builder.h"
#include "tests/support/record_builder.h"

namespace etlens::sent_test {

using namespace etlens::test;

namespace {

namespace fs = std::filesystem;

const std::string kRecorded = "y = x + 1";
const std::string kSecret =
    "class Net:\n  def forward(self, x):\n    password = 'hunter2'\n    y = x + 1\n"
    "    token = 'hunter2'\n";

// The pair in `work`, whose one line is of that file.
void put_pair(Sandbox& sandbox, const std::string& source) {
  RecordBuilder record;
  record.node({"a", "aten.add.Tensor", 1, stack_trace({{source, 4, "forward", kRecorded}}),
               "k,L['self'].a,T"});
  record.map(0, {1});
  DumpBuilder dump;
  dump.block("Execute").operator_call("add.out", 0, 10, 20).framework("Method::execute", 0, 50);
  sandbox.put("work/a.etdp", dump.build().text());
  sandbox.put("work/a.etrecord", record.build().text());
}

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a page holds no text of files outside, however it is led there", "[cli][sent]") {
  Sandbox sandbox;
  const std::string outside = sandbox.put("home/secret.py", kSecret);
  fs::create_directories(sandbox.path("work/folder"));
  fs::create_symlink(outside, sandbox.path("work/link.py"));
  fs::create_symlink(sandbox.path("work/link.py"), sandbox.path("work/chain.py"));
  fs::create_symlink(sandbox.path("home"), sandbox.path("work/folder/there"));
  fs::create_symlink("../../home/secret.py", sandbox.path("work/folder/relative.py"));
  const std::string sources[] = {outside,
                                 sandbox.path("work/link.py"),
                                 sandbox.path("work/chain.py"),
                                 sandbox.path("work/folder/there/secret.py"),
                                 sandbox.path("work/folder/relative.py"),
                                 sandbox.path("work/../home/secret.py")};
  for (const std::string& source : sources) {
    CAPTURE(source);
    put_pair(sandbox, source);
    const Outcome page = sandbox.run("report", "work");
    CHECK(page.status == 0);
    CHECK_FALSE(has(page.out, "hunter2"));
    CHECK(has(page.out, kRecorded));  // the record has it
    CHECK(has(page.out, base_name(source)));
    CHECK(has(page.out, "--root"));
  }
}

TEST_CASE("every form that is sent is held to it, and --root shows more", "[cli][sent]") {
  Sandbox sandbox;
  put_pair(sandbox, sandbox.put("home/secret.py", kSecret));
  for (const std::string command :
       {"report --format markdown", "export --to html", "export --to markdown", "export --to svg",
        "export --to speedscope", "export --to chrome", "lines --format markdown",
        "report --base a.etdp"}) {
    CAPTURE(command);
    const Outcome outcome = sandbox.run(command, "work");
    CAPTURE(outcome.err);
    CHECK(outcome.status == 0);
    CHECK_FALSE(has(outcome.out, "hunter2"));
  }
  CHECK(has(sandbox.run("report --format markdown", "work").out, "root"));
  for (const auto& [command, folder] :
       {std::pair("report --root ../home .", "work"), std::pair("report work", ""),
        std::pair("report ../work", "home")}) {
    CAPTURE(command);
    const Outcome page = sandbox.run(command, folder);
    CHECK(has(page.out, "hunter2"));
    CHECK_FALSE(has(page.out, "--root"));
  }
  // For the user's own eyes.
  CHECK(has(sandbox.run("annotate", "work").out, "hunter2"));
}

}  // namespace etlens::sent_test
