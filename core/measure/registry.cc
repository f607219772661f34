// SPDX-License-Identifier: Apache-2.0
#include "core/measure/registry.h"

#include "core/measure/memory.h"
#include "core/measure/values/error_measure.h"

namespace etlens {
namespace {

std::optional<Measure> build_memory(const MeasureInput& input) {
  if (input.program == nullptr) return std::nullopt;
  const std::shared_ptr<const Code>& code = input.join.landings->code;
  const ProgramMethod* method = input.program->find(code->method_name());
  if (method == nullptr) return std::nullopt;
  MemoryMeasure memory = measure_memory(code, *method);
  if (memory.plan.tensors.empty()) return std::nullopt;
  return std::move(memory.at_peak);
}

std::optional<Measure> build_error(const MeasureInput& input) {
  if (input.origins.empty()) return std::nullopt;
  return measure_error(input.join.landings->code, input.origins);
}

}  // namespace

const MeasureRows& built_in_measures() {
  static const MeasureRows kRows{{kMemoryId, "memory", build_memory},
                                  {kErrorId, "error", build_error}};
  return kRows;
}

}  // namespace etlens
