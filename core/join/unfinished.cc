// SPDX-License-Identifier: Apache-2.0
#include "core/join/unfinished.h"

#include <algorithm>
#include <set>

#include "core/base/budget.h"
#include "core/join/program_fit.h"

namespace etlens {
namespace {

// How much of a method a block ran, and nothing else.
enum class Extent : uint8_t { Other, Front, Whole };

// The instructions that do work; nothing if a jump may have left some out.
std::set<Instruction> work_of(const EventLog& log, const EventTrees& trees, const Block& block) {
  std::set<Instruction> work;
  for (const SequenceId s : block.sequences) {
    const std::vector<EventKey>& events = log.sequence(s).events;
    for (size_t i = 0; i < events.size(); ++i) {
      go_on();
      const EventRole role = trees[s.value].roles[i];
      if (role == EventRole::Control && log.text(events[i].name) == "JF_CALL") return {};
      if (role == EventRole::OperatorCall || role == EventRole::DelegateCall)
        work.insert(events[i].instruction);
    }
  }
  return work;
}

Extent extent_in(const ProgramMethod& method, const std::set<Instruction>& work) {
  Extent extent = Extent::Whole;
  for (size_t i = 0; i < method.instructions.size(); ++i) {
    go_on();
    const InstructionKind kind = method.instructions[i].kind;
    if (kind == InstructionKind::JumpFalse) return Extent::Other;
    if (kind != InstructionKind::Kernel && kind != InstructionKind::Delegate) continue;
    const Instruction instruction(static_cast<int32_t>(i));
    if (work.contains(instruction)) continue;
    if (instruction < *work.rbegin()) return Extent::Other;
    extent = Extent::Front;
  }
  return extent;
}

std::vector<Extent> extents_of(const EventLog& log, const EventTrees& trees, const Block& block,
                               const EtRecord* record, const EtProgram* program,
                               const Backends& backends) {
  std::vector<Extent> extents;
  if (record != nullptr) {
    for (const MethodFit& fit : fit_methods(log, trees, block, *record, backends)) {
      if (fit.verdict() == PairVerdict::Match) extents.push_back(Extent::Whole);
      else extents.push_back(fit.is_front ? Extent::Front : Extent::Other);
    }
    return extents;
  }
  const std::set<Instruction> work = work_of(log, trees, block);
  for (const ProgramMethod& method : program->methods) {
    const bool is_other =
        work.empty() || program_difference(method, log, trees, block, nullptr).has_value();
    extents.push_back(is_other ? Extent::Other : extent_in(method, work));
  }
  return extents;
}

bool is_execution(const Block& block) { return block.is_execution; }

}  // namespace

std::vector<BlockId> unfinished_blocks(const EventLog& log, const EventTrees& trees,
                                       const std::vector<Block>& blocks, const EtRecord* record,
                                       const EtProgram* program, const Backends& backends) {
  if (record == nullptr && program == nullptr) return {};
  if (std::count_if(blocks.begin(), blocks.end(), is_execution) < 2) return {};
  std::vector<std::vector<Extent>> extents(blocks.size());
  std::vector<bool> runs_whole;  // some block does; one per method
  for (size_t b = 0; b < blocks.size(); ++b) {
    if (!blocks[b].is_execution) continue;
    extents[b] = extents_of(log, trees, blocks[b], record, program, backends);
    runs_whole.resize(extents[b].size());
    for (size_t m = 0; m < extents[b].size(); ++m)
      if (extents[b][m] == Extent::Whole) runs_whole[m] = true;
  }
  std::vector<BlockId> unfinished;
  for (size_t b = 0; b < blocks.size(); ++b) {
    bool is_front = false;
    bool is_whole = false;
    for (size_t m = 0; m < extents[b].size(); ++m) {
      is_front |= extents[b][m] == Extent::Front && runs_whole[m];
      is_whole |= extents[b][m] == Extent::Whole;
    }
    if (is_front && !is_whole && !work_of(log, trees, blocks[b]).empty())
      unfinished.emplace_back(b);
  }
  return unfinished;
}

}  // namespace etlens
