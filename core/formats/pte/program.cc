// SPDX-License-Identifier: Apache-2.0
#include "core/formats/pte/program.h"

#include <algorithm>

#include "core/formats/scalar_type.h"

namespace etlens {

std::string_view ProgramDelegate::spec(std::string_view key) const {
  for (const CompileSpec& row : specs)
    if (row.key == key) return row.value;
  return {};
}

const ProgramInstruction* ProgramMethod::find(Instruction instruction) const {
  const auto index = static_cast<size_t>(instruction.value);
  return instruction < 0 || index >= instructions.size() ? nullptr : &instructions[index];
}

std::string_view ProgramMethod::operator_of(const ProgramInstruction& instruction) const {
  return instruction.kind == InstructionKind::Kernel
             ? std::string_view(operators[instruction.target])
             : std::string_view();
}

const ProgramDelegate* ProgramMethod::delegate_of(const ProgramInstruction& instruction) const {
  return instruction.kind == InstructionKind::Delegate ? &delegates[instruction.target] : nullptr;
}

const ProgramTensor* ProgramMethod::tensor_of(uint32_t value) const {
  return values[value].kind == ValueKind::Tensor ? &tensors[values[value].first] : nullptr;
}

void ProgramMethod::append_tensors_of(uint32_t value, std::vector<uint32_t>& out) const {
  const ProgramValue& row = values[value];
  if (row.kind == ValueKind::Tensor) out.push_back(row.first);
  if (row.kind != ValueKind::TensorList) return;
  for (uint32_t e = row.first; e < row.first + row.count; ++e) {
    // A list of lists there is none.
    if (elements[e] != kNone && tensor_of(elements[e]) != nullptr)
      out.push_back(values[elements[e]].first);
  }
}

const ProgramMethod* EtProgram::find(std::string_view method) const {
  const auto at = std::find_if(methods.begin(), methods.end(),
                               [&](const ProgramMethod& m) { return m.name == method; });
  return at == methods.end() ? nullptr : &*at;
}

ByteRange EtProgram::data_of(const ProgramTensor& tensor) const {
  if (tensor.data_buffer == 0 || tensor.is_external) return {};
  const std::vector<ByteRange>* ranges = &constants;
  if (tensor.is_planned) {
    if (tensor.mutable_segment >= mutable_data.size()) return {};
    ranges = &mutable_data[tensor.mutable_segment];
  }
  if (tensor.data_buffer >= ranges->size()) return {};
  ByteRange range = (*ranges)[tensor.data_buffer];
  range.size = std::min(range.size, tensor.bytes);
  return range;
}

std::string shape_text(const ProgramMethod& method, const ProgramTensor& tensor) {
  std::string text = "[";
  for (const int32_t size : method.sizes_of(tensor))
    text += (text.size() > 1 ? ", " : "") + std::to_string(size);
  return text + "] " + std::string(scalar_type_name(tensor.scalar_type));
}

}  // namespace etlens
