// SPDX-License-Identifier: Apache-2.0
// What hostile files may do to who runs etlens: nothing on the terminal, nothing for ever.
#include <sys/resource.h>
#include <sys/stat.h>

#include <catch2/catch.hpp>

#include "tests/cli/sandbox.h"
#include "tests/cli/server_process.h"
#include "tests/support/dump_builder.h"
#include "tests/support/hostile.h"
#include "tests/support/mutation.h"
#include "tests/support/record_builder.h"
#include "tests/support/sanitized.h"
#include "tests/support/unseen.h"

namespace etlens::hostile_test {

using namespace etlens::test;

namespace {

// Everything that a terminal obeys, and what makes text look like another.
const std::string kEvil = "e\x1b]0;t\x07\x1b[2Jx\u009b31m\u202e\u2066\r\x7f\xFFz" + kUnseen;

bool is_harmless(std::string_view text) {
  for (const char* bad : {"\x1b", "\x07", "\u009b", "\u202e", "\u2066", "\r", "\x7f", "\xFF"}) {
    if (text.find(bad) != std::string_view::npos) return false;
  }
  return !holds_unseen(text);
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
  const std::string trace = stack_trace({{"/m/\x1b[2J\u202e" + kUnseen + ".py", 3,
                                          "forward\x07" + kUnseen, "x = \u009b x" + kUnseen}});
  record.node({"a\x1b", "aten.add\x1b.Tensor", 1, trace, "k,L['self'].a\u202e,T\x07", {}});
  record.map(0, {1});
  return std::string(record.build().text());
}

// A pair whose load takes all the time that it may.
HostilePair costly() {
  for (const HostileClass& hostile : hostile_classes()) {
    if (hostile.name == "one handle for all nodes") return hostile.make();
  }
  return {};
}

// What the server says of a load that takes long, while it runs.
constexpr const char* kBusy = "window/workDoneProgress/create";

void put(Sandbox& sandbox, const HostilePair& pair) {
  sandbox.put("a.etdp", pair.etdump);
  sandbox.put("a.etrecord", pair.etrecord);
}

}  // namespace

// What a load takes well may still be much to show.
TEST_CASE("a command takes no more than the files justify, whatever it makes of them", "[cli]") {
  const auto seconds_of_children = [] {
    rusage usage{};
    ::getrusage(RUSAGE_CHILDREN, &usage);
    return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
  };
  const bool prints = std::getenv("ETLENS_FIGURES") != nullptr;
  for (const HostileClass& hostile : hostile_classes()) {
    const bool is_one = hostile.name == "a node of 10,000 modules" ||
                        hostile.name == "20,000 inputs of a long shape" ||
                        hostile.name == "events that share a name of 16 KB";
    if (!is_one) continue;
    Sandbox sandbox;
    const HostilePair pair = hostile.make();
    for (const std::string folder : {"old/", "new/"}) {
      sandbox.put(folder + "a.etdp", pair.etdump);
      if (!pair.etrecord.empty()) sandbox.put(folder + "a.etrecord", pair.etrecord);
    }
    for (const std::string command :
         {"annotate new", "lines new", "modules new", "events new", "partitions new", "check new",
          "inspect new", "inspect --compat --format json new", "export new --to speedscope",
          "export new --to perfetto", "report new -o r.html", "diff --base old --new new"}) {
      CAPTURE(hostile.name, command);
      const double begin = seconds_of_children();
      const Outcome outcome = sandbox.run(command);
      const double seconds = seconds_of_children() - begin;
      CHECK((outcome.status == 0 || outcome.status == 1));
      CHECK(split_lines(outcome.err).size() < 10);
      CHECK(seconds < kSlowdown * 15);
      if (prints) {
        std::printf("| %s | %s | %.2f s | %s |\n", hostile.name.c_str(), command.c_str(), seconds,
                    outcome.status == 0 ? "" : outcome.err.substr(0, 300).c_str());
      }
    }
  }
  rusage usage{};
  ::getrusage(RUSAGE_CHILDREN, &usage);
  CHECK(static_cast<double>(usage.ru_maxrss) < kSlowdown * 600e3);  // KB, of the largest
}

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
  for (const std::string command : {"lines --etdump", "inspect --etdump", "rows", "fleet"}) {
    const Outcome two = sandbox.run(command + " $'no\\netlens: all is well.etdp'");
    CAPTURE(command, two.err);
    CHECK(two.status != 0);
    CHECK(std::count(two.err.begin(), two.err.end(), '\n') == 1);  // one sentence, on one line
  }
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

// How soon it ends, bench/promises measures.
TEST_CASE("the server ends when it is told to, in the middle of what it reads", "[cli][process]") {
  Sandbox sandbox;
  put(sandbox, costly());
  ServerProcess server;
  server.initialize(sandbox.path());
  REQUIRE(server.wait_for(kBusy));
  int status = -1;
  REQUIRE(server.leave(status));
  CHECK(status == 0);
}

// Whether the server that reads a bad pair turns to the sound one that replaces it before the bad one has failed.
bool bad_load_is_given_up() {
  Sandbox sandbox;
  put(sandbox, costly());
  ServerProcess server;
  server.initialize(sandbox.path());
  REQUIRE(server.wait_for(kBusy));
  put(sandbox, sound_pair());
  CHECK(server.reaches("\"state\":\"ready\""));
  const bool given_up = server.said().find("\"state\":\"failed\"") == std::string::npos;
  int status = -1;
  CHECK(server.leave(status));
  return given_up;
}

TEST_CASE("a replaced file is read although the bad one still loads", "[cli][process]") {
  // Where this test gets no processor for seconds, the bad load reaches its limit before the file is replaced: never five times.
  bool given_up = false;
  for (int i = 0; i < 5 && !given_up; ++i) given_up = bad_load_is_given_up();
  CHECK(given_up);
}

}  // namespace etlens::hostile_test
