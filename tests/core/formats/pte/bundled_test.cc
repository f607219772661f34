// SPDX-License-Identifier: Apache-2.0
// The program inside a bundled one is read as if it were a file of its own.
#include "core/formats/pte/pte_reader.h"

#include "test_paths.h"
#include "tests/support/memory_file_system.h"
#include "tests/support/program_builder.h"

namespace etlens::bundled_test {

using namespace etlens::test;
using Data = ProgramBuilder::Data;

namespace {

Result<EtProgram> read(const std::string& bytes) {
  MemoryFileSystem files;
  files.put("/m.pte", bytes);
  return read_program(files, "/m.pte");
}

ProgramBuilder example() {
  ProgramBuilder program;
  program.method("forward", {{'k', "aten::add.out"}, {'d', "XnnpackBackend", 0, "payload one"}});
  return program;
}

}  // namespace

TEST_CASE("pte: inside a bundled program", "[pte]") {
  for (const Data data : {Data::Inline, Data::Segments}) {
    for (const char* identifier : {"BP08", "BP06"}) {
      const std::string alone = example().build(data);
      const std::string around = bundled(alone, identifier);
      const auto expected = read(alone);
      const auto program = read(around);
      REQUIRE(expected);
      REQUIRE(program);
      CHECK(program->file_bytes == alone.size());
      CHECK(program->table_bytes == expected->table_bytes);
      CHECK(around.substr(program->file_offset, alone.size()) == alone);
      REQUIRE(program->methods.size() == 1);
      CHECK(program->methods[0].instructions.size() == 2);
      const ProgramDelegate& delegate = program->methods[0].delegates.at(0);
      CHECK(delegate.offset == expected->methods[0].delegates[0].offset);
      CHECK(around.substr(program->file_offset + delegate.offset, delegate.size) == "payload one");
      CHECK(program->report.find(Oddity::ProgramBundled) != nullptr);
      CHECK(expected->report.find(Oddity::ProgramBundled) == nullptr);
    }
  }
}

TEST_CASE("pte: a real bundled program", "[pte]") {
  const auto program = read_program(real_file_system(), ETLENS_TEST_DATA "/field/module-test.bpte");
  REQUIRE(program);
  CHECK(program->file_offset == 64);
  CHECK(program->file_bytes == 1696);
  REQUIRE(program->find("forward") != nullptr);
  CHECK_FALSE(program->find("forward")->instructions.empty());
}

TEST_CASE("pte: a bundled program that is cut or damaged is an error", "[pte]") {
  const std::string around = bundled(example().build(Data::Segments));
  const size_t end = around.find("ET12") - 4 + example().build(Data::Segments).size();
  for (size_t size = 8; size < end; ++size) {
    CAPTURE(size);
    const auto program = read(around.substr(0, size));
    REQUIRE_FALSE(program);
    CHECK(program.error().code == ErrorCode::Corrupt);
  }
  // Whatever a number in front of the program is changed to, nothing outside of the file is read.
  size_t errors = 0;
  for (size_t at = 0; at + 4 <= around.find("ET12"); ++at) {
    for (const std::string& value :
         {std::string(4, '\0'), std::string(4, '\xFF'), std::string("\xFF\xFF\xFF\x7F"),
          std::string("\x01\0\0\0", 4)}) {
      std::string changed = around;
      changed.replace(at, 4, value);
      errors += !read(changed);
    }
  }
  CHECK(errors > 0);
}

TEST_CASE("pte: a bundle without a program says so", "[pte]") {
  const auto program = read(bundled(""));
  REQUIRE_FALSE(program);
  const std::string text(example().build());
  const auto twice = read(bundled(bundled(text)));
  REQUIRE_FALSE(twice);
  CHECK(twice.error().code == ErrorCode::Unsupported);
}

}  // namespace etlens::bundled_test
