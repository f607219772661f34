// SPDX-License-Identifier: Apache-2.0
// Bytes -> .pte reader -> the payloads of its delegates.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "core/backend/xnnpack/payload.h"
#include "core/formats/pte/pte_reader.h"
#include "tests/fuzz/one_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace etlens;
  const test::OneFile files(data, size);
  const Result<EtProgram> program = read_program(files, "input");
  if (!program) return 0;
  for (const ProgramMethod& method : program->methods) {
    for (const ProgramTensor& tensor : method.tensors) {
      const ByteRange data = program->data_of(tensor);
      if (data.offset > size || data.size > size - data.offset) std::abort();
    }
    for (size_t i = 0; i < method.instructions.size(); ++i) {
      const ProgramInstruction& row = method.instructions[i];
      (void)method.operator_of(row);
      const ProgramDelegate* delegate = method.delegate_of(row);
      if (delegate == nullptr) continue;
      if (delegate->offset > size || delegate->size > size - delegate->offset) std::abort();
      (void)read_xnnpack_payload({data + delegate->offset, delegate->size});
    }
  }
  return 0;
}
