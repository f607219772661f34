// SPDX-License-Identifier: Apache-2.0
// What hostile files may do to who runs etlens: nothing on the terminal, nothing for ever.
#include <sys/stat.h>

#include <catch2/catch.hpp>

#include "tests/cli/sandbox.h"
#include "tests/support/dump_builder.h"
#include "tests/support/hostile.h"
#include "tests/support/record_builder.h"

using namespace etlens;
using namespace etlens::test;

namespace {

// Everything that a terminal obeys, and what makes text look like another.
const std::string kEvil = "e\x1b]0;t\x07\x1b[2Jx\u009b31m\u202e\u2066\r\x7f\xFFz";

bool is_harmless(std::string_view text) {
  for (const char* bad : {"\x1b", "\x07", "\u009b", "\u202e", "\u2066", "\r", "\x7f", "\xFF"}) {
    if (text.find(bad) != std::string_view::npos) return false;
  }
  return true;
}

std::string evil_dump() {
  DumpBuilder dump;
  dump.block("Execute " + kEvil).operator_call(kEvil, 0, 10, 20);
  dump.event("DELEGATE_CALL", 1, 30, 40).framework("Method::execute", 0, 50);
  return std::string(dump.build().text());
}

std::string evil_record() {
  RecordBuilder record;
  record.method("m" + std::string("\x1b[31m\u202e"));
  const std::string trace =
      stack_trace({{"/m/\x1b[2J\u202e.py", 3, "forward\x07", "x = \u009b x"}});
  record.node({"a\x1b", "aten.add\x1b.Tensor", 1, trace, "k,L['self'].a\u202e,T\x07", {}});
  record.map(0, {1});
  return std::string(record.build().text());
}

std::string frame_of(const std::string& json) {
  return "Content-Length: " + std::to_string(json.size()) + "\r\n\r\n" + json;
}

}  // namespace

TEST_CASE("nothing of an artifact reaches the terminal as a command", "[cli]") {
  Sandbox sandbox;
  sandbox.put("a.etdp", evil_dump());
  sandbox.put("a.etrecord", evil_record());
  for (const std::string command : {"annotate", "lines", "modules", "events", "partitions", "check",
                                    "inspect", "inspect --compat"}) {
    for (const std::string with : {"", " --etrecord a.etrecord"}) {
      for (const std::string format : {"", "table", "tsv", "csv", "json", "markdown"}) {
        const Outcome outcome = sandbox.run(command + " --etdump a.etdp" + with +
                                            (format.empty() ? "" : " --format " + format));
        CAPTURE(command, with, format, outcome.out, outcome.err);
        CHECK(is_harmless(outcome.out));
        CHECK(is_harmless(outcome.err));
      }
    }
  }
  const Outcome raw = sandbox.run("inspect --compat --raw --format tsv --etdump a.etdp");
  CHECK(raw.status == 0);
  CHECK(raw.out.find("\x1b]0;t\x07") != std::string::npos);
}

TEST_CASE("names of files reach the terminal as text", "[cli]") {
  Sandbox sandbox;
  const Outcome outcome = sandbox.run("lines --etdump $'no\\x1b[2J\\xFF.etdp'");
  CHECK(outcome.status == 1);
  CHECK(is_harmless(outcome.err));
  const std::string name = std::string("n\xFF") + "\xE9" + ".etdp";
  sandbox.put(name, std::string_view(evil_dump()));
  const Outcome found = sandbox.run("events");
  CHECK(found.status == 0);
  CHECK(is_harmless(found.out));
}

TEST_CASE("pipes among the files are passed over, and nobody notices", "[cli]") {
  Sandbox sandbox;
  sandbox.put("a.etdp", evil_dump());
  const std::string pipe = sandbox.path("pipe.etdp");
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  CHECK(sandbox.run("events").status == 0);
  check_refused(sandbox.run("events --etdump pipe.etdp"), {"pipe.etdp", "not a regular file"});
}

TEST_CASE("the server ends within a second of exit, whatever it reads", "[cli]") {
  Sandbox sandbox;
  for (const HostileClass& hostile : hostile_classes()) {
    if (hostile.name != "one handle for all nodes") continue;
    const HostilePair pair = hostile.make();
    sandbox.put("a.etdp", pair.etdump);
    sandbox.put("a.etrecord", pair.etrecord);
  }
  const std::string initialize =
      R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{},"rootUri":"file://)" +
      sandbox.path() + "\"}}";
  const std::string input =
      frame_of(initialize) + frame_of(R"({"jsonrpc":"2.0","method":"initialized","params":{}})");
  sandbox.put("first", input);
  sandbox.put("last", frame_of(R"({"jsonrpc":"2.0","id":2,"method":"shutdown"})") +
                          frame_of(R"({"jsonrpc":"2.0","method":"exit"})"));
  // The load begins, and while it runs the client leaves; `date` before and after.
  const std::string command =
      "cd '" + sandbox.path() + "' && (cat first; sleep 1; cat last; date +%s%N >left) | '" +
      ETLENS_EXECUTABLE + "' lsp --log log >out; echo $? >status; date +%s%N >ended";
  REQUIRE(std::system(("bash -c \"" + command + "\"").c_str()) == 0);
  CHECK(slurp(sandbox.path("status")) == "0\n");
  const auto left = std::stoll(slurp(sandbox.path("left")));
  const auto ended = std::stoll(slurp(sandbox.path("ended")));
  CHECK(ended - left < 1'500'000'000);  // on a machine that does something else as well
}
