// SPDX-License-Identifier: Apache-2.0
// Whole plans: values, arguments, buffers, constants; and what hostile files claim of them.
#include <algorithm>

#include "core/formats/pte/pte_reader.h"
#include "tests/support/corpus.h"
#include "tests/support/memory_file_system.h"
#include "tests/support/program_builder.h"

namespace etlens::plan_test {

using namespace etlens::test;

namespace {

ProgramPlan example_plan() {
  return {.values = {{'t', {2, 3}, 0, 0, 1},  // constant
                     {'t', {2, 3}, 1, 64},    // input
                     {'i'},
                     {'t', {4}, 1, (1ull << 32) + 16},
                     {'t', {4}},  // without a plan
                     {'l', {3, -1, 4}},
                     {'t', {}, 2, 0}},
          .inputs = {1},
          .outputs = {3},
          .buffer_sizes = {0, 8ll << 30, 16}};
}

Result<EtProgram> read(const std::string& bytes) {
  MemoryFileSystem files;
  files.put("/m.pte", bytes);
  return read_program(files, "/m.pte");
}

EtProgram read_one(std::vector<ProgramPlanValue> values, std::vector<ProgramStep> steps = {}) {
  ProgramBuilder program;
  program.method("forward", std::move(steps),
                 {.values = std::move(values), .buffer_sizes = {0, 1024}});
  Result<EtProgram> read_back = read(program.build());
  if (!read_back) FAIL(read_back.error().message);
  return std::move(*read_back);
}

}  // namespace

TEST_CASE("pte: values, arguments and buffers", "[pte]") {
  ProgramBuilder builder;
  builder.constant(std::string(24, 'w'))
      .constant("unused")
      .method("forward",
              {{'k', "aten::mul.out", 0, "", {0, 1, 2, 5}},
               {'m', "", 0, "", {3, 4}},
               {'f', "", 0, "", {4}}},
              example_plan());
  const std::string bytes = builder.build();
  const Result<EtProgram> program = read(bytes);
  if (!program) FAIL(program.error().message);
  CHECK(program->report.rows().empty());
  const ProgramMethod& method = program->methods.front();
  REQUIRE(method.values.size() == 7);
  CHECK(method.inputs == std::vector<uint32_t>{1});
  CHECK(method.outputs == std::vector<uint32_t>{3});
  CHECK(method.buffer_sizes == std::vector<uint64_t>{0, 8ull << 30, 16});

  const ProgramTensor& constant = *method.tensor_of(0);
  CHECK(constant.is_constant());
  CHECK(constant.bytes == 24);
  const ByteRange data = program->data_of(constant);
  CHECK(bytes.substr(data.offset, data.size) == std::string(24, 'w'));
  CHECK(method.tensor_of(2) == nullptr);
  const ProgramTensor& high = *method.tensor_of(3);
  CHECK(high.is_planned);
  CHECK(high.offset == (1ull << 32) + 16);
  CHECK_FALSE(method.tensor_of(4)->is_planned);
  CHECK_FALSE(method.tensor_of(4)->is_constant());
  CHECK(method.tensor_of(6)->bytes == 4);  // a scalar
  CHECK(method.tensor_of(6)->memory_id == 2);

  const auto arguments = [&](int32_t instruction) {
    const auto values = method.arguments_of(*method.find(instruction));
    return std::vector<uint32_t>(values.begin(), values.end());
  };
  CHECK(arguments(0) == std::vector<uint32_t>{0, 1, 2, 5});
  CHECK(arguments(1) == std::vector<uint32_t>{3, 4});
  CHECK(arguments(2) == std::vector<uint32_t>{4});
  std::vector<uint32_t> listed;
  method.append_tensors_of(5, listed);
  REQUIRE(listed.size() == 2);
  CHECK(method.tensors[listed[0]].value == 3);
  CHECK(method.tensors[listed[1]].value == 4);
}

TEST_CASE("pte: sizes that cannot be count as nothing and are said", "[pte]") {
  const EtProgram negative = read_one({{'t', {2, -3}, 1, 0}});
  CHECK(negative.methods[0].tensors[0].bytes == 0);
  CHECK(negative.report.find(Oddity::ProgramNegativeSize) != nullptr);

  constexpr int32_t kMax = 0x7FFFFFFF;
  const EtProgram overflow = read_one({{'t', {kMax, kMax, kMax}, 1, 0}, {'t', {kMax, 64}, 1, 0}});
  CHECK(overflow.methods[0].tensors[0].bytes == 0);
  CHECK(overflow.methods[0].tensors[1].bytes == 0);
  REQUIRE(overflow.report.find(Oddity::ProgramSizeOverflow) != nullptr);
  CHECK(overflow.report.find(Oddity::ProgramSizeOverflow)->count == 2);

  const EtProgram empty = read_one({{'t', {kMax, kMax, kMax, 0}, 1, 0}});
  CHECK(empty.report.rows().empty());
}

TEST_CASE("pte: values that are not there are left out and said", "[pte]") {
  const EtProgram program =
      read_one({{'t', {1}}, {'l', {0, 7, -2}}}, {{'k', "aten::neg.out", 0, "", {0, 9, -1, 1}}});
  const ProgramMethod& method = program.methods.front();
  CHECK(method.arguments == std::vector<uint32_t>{0, 1});
  REQUIRE(program.report.find(Oddity::ProgramArgumentOdd) != nullptr);
  CHECK(program.report.find(Oddity::ProgramArgumentOdd)->count == 4);
  std::vector<uint32_t> listed;
  method.append_tensors_of(1, listed);
  CHECK(listed.size() == 1);
}

TEST_CASE("pte: a flipped byte of a plan never leads outside", "[pte]") {
  ProgramBuilder builder;
  builder.constant("0123456789abcdef")
      .constant("data")
      .method("forward",
              {{'k', "aten::mul.out", 0, "", {0, 1, 2, 5}},
               {'d', "XnnpackBackend", 0, "payload", {3, 6}},
               {'j', "", 0, "", {4}}},
              example_plan());
  const std::string bytes = builder.build();
  size_t readable = 0;
  for (size_t i = 0; i < bytes.size(); ++i) {
    for (const char flip : {'\x01', '\x80', '\xFF'}) {
      std::string broken = bytes;
      broken[i] = static_cast<char>(broken[i] ^ flip);
      const Result<EtProgram> program = read(broken);
      if (!program) continue;
      ++readable;
      for (const ProgramMethod& method : program->methods) {
        for (const ProgramTensor& tensor : method.tensors) {
          const ByteRange data = program->data_of(tensor);
          REQUIRE(data.offset <= broken.size());
          REQUIRE(data.size <= broken.size() - data.offset);
          REQUIRE(method.sizes_of(tensor).size() == tensor.dimensions);
        }
        for (const uint32_t value : method.arguments) REQUIRE(value < method.values.size());
        for (const uint32_t value : method.inputs) REQUIRE(value < method.values.size());
      }
      for (const ByteRange& segment : program->segments) REQUIRE(segment.end() <= broken.size());
    }
  }
  CHECK(readable > 0);
}

TEST_CASE("pte: real programs have whole plans", "[pte]") {
  size_t tensors = 0;
  for (const std::string& folder : case_folders()) {
    const std::string path = folder + "/model.pte";
    if (!real_file_system().stat(path)) continue;
    CAPTURE(path);
    const Result<EtProgram> program = read_program(real_file_system(), path);
    if (!program) FAIL(program.error().message);
    CHECK(program->report.rows().empty());
    for (const ProgramMethod& method : program->methods) {
      for (const ProgramTensor& tensor : method.tensors) {
        if (tensor.is_constant()) CHECK(program->data_of(tensor).size == tensor.bytes);
        if (tensor.is_planned)
          CHECK(tensor.offset + tensor.bytes <= method.buffer_sizes.at(tensor.memory_id));
        ++tensors;
      }
    }
  }
  CHECK(tensors > 0);
}

TEST_CASE("pte: a long list that many arguments name is refused", "[pte][hostile]") {
  std::vector<ProgramPlanValue> values{{'t', {2}, 1, 0}};
  ProgramPlanValue list{'l', std::vector<int32_t>(5000, 0)};
  values.push_back(list);
  const auto program_of = [&](size_t times) {
    ProgramBuilder program;
    program.method("forward", {{'k', "aten::cat.out", 0, "", std::vector<int32_t>(times, 1)}},
                   {.values = values, .buffer_sizes = {0, 1024}});
    return program.build();
  };
  CHECK(read(program_of(1)));
  const Result<EtProgram> refused = read(program_of(1000));
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message.find("longer than the file") != std::string::npos);
}

}  // namespace etlens::plan_test
