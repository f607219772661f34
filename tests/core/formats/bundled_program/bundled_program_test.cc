// SPDX-License-Identifier: Apache-2.0
#include "core/formats/bundled_program/bundled_program.h"

#include <flatbuffers/flatbuffers.h>

#include "core/formats/bundled_program/schema/bundled_program_generated.h"
#include "tests/support/memory_file_system.h"

namespace etlens::bundled_program_test {

using test::MemoryFileSystem;

namespace {

namespace bs = bundled_schema;
using flatbuffers::FlatBufferBuilder;
using flatbuffers::Offset;

Offset<bs::Value> tensor(FlatBufferBuilder& b, const std::vector<int32_t>& sizes,
                         const std::vector<uint8_t>& order, const std::vector<float>& values) {
  const auto data = b.CreateVector(reinterpret_cast<const uint8_t*>(values.data()),
                                   values.size() * sizeof(float));
  const auto row = bs::CreateTensor(b, 6, b.CreateVector(sizes), data, b.CreateVector(order));
  return bs::CreateValue(b, bs::ValueUnion_Tensor, row.Union());
}

std::string example(const char* identifier = "BP08") {
  FlatBufferBuilder b;
  std::vector<Offset<bs::TestCase>> cases;
  for (const float first : {1.0f, 7.0f}) {
    const std::vector<Offset<bs::Value>> inputs{
        tensor(b, {2}, {0}, {first, 2}),
        bs::CreateValue(b, bs::ValueUnion_Int, bs::CreateInt(b, -5).Union()),
        bs::CreateValue(b, bs::ValueUnion_Bool, bs::CreateBool(b, true).Union()),
        bs::CreateValue(b, bs::ValueUnion_Double, bs::CreateDouble(b, 0.5).Union())};
    const std::vector<Offset<bs::Value>> outputs{
        tensor(b, {2, 2}, {0, 1}, {first, 2, 3, 4}), tensor(b, {2, 2}, {1, 0}, {first, 2, 3, 4}),
        tensor(b, {2, 2}, {0, 1}, {1}),            // too few bytes
        tensor(b, {2, 2}, {0, 0}, {1, 2, 3, 4})};  // no order
    cases.push_back(bs::CreateTestCase(b, b.CreateVector(inputs), b.CreateVector(outputs)));
  }
  const auto suite = bs::CreateTestSuite(b, b.CreateString("forward"), b.CreateVector(cases));
  const std::vector<Offset<bs::TestSuite>> suites{suite};
  const std::vector<uint8_t> program(100, 'p');
  b.Finish(bs::CreateBundledProgram(b, 0, b.CreateVector(suites), b.CreateVector(program)),
           identifier);
  return {reinterpret_cast<const char*>(b.GetBufferPointer()), b.GetSize()};
}

Result<BundledProgram> read(const std::string& bytes) {
  MemoryFileSystem files;
  files.put("/m.bpte", bytes);
  return read_bundled_program(files, "/m.bpte");
}

}  // namespace

TEST_CASE("bundled program: test cases with inputs and expected outputs", "[bundled_program]") {
  for (const char* identifier : {"BP08", "BP06"}) {
    const auto program = read(example(identifier));
    REQUIRE(program);
    REQUIRE(program->methods.size() == 1);
    const BundledMethod& method = program->methods.front();
    CHECK(method.name == "forward");
    REQUIRE(method.cases.size() == 2);
    const BundledCase& second = method.cases[1];
    REQUIRE(second.inputs.size() == 4);
    CHECK(*first_values(std::get<StoredTensor>(second.inputs[0]), 2) == std::vector<double>{7, 2});
    CHECK(std::get<int64_t>(second.inputs[1]) == -5);
    CHECK(std::get<bool>(second.inputs[2]));
    CHECK(std::get<double>(second.inputs[3]) == 0.5);
    REQUIRE(second.outputs.size() == 4);
    CHECK(*first_values(std::get<StoredTensor>(second.outputs[0]), 4) ==
          std::vector<double>{7, 2, 3, 4});
    // Dimension 1 runs slowest.
    CHECK(*first_values(std::get<StoredTensor>(second.outputs[1]), 4) ==
          std::vector<double>{7, 3, 2, 4});
    CHECK(std::holds_alternative<std::monostate>(second.outputs[2]));
    CHECK(std::holds_alternative<std::monostate>(second.outputs[3]));
  }
}

TEST_CASE("bundled program: cut at every length it is refused, changed it is never misread",
          "[bundled_program]") {
  const std::string whole = example();
  // The program is at the front: behind the last table only what nothing refers to may be missing.
  for (size_t length = 0; length + 16 < whole.size(); ++length)
    CHECK(!read(whole.substr(0, length)));
  size_t readable = 0;
  for (size_t at = 0; at < whole.size(); ++at) {
    for (const char byte : {'\0', '\xFF', '\x7F'}) {
      std::string changed = whole;
      changed[at] = byte;
      const auto program = read(changed);
      if (!program) continue;
      ++readable;
      for (const BundledMethod& method : program->methods) {
        for (const BundledCase& row : method.cases) {
          for (const BundledValue& value : row.outputs) {
            if (const auto* tensor = std::get_if<StoredTensor>(&value))
              (void)first_values(*tensor, 8);
          }
        }
      }
    }
  }
  CHECK(readable > 0);
}

TEST_CASE("bundled program: other files are told from it", "[bundled_program]") {
  CHECK(read("").error().code == ErrorCode::Unsupported);
  CHECK(read("....ET12........").error().message.find("is not a bundled program") == 0);
}

}  // namespace etlens::bundled_program_test
