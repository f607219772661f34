// SPDX-License-Identifier: Apache-2.0
// ProgramBuilder: writes a .pte as real bytes, so that a test goes through the reader.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace etlens::test {

struct ProgramStep {
  char kind = 'k';      // k kernel, d delegate, m move, j jump, f free
  std::string name;     // kernel: aten::add.out; delegate: backend
  uint32_t target = 0;  // jump
  std::string payload;  // delegate
};

class ProgramBuilder {
 public:
  enum class Data { Inline, Segments };

  ProgramBuilder& method(std::string name, std::vector<ProgramStep> steps);
  // Segments need the extended header; inline data is written without it.
  std::string build(Data data = Data::Segments) const;

 private:
  struct Method {
    std::string name;
    std::vector<ProgramStep> steps;
  };
  std::vector<Method> methods_;
};

}  // namespace etlens::test
