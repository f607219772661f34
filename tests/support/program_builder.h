// SPDX-License-Identifier: Apache-2.0
// ProgramBuilder: writes a .pte as real bytes, so that a test goes through the reader.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace etlens::test {

struct ProgramStep {
  char kind = 'k';                 // k kernel, d delegate, m move, j jump, f free
  std::string name;                // kernel: aten::add.out; delegate: backend
  uint32_t target = 0;             // jump
  std::string payload;             // delegate
  std::vector<int32_t> arguments;  // values; of a move from and to, of a jump its condition
};

struct ProgramPlanValue {
  // t tensor of float32, l list of tensors, i integer, b boolean, s list of integers
  char kind = 't';
  std::vector<int32_t> list;  // sizes of the tensor, or values; or one number
  uint32_t memory_id = 0;     // 0: not planned
  uint64_t offset = 0;
  uint32_t constant = 0;  // its data; 0 for none
};

struct ProgramPlan {
  std::vector<ProgramPlanValue> values;
  std::vector<int32_t> inputs;
  std::vector<int32_t> outputs;
  std::vector<int64_t> buffer_sizes;  // by memory id
};

class ProgramBuilder {
 public:
  enum class Data { Inline, Segments };

  ProgramBuilder& method(std::string name, std::vector<ProgramStep> steps, ProgramPlan plan = {});
  // Adds data that tensors name by their number, from 1 on. Only with segments.
  ProgramBuilder& constant(std::string data);
  // Segments need the extended header; inline data is written without it.
  std::string build(Data data = Data::Segments) const;

 private:
  struct Method {
    std::string name;
    std::vector<ProgramStep> steps;
    ProgramPlan plan;
  };
  std::vector<Method> methods_;
  std::vector<std::string> constants_;
};

// The program inside a bundled one, with a test suite behind it.
std::string bundled(const std::string& program, const char* identifier = "BP08");

}  // namespace etlens::test
