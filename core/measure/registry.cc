// SPDX-License-Identifier: Apache-2.0
#include "core/measure/registry.h"

#include "core/join/program_code.h"
#include "core/measure/memory.h"
#include "core/measure/size.h"
#include "core/measure/values/error_measure.h"

namespace etlens {
namespace {

std::optional<Measure> build_memory(const MeasureInput& input) {
  if (input.program == nullptr) return std::nullopt;
  const std::shared_ptr<const Code>& code = input.join.landings->code;
  const ProgramMethod* method =
      input.method != nullptr ? input.method : input.program->find(code->method_name());
  if (method == nullptr) return std::nullopt;
  MemoryMeasure memory = measure_memory(code, *method);
  if (memory.plan.tensors.empty()) return std::nullopt;
  return std::move(memory.at_peak);
}

// The methods of a program share a file, and each has a code of its own: that of the join is of the
// one that ran.
std::optional<Measure> build_size(const MeasureInput& input) {
  if (input.program == nullptr) return std::nullopt;
  const std::shared_ptr<const Code>& code = input.join.landings->code;
  std::vector<std::shared_ptr<const Code>> codes;
  size_t ran = input.program->methods.size();
  for (size_t m = 0; m < input.program->methods.size(); ++m) {
    const ProgramMethod& method = input.program->methods[m];
    const bool is_shown =
        input.method != nullptr ? &method == input.method : method.name == code->method_name();
    if (is_shown) ran = m;
    codes.push_back(is_shown ? code : code_of_program(nullptr, method, {}));
  }
  if (ran == codes.size()) return std::nullopt;
  return measure_size(code, ran,
                      divide_file(*input.program, codes, *input.join.backends, input.read_payload));
}

std::optional<Measure> build_error(const MeasureInput& input) {
  if (input.origins.empty()) return std::nullopt;
  return measure_error(input.join.landings->code, input.origins);
}

}  // namespace

const MeasureRows& built_in_measures() {
  static const MeasureRows kRows{{kMemoryId, "memory", build_memory},
                                 {kSizeId, "size", build_size},
                                 {kErrorId, "error", build_error}};
  return kRows;
}

}  // namespace etlens
