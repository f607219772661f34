// SPDX-License-Identifier: Apache-2.0
#include "core/join/program_fit.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace etlens {
namespace {

std::string_view describe(InstructionKind kind) {
  switch (kind) {
    case InstructionKind::Kernel:
      return "a kernel";
    case InstructionKind::Delegate:
      return "a delegate call";
    case InstructionKind::Move:
      return "a move";
    case InstructionKind::JumpFalse:
      return "a jump";
    case InstructionKind::Free:
      return "a free";
    case InstructionKind::Unknown:
      break;
  }
  return "something unknown";
}

std::string at(Instruction instruction) {
  return "instruction " + std::to_string(instruction.value);
}

// aten::addmm.out was run as native_call_addmm.out.
bool is_kernel_of(std::string_view event, std::string_view op) {
  constexpr std::string_view kPrefix = "native_call_";
  if (event.starts_with(kPrefix)) event.remove_prefix(kPrefix.size());
  if (const size_t colons = op.rfind("::"); colons != std::string_view::npos)
    op.remove_prefix(colons + 2);
  if (const size_t colons = event.rfind("::"); colons != std::string_view::npos)
    event.remove_prefix(colons + 2);
  return event == op;
}

using NamedEvent = std::pair<Instruction, std::string_view>;

class Comparison {
 public:
  explicit Comparison(const ProgramMethod& method) : method_(method) {}

  std::optional<std::string> with_block(const EventLog& log, const EventTrees& trees,
                                        const Block& block) {
    std::vector<NamedEvent> kernels;
    for (const SequenceId s : block.sequences) {
      const std::vector<EventKey>& events = log.sequence(s).events;
      const EventTree& tree = trees[s.value];
      for (size_t i = 0; i < events.size(); ++i) {
        if (!events[i].in_instruction()) continue;
        if (std::optional<std::string> why = with_role(events[i].instruction, tree.roles[i]))
          return why;
        if (tree.roles[i] == EventRole::Kernel) {
          kernels.emplace_back(events[i].instruction, log.text(events[i].name));
        }
      }
    }
    return with_kernels(std::move(kernels));
  }

  std::optional<std::string> with_map(const EtRecord& record, const MethodMap& map) const {
    for (const InstructionHandles& row : map.instructions) {
      const bool is_delegate = map.find_delegate(row.instruction) != nullptr;
      if (std::optional<std::string> why = with_kind(
              row.instruction, is_delegate ? InstructionKind::Delegate : InstructionKind::Kernel,
              "the record")) {
        return why;
      }
    }
    for (const DelegateEntry& entry : map.delegates) {
      if (std::optional<std::string> why =
              with_kind(entry.instruction, InstructionKind::Delegate, "the record")) {
        return why;
      }
      const ProgramDelegate& delegate = *method_.delegate_of(*method_.find(entry.instruction));
      if (delegate.backend != record.text(entry.backend)) {
        return at(entry.instruction) + " calls " + std::string(record.text(entry.backend)) +
               " in the record, " + delegate.backend + " in the program";
      }
    }
    return std::nullopt;
  }

 private:
  // A kernel may call others; one of an instruction's events bears the operator's name.
  std::optional<std::string> with_kernels(std::vector<NamedEvent> kernels) const {
    std::sort(kernels.begin(), kernels.end());
    for (auto first = kernels.begin(); first != kernels.end();) {
      const Instruction instruction = first->first;
      const std::string_view op = method_.operator_of(*method_.find(instruction));
      const auto last = std::find_if(first, kernels.end(), [&](const NamedEvent& event) {
        return event.first != instruction;
      });
      if (std::none_of(first, last,
                       [&](const NamedEvent& event) { return is_kernel_of(event.second, op); })) {
        return at(instruction) + " ran " + std::string(first->second) + ", the program has " +
               std::string(op);
      }
      first = last;
    }
    return std::nullopt;
  }

  std::optional<std::string> with_role(Instruction instruction, EventRole role) const {
    switch (role) {
      case EventRole::OperatorCall:
      case EventRole::Kernel:
        return with_kind(instruction, InstructionKind::Kernel, "the dump");
      case EventRole::DelegateCall:
      case EventRole::DelegateEvent:
        return with_kind(instruction, InstructionKind::Delegate, "the dump");
      case EventRole::Control: {
        const ProgramInstruction* row = method_.find(instruction);
        const bool is_work = row != nullptr && (row->kind == InstructionKind::Kernel ||
                                                row->kind == InstructionKind::Delegate);
        if (row != nullptr && !is_work) return std::nullopt;
        return at(instruction) + " moved or jumped in the dump, but not in the program";
      }
      default:
        return std::nullopt;  // host phases are named like kernels
    }
  }

  std::optional<std::string> with_kind(Instruction instruction, InstructionKind wanted,
                                       std::string_view where) const {
    const ProgramInstruction* row = method_.find(instruction);
    if (row == nullptr) {
      return at(instruction) + " is in " + std::string(where) + ", but the program's method " +
             method_.name + " has only " + std::to_string(method_.instructions.size());
    }
    if (row->kind == wanted) return std::nullopt;
    return at(instruction) + " is " + std::string(describe(wanted)) + " in " + std::string(where) +
           ", " + std::string(describe(row->kind)) + " in the program";
  }

  const ProgramMethod& method_;
};

}  // namespace

std::optional<std::string> program_difference(const ProgramMethod& method, const EventLog& log,
                                              const EventTrees& trees, const Block& block,
                                              const EtRecord* record) {
  Comparison comparison(method);
  if (std::optional<std::string> why = comparison.with_block(log, trees, block)) return why;
  return record == nullptr ? std::nullopt : program_difference(method, *record);
}

std::optional<std::string> program_difference(const ProgramMethod& method, const EtRecord& record) {
  for (const MethodMap& map : record.maps) {
    if (record.text(map.method) == method.name) return Comparison(method).with_map(record, map);
  }
  return std::nullopt;
}

const ProgramMethod* method_of_block(const EtProgram& program, const EventLog& log,
                                     const EventTrees& trees, const Block& block) {
  const ProgramMethod* only = nullptr;
  for (const ProgramMethod& method : program.methods) {
    if (method.instructions.empty() || program_difference(method, log, trees, block, nullptr))
      continue;
    if (only != nullptr) return nullptr;
    only = &method;
  }
  return only;
}

bool fits_any_method(const EtProgram& program, const EventLog& log, const EventTrees& trees,
                     const Block& block, const EtRecord* record) {
  return std::any_of(program.methods.begin(), program.methods.end(),
                     [&](const ProgramMethod& method) {
                       return !method.instructions.empty() &&
                              !program_difference(method, log, trees, block, record);
                     });
}

}  // namespace etlens
