// SPDX-License-Identifier: Apache-2.0
#include "core/measure/memory.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/budget.h"
#include "core/formats/scalar_type.h"
#include "core/join/program_code.h"

namespace etlens {
namespace {

class MemoryLander {
 public:
  MemoryLander(const Code& code, const ProgramMethod& method, const MemoryPlan& plan)
      : code_(code), method_(method), nodes_(find_nodes(code, method)) {
    maker_.resize(method.tensors.size(), kNone);
    for (const PlannedTensor& row : plan.tensors) maker_[row.tensor] = row.life.maker;
    from_behind_.resize(method.tensors.size(), kNone);
    for (uint32_t i = 0; i < method.instructions.size(); ++i) {
      if (method.instructions[i].kind == InstructionKind::Delegate) number_outputs(i);
    }
  }

  Landing land(const PlannedTensor& row) const {
    // A view that was planned away is made where its base is.
    const bool has_maker = row.life.maker != kNone || row.life.view_of == kNone;
    return land(has_maker ? row.tensor : row.life.view_of, true);
  }

 private:
  Landing land(uint32_t tensor, bool may_move) const {
    Landing row;
    const uint32_t instruction = maker_[tensor];
    if (instruction == kNone) return row;  // input or state: Part::Framework
    const ProgramInstruction& maker = method_.instructions[instruction];
    if (maker.kind == InstructionKind::Kernel)
      return land_kernel(code_, nodes_.placements[instruction]);
    if (maker.kind == InstructionKind::Delegate)
      return land_in_call(code_, instruction, inside_call(instruction, tensor));
    // The result of a branch was made by what made the value that is moved there.
    const ProgramTensor* source = maker.argument_count == 2
                                      ? method_.tensor_of(method_.arguments[maker.first_argument])
                                      : nullptr;
    if (may_move && source != nullptr) return land(method_.values[source->value].first, false);
    row.part = Part::Dispatch;
    return row;
  }

  // Outputs of a call are its last arguments.
  void number_outputs(uint32_t call) {
    std::vector<uint32_t> arguments;
    for (const uint32_t value : method_.arguments_of(method_.instructions[call]))
      method_.append_tensors_of(value, arguments);
    go_on(1 + arguments.size() / 64);
    uint32_t position = 0;
    for (auto at = arguments.rbegin(); at != arguments.rend(); ++at, ++position) {
      if (maker_[*at] == call && from_behind_[*at] == kNone) from_behind_[*at] = position;
    }
  }

  // The node that makes the tensor, one of the call's outputs; invalid if the record lacks it.
  ReturnedNode inside_call(uint32_t instruction, uint32_t tensor) const {
    const std::vector<ReturnedNode>& returned = nodes_.returned[instruction];
    const size_t from_behind = from_behind_[tensor];
    return from_behind < returned.size() ? returned[returned.size() - 1 - from_behind]
                                         : ReturnedNode();
  }

  const Code& code_;
  const ProgramMethod& method_;
  InstructionNodes nodes_;
  std::vector<uint32_t> maker_;        // by tensor
  std::vector<uint32_t> from_behind_;  // by tensor: which argument of the call that makes it
};

Quantity quantity_of(std::string_view id) {
  Quantity quantity;
  quantity.id = id;
  quantity.label = kMemoryId;
  quantity.dimension = Dimension::Bytes;
  quantity.over_samples = OverSamples::Maximum;
  return quantity;
}

// A tensor is called by what makes it: the node, else what the instruction runs. State is called as
// in the model.
ContributionLabel label_of(const Code& code, const ProgramMethod& method,
                           const std::vector<StateBuffer>& state, const PlannedTensor& row,
                           const Landing& landing) {
  const ProgramTensor& tensor = method.tensors[row.tensor];
  ContributionLabel label{"", shape_text(method, tensor)};
  if (landing.node.valid()) {
    label.name = code.record->text(code.record->nodes[landing.node.value].name);
  } else if (row.life.maker != kNone) {
    const ProgramInstruction& maker = method.instructions[row.life.maker];
    const ProgramDelegate* delegate = method.delegate_of(maker);
    label.name = delegate != nullptr ? delegate->backend : method.operator_of(maker);
  } else if (const StateBuffer* buffer = find_buffer(state, row.tensor)) {
    label.name = code.record->text(buffer->path);
  }
  if (label.name.empty()) label.name = fmt::format("value {}", tensor.value);
  if (row.life.view_of != kNone) label.remark += ", a view";
  if (row.life.is_input) label.remark += ", input";
  if (row.life.is_mutable) label.remark += ", state";
  if (row.life.is_scratch) label.remark += ", scratch";
  if (row.life.is_output) label.remark += ", output";
  return label;
}

}  // namespace

MemoryMeasure measure_memory(std::shared_ptr<const Code> code, const ProgramMethod& method) {
  MemoryMeasure memory;
  memory.plan = plan_memory(method);
  memory.state = state_buffers(*code, method);
  const MemoryLander lander(*code, method, memory.plan);
  auto landings = std::make_shared<Landings>();
  landings->code = std::move(code);
  std::vector<int64_t> at_peak;
  std::vector<int64_t> made;
  std::vector<ContributionLabel> labels;
  for (const PlannedTensor& row : memory.plan.tensors) {
    go_on();
    landings->rows.push_back(lander.land(row));
    labels.push_back(label_of(*landings->code, method, memory.state, row, landings->rows.back()));
    const uint64_t bytes = row.life.view_of == kNone ? method.tensors[row.tensor].bytes : 0;
    at_peak.push_back(static_cast<int64_t>(row.at_peak));
    made.push_back(static_cast<int64_t>(bytes));
  }
  index_landings(*landings, std::vector<bool>(landings->rows.size(), false));
  Quantity peak = quantity_of(kMemoryId);
  peak.at = "at the peak";
  peak.whole = "the peak";
  peak.framework = "inputs and state";
  memory.at_peak = measure_once(peak, landings, at_peak);
  memory.made = measure_once(quantity_of("memory_made"), landings, made);
  memory.at_peak.labels = memory.made.labels = std::move(labels);
  return memory;
}

}  // namespace etlens
