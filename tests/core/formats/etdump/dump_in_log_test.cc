// SPDX-License-Identifier: Apache-2.0
#include "core/formats/etdump/dump_in_log.h"

#include "core/base/text.h"
#include "core/formats/etdump/etdump_reader.h"
#include "tests/support/dump_builder.h"
#include "tests/support/memory_file_system.h"

namespace etlens::dump_in_log_test {

using test::DumpBuilder;

namespace {

Bytes dump_of(int runs, bool is_prefixed = true) {
  DumpBuilder dump;
  for (int r = 0; r < runs; ++r) {
    dump.block("Execute")
        .operator_call("addmm.out", 0, 110, 130, 2)
        .framework("Method::execute", 100, 160);
  }
  return dump.build(is_prefixed);
}

// Lines of 76 characters, each with `front` before it and `end` behind it.
std::string broken(std::string_view base64, const std::string& end, const std::string& front = "") {
  std::string text;
  for (size_t at = 0; at < base64.size(); at += 76)
    text += front + std::string(base64.substr(at, 76)) + end;
  return text;
}

std::string wide(std::string_view text) {
  std::string all = "\xFF\xFE";
  for (const char c : text) all += std::string{c, '\0'};
  return all;
}

const std::string kBegin =
    "I [executorch:arm_executor_runner.cpp:412] Writing etdump.bin [base64]\n#---\n";
const std::string kEnd =
    "python3 -m devtools.inspector.inspector_cli --etdump_path etdump.bin\n#---\nInfo: done\n";

void check_found(const std::string& log, const Bytes& dump) {
  CAPTURE(log.substr(0, 400));
  const auto found = find_dump_in_log(log);
  REQUIRE(found);
  CHECK(found->dump.text() == dump.text());
  CHECK(read_etdump(found->dump));
}

}  // namespace

TEST_CASE("dump in a log: on one line, over several, in a shell's words", "[dump_in_log]") {
  const Bytes dump = dump_of(3);
  const std::string base64 = base64_encode(dump.text());
  check_found(base64, dump);
  check_found("\n\n" + base64 + "\n", dump);
  check_found("etdump:" + base64 + " end", dump);
  check_found(kBegin + "base64 -i -d <<<\"\\\n" + base64 + "\\\n\" >etdump.bin\n" + kEnd, dump);
  check_found(kBegin + "echo \"" + base64 + "\" | base64 -d >etdump.bin\n" + kEnd, dump);
  check_found(kBegin + broken(base64, "\n") + kEnd, dump);
  check_found(kBegin + broken(base64, "\r\n") + kEnd, dump);
  check_found(kBegin + broken(base64, "\\\n") + kEnd, dump);
  check_found(kBegin + broken(base64, "\n", "    ") + kEnd, dump);
  check_found(broken(kBegin + base64, "\n"), dump);
  check_found(kBegin + broken(base64, "\n", "[00:00:12.345] ") + "[00:00:12.346] done\n", dump);
  check_found(wide(kBegin + broken(base64, "\r\n") + kEnd), dump);
}

TEST_CASE("dump in a log: one without its size in front", "[dump_in_log]") {
  const Bytes bare = dump_of(2, false);
  check_found(kBegin + base64_encode(bare.text()) + "\n" + kEnd, bare);
}

TEST_CASE("dump in a log: the line, and of several the last whole one", "[dump_in_log]") {
  const std::string first = base64_encode(dump_of(1).text());
  const std::string last = base64_encode(dump_of(2).text());
  const auto found = find_dump_in_log("a\nb\n" + first + "\nc\n" + last + "\n");
  REQUIRE(found);
  CHECK(found->dumps == 2);
  CHECK(found->line == 5);
  CHECK(found->dump.text() == dump_of(2).text());
  const auto cut = find_dump_in_log(first + "\nc\n" + last.substr(0, last.size() / 2) + "\n");
  REQUIRE(cut);
  CHECK(cut->dump.text() == dump_of(1).text());
}

TEST_CASE("dump in a log: one that is cut off says so", "[dump_in_log]") {
  const std::string base64 = base64_encode(dump_of(3).text());
  const auto found =
      find_dump_in_log(kBegin + base64.substr(0, base64.size() / 2) + "\nE: reset\n");
  REQUIRE(found);
  const auto log = read_etdump(found->dump);
  REQUIRE_FALSE(log);
  CHECK(log.error().message.find("is cut off") != std::string::npos);
}

TEST_CASE("dump in a log: texts without one", "[dump_in_log]") {
  for (const std::string text :
       {"", "no dump here\n", "AABFRDAw", "........AABFRDAw\n", "AEVEMDA", "base64 AEVEMDA\n"}) {
    CAPTURE(text);
    CHECK_FALSE(find_dump_in_log(text));
  }
  test::MemoryFileSystem files;
  files.put("/a.log", kBegin + base64_encode(dump_of(1).text()) + "\n");
  files.put("/b.log", kBegin);
  CHECK(is_log_with_dump(files, "/a.log"));
  CHECK_FALSE(is_log_with_dump(files, "/b.log"));
  CHECK_FALSE(is_log_with_dump(files, "/c.log"));
}

TEST_CASE("dump in a log: marks without end cost no more than the text is long", "[dump_in_log]") {
  std::string marks, apart, lines;
  for (int i = 0; i < 100'000; ++i) {
    marks += "AEVEMDA";
    apart += "AAAAAAAAAABFRDAw.";
    lines += "AAAAAEVEMDAAAAA\n ";
  }
  for (const std::string* text : {&marks, &apart, &lines}) {
    const auto found = find_dump_in_log(*text);
    if (found) CHECK_FALSE(read_etdump(found->dump));
    else SUCCEED("none");
  }
}

}  // namespace etlens::dump_in_log_test
