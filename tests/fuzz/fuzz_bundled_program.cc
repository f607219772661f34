// SPDX-License-Identifier: Apache-2.0
// Bytes -> bundled program reader -> statistics of its tensors.
#include <cstddef>
#include <cstdint>

#include "core/formats/bundled_program/bundled_program.h"
#include "core/measure/values/value_statistics.h"
#include "tests/fuzz/one_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace etlens;
  const test::OneFile files(data, size);
  const Result<BundledProgram> program = read_bundled_program(files, "input");
  if (!program) return 0;
  for (const BundledMethod& method : program->methods) {
    for (const BundledCase& row : method.cases) {
      for (const std::vector<BundledValue>* values : {&row.inputs, &row.outputs}) {
        for (const BundledValue& value : *values) {
          const auto* tensor = std::get_if<StoredTensor>(&value);
          if (tensor == nullptr) continue;
          (void)first_values(*tensor, 8);
          (void)value_statistics(*tensor);
        }
      }
    }
  }
  return 0;
}
