// SPDX-License-Identifier: Apache-2.0
#include "core/measure/memory.h"

#include <algorithm>

#include "core/join/program_code.h"

namespace etlens {
namespace {

class MemoryLander {
 public:
  MemoryLander(const Code& code, const ProgramMethod& method, const MemoryPlan& plan)
      : code_(code), method_(method), nodes_(find_nodes(code, method)) {
    maker_.resize(method.tensors.size(), kNone);
    for (const PlannedTensor& row : plan.tensors) maker_[row.tensor] = row.life.maker;
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

  // The node that makes the tensor, one of the call's outputs; invalid if the record lacks it.
  ReturnedNode inside_call(uint32_t instruction, uint32_t tensor) const {
    const std::vector<ReturnedNode>& returned = nodes_.returned[instruction];
    std::vector<uint32_t> arguments;
    for (const uint32_t value : method_.arguments_of(method_.instructions[instruction]))
      method_.append_tensors_of(value, arguments);
    const auto at = std::find(arguments.rbegin(), arguments.rend(), tensor);
    const auto from_behind = static_cast<size_t>(at - arguments.rbegin());
    return from_behind < returned.size() ? returned[returned.size() - 1 - from_behind]
                                         : ReturnedNode();
  }

  const Code& code_;
  const ProgramMethod& method_;
  InstructionNodes nodes_;
  std::vector<uint32_t> maker_;  // by tensor
};

Measure measure_of(std::string_view id, std::shared_ptr<const Landings> landings,
                   const std::vector<uint64_t>& bytes) {
  Measure measure;
  measure.quantity.id = id;
  measure.quantity.label = kMemoryId;
  measure.quantity.dimension = Dimension::Bytes;
  measure.quantity.over_samples = OverSamples::Maximum;
  measure.landings = std::move(landings);
  measure.statistic = Statistic::Maximum;
  measure.series = Series(bytes.size(), 1);
  Amount total;
  for (size_t i = 0; i < bytes.size(); ++i) {
    measure.series.sample(0)[i] = static_cast<int64_t>(bytes[i]);
    total += Amount(static_cast<int64_t>(bytes[i]));
  }
  measure.samples.totals = {total};
  measure.samples.used = {0};
  measure.slack.assign(bytes.size(), 0);
  measure.occurrences.assign(bytes.size(), 1);
  sum_up(measure, {});
  return measure;
}

}  // namespace

MemoryMeasure measure_memory(std::shared_ptr<const Code> code, const ProgramMethod& method) {
  MemoryMeasure memory;
  memory.plan = plan_memory(method);
  const MemoryLander lander(*code, method, memory.plan);
  auto landings = std::make_shared<Landings>();
  landings->code = std::move(code);
  std::vector<uint64_t> at_peak;
  std::vector<uint64_t> made;
  for (const PlannedTensor& row : memory.plan.tensors) {
    landings->rows.push_back(lander.land(row));
    at_peak.push_back(row.at_peak);
    made.push_back(row.life.view_of == kNone ? method.tensors[row.tensor].bytes : 0);
  }
  index_landings(*landings, std::vector<bool>(landings->rows.size(), false));
  memory.at_peak = measure_of(kMemoryId, landings, at_peak);
  memory.made = measure_of("memory_made", landings, made);
  return memory;
}

}  // namespace etlens
