// SPDX-License-Identifier: Apache-2.0
#include "core/formats/pte/pte_reader.h"

#include "tests/support/corpus.h"
#include "tests/support/memory_file_system.h"
#include "tests/support/program_builder.h"

namespace etlens::pte_reader_test {

using namespace etlens::test;
using Data = ProgramBuilder::Data;

namespace {

ProgramBuilder example() {
  ProgramBuilder program;
  program.method("decode", {{'k', "aten::mul.out"}})
      .method("forward", {{'k', "aten::add.out"},
                          {'d', "XnnpackBackend", 0, "payload one"},
                          {'j', "", 5},
                          {'k', "aten::sin"},
                          {'m'},
                          {'d', "OtherBackend", 0, "two"},
                          {'f'}});
  return program;
}

Result<EtProgram> read(const std::string& bytes) {
  MemoryFileSystem files;
  files.put("/m.pte", bytes);
  return read_program(files, "/m.pte");
}

// Counts what is read, to see that weights are not.
class CountingFileSystem final : public FileSystem {
 public:
  explicit CountingFileSystem(const FileSystem& files) : files_(files) {}
  Result<FileStamp> stat(std::string_view path) const override { return files_.stat(path); }
  Result<Bytes> read(std::string_view path) const override {
    return read_range(path, 0, UINT64_MAX);
  }
  Result<Bytes> read_range(std::string_view path, uint64_t offset, uint64_t size) const override {
    Result<Bytes> bytes = files_.read_range(path, offset, size);
    if (bytes) bytes_read += bytes->size();
    return bytes;
  }
  Result<std::vector<DirectoryEntry>> list(std::string_view folder) const override {
    return files_.list(folder);
  }

  mutable uint64_t bytes_read = 0;

 private:
  const FileSystem& files_;
};

}  // namespace

TEST_CASE("pte: methods, instructions and delegates", "[pte]") {
  const Data data = GENERATE(Data::Inline, Data::Segments);
  const std::string bytes = example().build(data);
  const Result<EtProgram> program = read(bytes);
  if (!program) FAIL(program.error().message);
  REQUIRE(program->methods.size() == 2);
  REQUIRE(program->find("encode") == nullptr);
  const ProgramMethod* forward = program->find("forward");
  REQUIRE(forward != nullptr);
  REQUIRE(forward->instructions.size() == 7);
  REQUIRE(forward->find(-1) == nullptr);
  REQUIRE(forward->find(7) == nullptr);

  const ProgramInstruction& add = *forward->find(0);
  CHECK(add.kind == InstructionKind::Kernel);
  CHECK(forward->operator_of(add) == "aten::add.out");
  CHECK(forward->delegate_of(add) == nullptr);
  CHECK(forward->operator_of(*forward->find(3)) == "aten::sin");
  CHECK(forward->find(2)->kind == InstructionKind::JumpFalse);
  CHECK(forward->find(2)->target == 5);
  CHECK(forward->find(4)->kind == InstructionKind::Move);
  CHECK(forward->find(6)->kind == InstructionKind::Free);

  const ProgramDelegate* one = forward->delegate_of(*forward->find(1));
  const ProgramDelegate* two = forward->delegate_of(*forward->find(5));
  REQUIRE(one != nullptr);
  REQUIRE(two != nullptr);
  CHECK(one->backend == "XnnpackBackend");
  CHECK(bytes.substr(one->offset, one->size) == "payload one");
  CHECK(two->backend == "OtherBackend");
  CHECK(bytes.substr(two->offset, two->size) == "two");
}

TEST_CASE("pte: what is behind the FlatBuffer is not read", "[pte]") {
  ProgramBuilder program;
  program.method("forward", {{'d', "XnnpackBackend", 0, std::string(1 << 20, 'w')}});
  MemoryFileSystem memory;
  memory.put("/m.pte", program.build(Data::Segments));
  const CountingFileSystem files(memory);
  REQUIRE(read_program(files, "/m.pte"));
  CHECK(files.bytes_read < 4096);
}

TEST_CASE("pte: other files and damaged ones are errors", "[pte]") {
  CHECK(read("").error().code == ErrorCode::Unsupported);
  CHECK(read(std::string(200, 'x')).error().code == ErrorCode::Unsupported);
  std::string other = example().build();
  other.replace(4, 4, "ET99");
  CHECK(read(other).error().code == ErrorCode::Unsupported);

  MemoryFileSystem files;
  CHECK(read_program(files, "/none.pte").error().code == ErrorCode::NotFound);

  const CancelToken cancel;
  cancel.cancel();
  files.put("/m.pte", example().build());
  CHECK(read_program(files, "/m.pte", cancel).error().code == ErrorCode::Cancelled);
}

TEST_CASE("pte: a cut file is an error wherever it is cut", "[pte]") {
  const Data data = GENERATE(Data::Inline, Data::Segments);
  const std::string bytes = example().build(data);
  constexpr size_t kPadding = 16;  // that may stand at the end
  size_t corrupt = 0;
  for (size_t size = 0; size + kPadding < bytes.size(); ++size) {
    const Result<EtProgram> program = read(bytes.substr(0, size));
    CAPTURE(size, bytes.size());
    REQUIRE_FALSE(program);
    corrupt += program.error().code == ErrorCode::Corrupt;
  }
  CHECK(corrupt > bytes.size() / 2);
}

TEST_CASE("pte: indices out of range are errors", "[pte]") {
  ProgramBuilder jump;
  jump.method("forward", {{'j', "", 2}, {'k', "aten::add.out"}});
  CHECK(read(jump.build()));  // one past the last is where a jump to the end goes
  ProgramBuilder far;
  far.method("forward", {{'j', "", 3}, {'k', "aten::add.out"}});
  CHECK(read(far.build()).error().code == ErrorCode::Corrupt);
  ProgramBuilder negative;
  negative.method("forward", {{'j', "", 0xFFFFFFFFu}});
  CHECK(read(negative.build()).error().code == ErrorCode::Corrupt);
}

TEST_CASE("pte: a flipped byte never crashes", "[pte]") {
  const Data data = GENERATE(Data::Inline, Data::Segments);
  const std::string bytes = example().build(data);
  size_t readable = 0;
  for (size_t i = 0; i < bytes.size(); ++i) {
    for (const char flip : {'\x01', '\x80', '\xFF'}) {
      std::string broken = bytes;
      broken[i] = static_cast<char>(broken[i] ^ flip);
      const Result<EtProgram> program = read(broken);
      if (!program) continue;
      for (const ProgramMethod& method : program->methods) {
        for (const ProgramDelegate& delegate : method.delegates) {
          REQUIRE(delegate.offset <= broken.size());
          REQUIRE(delegate.size <= broken.size() - delegate.offset);
          ++readable;
        }
      }
    }
  }
  CHECK(readable > 0);
}

TEST_CASE("pte: real programs have what their records map", "[pte]") {
  size_t programs = 0;
  for (const std::string& folder : case_folders()) {
    const std::string path = folder + "/model.pte";
    if (!real_file_system().stat(path)) continue;
    CAPTURE(path);
    const Result<EtProgram> program = read_program(real_file_system(), path);
    if (!program) FAIL(program.error().message);
    REQUIRE_FALSE(program->methods.empty());
    ++programs;
  }
  CHECK(programs > 0);
}

}  // namespace etlens::pte_reader_test
