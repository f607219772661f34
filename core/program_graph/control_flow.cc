// SPDX-License-Identifier: Apache-2.0
#include "core/program_graph/control_flow.h"

#include <algorithm>

#include "core/base/budget.h"
#include "core/program_graph/value_flow.h"

namespace etlens {
namespace {

// Does the jump always go on with one of the two instructions? Exporters write a literal for that.
struct Ways {
  bool may_jump = true;
  bool may_go_on = true;
};

Ways ways_of(const ProgramMethod& method, const ProgramInstruction& jump,
             const std::vector<bool>& is_argument) {
  const std::span<const uint32_t> arguments = method.arguments_of(jump);
  if (arguments.empty()) return {};
  const ProgramValue& condition = method.values[arguments.front()];
  if (condition.kind != ValueKind::Bool || is_argument[arguments.front()]) return {};
  const bool is_true = method.numbers[condition.first] != 0;
  return {!is_true, is_true};
}

// Values that an instruction may write, or a caller: those that something else than a jump names.
std::vector<bool> arguments_in(const ProgramMethod& method) {
  std::vector<bool> found(method.values.size());
  for (const ProgramInstruction& row : method.instructions) {
    go_on();
    if (row.kind == InstructionKind::JumpFalse) continue;
    for (const uint32_t value : method.arguments_of(row)) found[value] = true;
  }
  for (const uint32_t value : method.inputs) found[value] = true;
  return found;
}

}  // namespace

ControlFlow::ControlFlow(const ProgramMethod& method) {
  const size_t end = method.instructions.size();
  std::vector<bool> is_first(end + 1);
  is_first[0] = is_first[end] = true;
  for (size_t i = 0; i < end; ++i) {
    const ProgramInstruction& row = method.instructions[i];
    if (row.kind != InstructionKind::JumpFalse) continue;
    is_first[i + 1] = is_first[row.target] = true;
  }
  uint32_t blocks = 0;
  for (size_t i = 0; i <= end; ++i) {
    blocks += is_first[i] ? 1 : 0;
    block_of_.push_back(blocks - 1);
  }
  before_.resize(blocks);
  const std::vector<bool> is_argument = arguments_in(method);
  for (size_t i = 0; i < end; ++i) {
    go_on();
    if (!is_first[i + 1]) continue;
    const ProgramInstruction& row = method.instructions[i];
    Ways ways{false, true};
    if (row.kind == InstructionKind::JumpFalse) ways = ways_of(method, row, is_argument);
    if (ways.may_go_on) before_[block_of_[i + 1]].push_back(block_of_[i]);
    if (ways.may_jump) before_[block_of_[row.target]].push_back(block_of_[i]);
  }
}

DefinitionSearch::DefinitionSearch(const ControlFlow& flow) : flow_(flow), rows_(flow.count()) {}

void DefinitionSearch::begin(bool has_source) {
  ++slot_;
  has_source_ = has_source;
  known_block_ = kNone;
}

void DefinitionSearch::define(uint32_t instruction) {
  Row& row = rows_[flow_.block_of(instruction)];
  row.slot = slot_;
  row.writer = instruction;
}

const std::vector<uint32_t>& DefinitionSearch::reaching(uint32_t block) {
  if (known_block_ == block) return found_;
  known_block_ = block;
  found_.clear();
  ++search_;
  open_ = {block};
  while (!open_.empty()) {
    const uint32_t at = open_.back();
    open_.pop_back();
    if (at == 0 && has_source_) found_.push_back(kBeforeStart);
    for (const uint32_t before : flow_.before(at)) {
      go_on();
      Row& row = rows_[before];
      if (row.seen == search_) continue;
      row.seen = search_;
      if (row.slot == slot_) found_.push_back(row.writer);
      else open_.push_back(before);
    }
  }
  std::ranges::sort(found_);
  found_.erase(std::unique(found_.begin(), found_.end()), found_.end());
  return found_;
}

}  // namespace etlens
