// SPDX-License-Identifier: Apache-2.0
#include "core/delegation/handle_places.h"

#include "core/base/budget.h"
#include "core/code/call_nodes.h"
#include "core/code/operator_name.h"

namespace etlens {

HandlePlaces::HandlePlaces(const EtRecord& record, const MethodMap& map,
                           const ProgramMethod* program) {
  for (const InstructionHandles& row : map.instructions) {
    go_on();
    const DelegateEntry* entry = map.find_delegate(row.instruction);
    if (entry != nullptr) {
      const auto call = static_cast<uint32_t>(entry - map.delegates.data());
      if (map.handles_of(row).empty()) without_handles_.push_back(call);
      for (const DebugHandle handle : handles_of_call(record, map, row.instruction)) {
        go_on();
        HandlePlace& place = places_[handle];
        ++place.delegated;
        if (place.calls.empty() || place.calls.back().call != call)
          place.calls.push_back({call, 0});
        ++place.calls.back().count;
      }
      continue;
    }
    std::string_view kernel;
    if (program != nullptr) {
      const ProgramInstruction* instruction = program->find(row.instruction);
      if (instruction != nullptr)
        kernel = base_operator_of_kernel(program->operator_of(*instruction));
    }
    for (const DebugHandle handle : map.handles_of(row)) {
      go_on();
      HandlePlace& place = places_[handle];
      ++place.kernels;
      if (!kernel.empty()) place.kernel_operators.push_back(kernel);
    }
  }
  if (program != nullptr) find_unlisted(map, *program);
}

void HandlePlaces::find_unlisted(const MethodMap& map, const ProgramMethod& program) {
  for (size_t i = 0; i < program.instructions.size(); ++i) {
    go_on();
    const ProgramInstruction& row = program.instructions[i];
    if (row.kind != InstructionKind::Kernel) continue;
    if (map.find(Instruction(static_cast<int32_t>(i))) != nullptr) continue;
    unlisted_.push_back(base_operator_of_kernel(program.operator_of(row)));
  }
}

const HandlePlace* HandlePlaces::find(DebugHandle handle) const {
  const auto at = places_.find(handle);
  return at == places_.end() ? nullptr : &at->second;
}

}  // namespace etlens
