// SPDX-License-Identifier: Apache-2.0
#include "core/facts/memory_facts.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "core/formats/scalar_type.h"

namespace etlens {
namespace {

// Less of the peak is no reason for it.
constexpr double kLeastWaiting = 0.05;

uint64_t bytes_of(Amount amount) { return static_cast<uint64_t>(amount.value); }

// What an instruction runs: a kernel's operator or a backend's id.
std::string_view op_of(const ProgramMethod& method, uint32_t instruction) {
  const ProgramInstruction& row = method.instructions[instruction];
  const ProgramDelegate* delegate = method.delegate_of(row);
  return delegate != nullptr ? std::string_view(delegate->backend) : method.operator_of(row);
}

}  // namespace

MemoryFacts::MemoryFacts(std::shared_ptr<const EtProgram> program, size_t method,
                         std::shared_ptr<const Code> code)
    : program_(std::move(program)),
      method_(method),
      code_(std::move(code)),
      memory_(measure_memory(code_, program_->methods[method])),
      written_(lines_of_new_values(*code_, memory_.state)) {
  rank();
  find_waiting();
}

void MemoryFacts::rank() {
  for (size_t r = 0; r < tensor_count(); ++r) {
    if (memory_.plan.tensors[r].at_peak > 0) at_peak_.push_back(r);
  }
  std::stable_sort(at_peak_.begin(), at_peak_.end(), [&](size_t a, size_t b) {
    return memory_.plan.tensors[a].at_peak > memory_.plan.tensors[b].at_peak;
  });
  for (size_t l = 0; l < code_->lines.size(); ++l) {
    const size_t tensors = memory_.made.landings->lines[l].own.size();
    if (tensors == 0) continue;
    const uint64_t at_peak = bytes_of(memory_.at_peak.lines[l].self.amount);
    lines_.push_back({LineId(l), bytes_of(memory_.made.lines[l].self.amount), at_peak,
                      share_of(at_peak), tensors});
  }
  std::stable_sort(lines_.begin(), lines_.end(),
                   [](const MemoryLineFacts& a, const MemoryLineFacts& b) {
                     return a.at_peak != b.at_peak ? a.at_peak > b.at_peak : a.made > b.made;
                   });
}

// Of what is in use at the peak and not used there: who needs it next.
void MemoryFacts::find_waiting() {
  if (method().instructions.empty()) return;
  std::unordered_map<uint32_t, size_t> idle;  // by tensor: the row, of a view its base's
  for (const size_t r : at_peak_) {
    const Lifetime& life = memory_.plan.tensors[r].life;
    if (!life.is_input && !life.is_mutable) idle.emplace(memory_.plan.tensors[r].tensor, r);
  }
  for (const PlannedTensor& row : memory_.plan.tensors) {
    const auto base = row.life.view_of == kNone ? idle.end() : idle.find(row.life.view_of);
    if (base != idle.end()) idle.emplace(row.tensor, base->second);
  }
  std::vector<bool> is_settled(tensor_count(), false);
  std::map<uint32_t, WaitingFacts> by_instruction;
  for (uint32_t i = peak_instruction(); i < method().instructions.size(); ++i) {
    std::vector<uint32_t> tensors;
    for (const uint32_t value : method().arguments_of(method().instructions[i]))
      method().append_tensors_of(value, tensors);
    for (const uint32_t tensor : tensors) {
      const auto row = idle.find(tensor);
      if (row == idle.end() || is_settled[row->second]) continue;
      is_settled[row->second] = true;
      if (i == peak_instruction()) continue;
      WaitingFacts& waiting = by_instruction[i];
      waiting.tensors.push_back(row->second);
      waiting.bytes += memory_.plan.tensors[row->second].at_peak;
    }
  }
  for (auto& [instruction, waiting] : by_instruction) {
    waiting.share = share_of(waiting.bytes);
    if (waiting.share < kLeastWaiting) continue;
    waiting.instruction = instruction;
    waiting.op = op_at(instruction);
    waiting.line = line_of(instruction);
    waiting_.push_back(std::move(waiting));
  }
  std::stable_sort(waiting_.begin(), waiting_.end(),
                   [](const WaitingFacts& a, const WaitingFacts& b) { return a.bytes > b.bytes; });
}

double MemoryFacts::share_of(uint64_t bytes) const {
  return memory_.at_peak.share(Amount(static_cast<int64_t>(bytes)));
}

// Of what the instruction makes.
LineId MemoryFacts::line_of(uint32_t instruction) const {
  for (size_t r = 0; r < tensor_count(); ++r) {
    if (memory_.plan.tensors[r].life.maker == instruction)
      return memory_.at_peak.landings->rows[r].line;
  }
  return {};
}

std::string_view MemoryFacts::op_at(uint32_t instruction) const {
  return instruction < method().instructions.size() ? op_of(method(), instruction)
                                                    : std::string_view();
}

TensorFacts MemoryFacts::tensor(size_t r) const {
  const PlannedTensor& row = memory_.plan.tensors[r];
  const ProgramTensor& tensor = method().tensors[row.tensor];
  const Landing& landing = memory_.at_peak.landings->rows[r];
  TensorFacts facts;
  facts.value = tensor.value;
  facts.memory_id = tensor.memory_id;
  facts.offset = tensor.offset;
  facts.bytes = tensor.bytes;
  facts.at_peak = row.at_peak;
  facts.share = share_of(row.at_peak);
  facts.dtype = scalar_type_name(tensor.scalar_type);
  facts.shape = method().sizes_of(tensor);
  facts.is_bound = tensor.dynamism != ShapeDynamism::Static;
  facts.first = row.life.first;
  facts.last = row.life.last;
  if (row.life.view_of != kNone) facts.view_of = method().tensors[row.life.view_of].value;
  facts.is_input = row.life.is_input;
  facts.is_output = row.life.is_output;
  facts.is_mutable = row.life.is_mutable;
  facts.is_scratch = row.life.is_scratch;
  if (row.life.maker != kNone) facts.op = op_of(method(), row.life.maker);
  if (landing.node.valid())
    facts.node = code_->record->text(code_->record->nodes[landing.node.value].name);
  if (const StateBuffer* buffer = find_buffer(memory_.state, row.tensor)) {
    facts.buffer = code_->record->text(buffer->path);
    facts.written = written_[static_cast<size_t>(buffer - memory_.state.data())];
  }
  facts.line = landing.line;
  if (landing.module.valid() && code_->record != nullptr)
    facts.module_path = code_->modules[landing.module.value].path;
  facts.partition = landing.partition;
  return facts;
}

}  // namespace etlens
