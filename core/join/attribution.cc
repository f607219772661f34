// SPDX-License-Identifier: Apache-2.0
#include "core/join/attribution.h"

#include <algorithm>
#include <unordered_map>

#include "core/base/budget.h"
#include "core/code/build_code.h"
#include "core/join/branch_placement.h"
#include "core/join/delegate_placement.h"
#include "core/join/group_events.h"
#include "core/join/inserted_operators.h"
#include "core/join/inserted_placement.h"
#include "core/join/payload_titles.h"

namespace etlens {
namespace {

// Every operator instruction of the block with its kernel's name, distinct, ascending.
std::vector<ExecutedInstruction> executed_instructions(const EventLog& log, const EventTrees& trees,
                                                       const Block& block) {
  std::vector<ExecutedInstruction> executed;
  for (const SequenceId s : block.sequences) {
    const std::vector<EventKey>& events = log.sequence(s).events;
    const EventTree& tree = trees[s.value];
    for (size_t i = 0; i < events.size(); ++i) {
      if (tree.roles[i] == EventRole::Kernel)
        executed.push_back({events[i].instruction, log.text(events[i].name)});
      else if (tree.roles[i] == EventRole::OperatorCall && tree.is_leaf(i))
        executed.push_back({events[i].instruction, {}});
    }
  }
  const auto order = [](const ExecutedInstruction& a, const ExecutedInstruction& b) {
    return a.instruction != b.instruction ? a.instruction < b.instruction : a.kernel < b.kernel;
  };
  const auto same = [](const ExecutedInstruction& a, const ExecutedInstruction& b) {
    return a.instruction == b.instruction && a.kernel == b.kernel;
  };
  std::sort(executed.begin(), executed.end(), order);
  executed.erase(std::unique(executed.begin(), executed.end(), same), executed.end());
  return executed;
}

const ProgramMethod* program_of(const AttributionRequest& request, const RecordMethod& method) {
  if (request.program == nullptr) return nullptr;
  return request.program->find(request.record->text(method.name));
}

// What is known of the method that ran. The members refer to each other: it stays where it is.
struct OpenMethod {
  OpenMethod(const AttributionRequest& request, const RecordMethod& method)
      : frames(*request.record, request.library_frames),
        context(*request.record, method, frames),
        executed(executed_instructions(*request.log, request.trees,
                                       request.blocks[request.block.value])),
        program(program_of(request, method)),
        operators(context, executed, program) {
    if (program != nullptr) branches = std::make_unique<BranchPlacer>(context, *program);
    std::erase_if(executed, [&](const ExecutedInstruction& row) {
      return context.map().find(row.instruction) != nullptr ||
             (branches != nullptr && branches->node_of(row.instruction).valid());
    });
    inserted = place_inserted(context, method, program, executed);
  }
  OpenMethod(const OpenMethod&) = delete;
  OpenMethod& operator=(const OpenMethod&) = delete;

  // Of an operator's instruction; "" without a .pte that has the method.
  std::string_view operator_of(Instruction instruction) const {
    const ProgramInstruction* row = program == nullptr ? nullptr : program->find(instruction);
    return row == nullptr ? std::string_view() : program->operator_of(*row);
  }

  ProjectFrames frames;
  MethodContext context;
  std::vector<ExecutedInstruction> executed;  // at last those that the map and branches lack
  const ProgramMethod* program;               // null without a .pte that has the method
  OperatorPlacer operators;
  std::unique_ptr<BranchPlacer> branches;  // likewise
  std::map<Instruction, InsertedPlacement> inserted;
};

std::unique_ptr<OpenMethod> open_method(const AttributionRequest& request) {
  if (!request.record || !request.method) return nullptr;
  return std::make_unique<OpenMethod>(request, *request.method);
}

// Payloads of the program's delegate calls, for records that hold none.
PayloadSource payload_source(const AttributionRequest& request, const OpenMethod& method) {
  if (method.program == nullptr || !request.read_payload) return {};
  return [&](Instruction instruction) -> std::vector<uint8_t> {
    const ProgramInstruction* row = method.program->find(instruction);
    const ProgramDelegate* delegate = row == nullptr ? nullptr : method.program->delegate_of(*row);
    return delegate == nullptr ? std::vector<uint8_t>() : request.read_payload(*delegate);
  };
}

bool is_inside_call(EventRole around) {
  return around == EventRole::DelegateCall || around == EventRole::HostPhase;
}

// Places the positions of sequences, and keeps their placements. `method` and `delegates` are null
// without a record. `logs_all`: also instructions; else the operators' time is that of the
// execution itself, and nobody knows which is the framework's.
class SequencePlacer {
 public:
  SequencePlacer(const EventLog& log, const OpenMethod* method, DelegatePlacer* delegates,
                 bool logs_all)
      : log_(log), method_(method), delegates_(delegates), logs_all_(logs_all) {}

  PlacedSequence place(const EventSequence& sequence, const EventTree& tree) {
    PlacedSequence placed(sequence.events.size());
    for (size_t i = 0; i < placed.size(); ++i) {
      go_on();
      placed[i] = place_one(sequence.events[i], tree, i);
    }
    place_delegate_events(sequence, tree, placed);
    return placed;
  }

  // Instructions that neither the map nor the program places.
  std::vector<Instruction> unmapped() const {
    std::vector<Instruction> rows = unmapped_;
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    return rows;
  }

 private:
  PlacedEvent place_one(const EventKey& key, const EventTree& tree, size_t i) {
    switch (tree.roles[i]) {
      case EventRole::Execute:
        return {logs_all_ ? Part::Framework : Part::Unattributed};
      case EventRole::None:
      case EventRole::Framework:
        return {Part::Framework};
      case EventRole::Control:
        return {Part::Dispatch};
      case EventRole::OperatorCall:
        return tree.is_leaf(i) ? place_operator(key, {}) : PlacedEvent{Part::Dispatch};
      case EventRole::Kernel:
        return place_operator(key, log_.text(key.name));
      case EventRole::DelegateCall:
        return {tree.is_leaf(i) ? Part::OpaquePartition : Part::DelegateOverhead};
      case EventRole::DelegateTotal:
        return {Part::DelegateOverhead};
      case EventRole::HostPhase:
      case EventRole::DelegateEvent:
        break;
    }
    return {Part::OpaquePartition};
  }

  static Part part_of(const NodePlacement& placement) {
    return placement.frame.valid() ? Part::Line : Part::Unattributed;
  }

  // A kernel of the runtime, or an instruction that reports none.
  Part part_of(Instruction instruction, const NodePlacement& placement) const {
    if (placement.frame.valid()) return Part::Line;
    std::string_view op = method_->operator_of(instruction);
    if (op.empty() && placement.node.valid()) {
      const EtRecord& record = method_->context.record();
      op = record.text(record.nodes[placement.node.value].target);
    }
    return is_size_operator(op) ? Part::Sizes : Part::Unattributed;
  }

  PlacedEvent place_operator(const EventKey& key, std::string_view kernel) {
    if (method_ == nullptr || !key.in_instruction()) return {Part::Unattributed};
    const uint64_t signature =
        static_cast<uint64_t>(key.name.value) << 32 | static_cast<uint32_t>(key.instruction.value);
    const auto [at, is_new] = operators_.try_emplace(signature);
    if (is_new) at->second = place_instruction(key.instruction, kernel);
    return {part_of(key.instruction, at->second), &at->second};
  }

  // The map lacks instructions inside control-flow branches, and what was added to the graph after
  // it was made; a program has them.
  NodePlacement place_instruction(Instruction instruction, std::string_view kernel) {
    if (method_->context.map().find(instruction) != nullptr)
      return method_->operators.place(instruction, kernel);
    const NodeId node = method_->branches ? method_->branches->node_of(instruction) : NodeId();
    if (node.valid()) return place_on_dominating(method_->context, std::span(&node, 1), true);
    const auto inserted = method_->inserted.find(instruction);
    if (inserted != method_->inserted.end()) return inserted->second.placement;
    if (!is_size_operator(method_->operator_of(instruction))) unmapped_.push_back(instruction);
    return {};
  }

  // Calls are placed one by one: the same instruction may run several times in a loop.
  void place_delegate_events(const EventSequence& sequence, const EventTree& tree,
                             PlacedSequence& placed) {
    if (delegates_ == nullptr) return;
    std::vector<uint32_t> call;  // positions
    const auto flush = [&] {
      if (!call.empty()) place_call(sequence, tree, call, placed);
      call.clear();
    };
    for (uint32_t i = 0; i < sequence.events.size(); ++i) {
      if (tree.roles[i] != EventRole::DelegateEvent) continue;
      const bool is_same_call =
          !call.empty() && tree.parents[i] == tree.parents[call.back()] &&
          sequence.events[i].instruction == sequence.events[call.back()].instruction;
      if (!is_same_call) flush();
      call.push_back(i);
    }
    flush();
  }

  void place_call(const EventSequence& sequence, const EventTree& tree,
                  const std::vector<uint32_t>& positions, PlacedSequence& placed) {
    const uint32_t around = tree.parents[positions.front()];
    const bool has_call = around != kNone && is_inside_call(tree.roles[around]);
    std::vector<EventKey> events;
    for (const uint32_t i : positions) events.push_back(sequence.events[i]);
    const std::span<const NodePlacement> placements =
        delegates_->place(events.front().instruction, events);
    if (!has_call) return;
    for (size_t k = 0; k < positions.size(); ++k) {
      const NodePlacement& placement = placements[k];
      if (!placement.node.valid()) continue;
      placed[positions[k]] = {part_of(placement), &placement};
    }
  }

  const EventLog& log_;
  const OpenMethod* method_;
  DelegatePlacer* delegates_;
  bool logs_all_;
  std::unordered_map<uint64_t, NodePlacement> operators_;  // by name and instruction
  std::vector<Instruction> unmapped_;
};

bool is_backends(EventRole role) {
  return role == EventRole::DelegateCall || role == EventRole::DelegateEvent ||
         role == EventRole::HostPhase || role == EventRole::DelegateTotal;
}

// Of a delegate instruction, as the program has it; "" without one.
std::string_view backend_name(const ProgramMethod* program, Instruction instruction) {
  const ProgramInstruction* row = program == nullptr ? nullptr : program->find(instruction);
  const ProgramDelegate* delegate = row == nullptr ? nullptr : program->delegate_of(*row);
  return delegate == nullptr ? std::string_view() : std::string_view(delegate->backend);
}

// The delegate instructions that the block executed or the method's map names, in order. `delegates`
// is that of the method.
std::vector<CallNodes> delegate_calls(const EventLog& log, const EventTrees& trees,
                                      const Block& block, const OpenMethod* method,
                                      DelegatePlacer* delegates, const ProgramMethod* program) {
  std::vector<Instruction> instructions;
  for (const SequenceId s : block.sequences) {
    const std::vector<EventKey>& events = log.sequence(s).events;
    const EventTree& tree = trees[s.value];
    for (size_t i = 0; i < events.size(); ++i) {
      if (is_backends(tree.roles[i]) && events[i].in_instruction())
        instructions.push_back(events[i].instruction);
    }
  }
  if (method != nullptr) {
    for (const DelegateEntry& entry : method->context.map().delegates)
      instructions.push_back(entry.instruction);
  }
  std::sort(instructions.begin(), instructions.end());
  instructions.erase(std::unique(instructions.begin(), instructions.end()), instructions.end());
  std::vector<CallNodes> calls;
  for (const Instruction instruction : instructions) {
    CallNodes& call = calls.emplace_back();
    call.instruction = instruction;
    if (method == nullptr) {
      call.backend_name = backend_name(program, instruction);
      continue;
    }
    const DelegateEntry* entry = method->context.map().find_delegate(instruction);
    if (entry != nullptr) call.backend = entry->backend;
    call.nodes = delegates->nodes_of(instruction);
  }
  return calls;
}

std::shared_ptr<const Code> code_of(const AttributionRequest& request, const OpenMethod* method,
                                    const std::vector<CallNodes>& calls) {
  if (method == nullptr) return std::make_shared<const Code>(build_code(calls));
  return std::make_shared<const Code>(
      build_code(request.record, *request.method, method->context, calls));
}

// Only the first example of an oddity is kept, so only that one's name is made.
void note(const Join& join, Oddity oddity, ContributionId id, LoadReport& report) {
  go_on();
  report.add(oddity, report.find(oddity) == nullptr ? join.logged_name(id) : std::string());
}

void note_unit(const Join& join, ContributionId id, LoadReport& report) {
  const Event& event = join.event(id);
  const bool is_estimate =
      event.role == EventRole::DelegateEvent && join.backend_of(id).has_estimates;
  if (event.role == EventRole::DelegateTotal) note(join, Oddity::DelegateNotTimes, id, report);
  else if (is_estimate) note(join, Oddity::DelegateEstimates, id, report);
  else if (event.unit == DelegateUnit::Cycles || event.unit == DelegateUnit::Counter)
    note(join, Oddity::DelegateCycles, id, report);
}

// What the exporter added is called by what it does, not by its kernel.
void name_inserted(const OpenMethod& method, Join& join) {
  for (size_t e = 0; e < join.events.size(); ++e) {
    const Event& event = join.events[e];
    const bool is_operator =
        event.role == EventRole::Kernel || event.role == EventRole::OperatorCall;
    const Landing& landing = join.landings->rows[e];
    if (!is_operator || !landing.is_leaf() || !event.key.in_instruction()) continue;
    const auto at = method.inserted.find(event.key.instruction);
    std::string title = at == method.inserted.end() ? std::string() : at->second.title;
    if (title.empty() && method.branches != nullptr)
      title = method.branches->title_of(event.key.instruction);
    if (!title.empty()) join.titles.emplace(ContributionId(e), std::move(title));
  }
}

// Positions beside the executions, in every run: their time is shown nowhere.
void note_outside(const Join& join, LoadReport& report) {
  const Block& block = join.selected();
  std::unordered_map<SequenceId, uint64_t> runs;  // of each sequence
  for (const RunId run : block.runs) ++runs[join.log->run(run).sequence];
  for (size_t s = 0; s < block.sequences.size(); ++s) {
    go_on();
    const SequenceId sequence = block.sequences[s];
    const std::vector<bool> inside = positions_in_execution(join.trees[sequence.value]);
    uint64_t outside = 0;
    ContributionId example;
    for (size_t i = 0; i < inside.size(); ++i) {
      if (inside[i] || !join.event_of_position[s][i].valid()) continue;
      ++outside;
      example = join.event_of_position[s][i];
    }
    if (outside == 0) continue;
    report.add(Oddity::EventOutsideExecution, join.logged_name(example), outside * runs[sequence]);
  }
}

void note_oddities(const Join& join, const std::vector<Instruction>& unmapped,
                   const OpenMethod* method, LoadReport& report) {
  const bool has_method = method != nullptr;
  if (!unmapped.empty()) {
    const bool has_program = has_method && method->program != nullptr;
    const Instruction first = unmapped.front();
    std::string example = "instruction " + std::to_string(first.value);
    if (has_program) example += " " + std::string(method->operator_of(first));
    report.add(has_program ? Oddity::InstructionsUnplaced : Oddity::InstructionsUnmapped, example,
               unmapped.size());
  }
  for (size_t e = 0; e < join.events.size(); ++e) {
    const ContributionId id(e);
    note_unit(join, id, report);
    const bool is_unplaced =
        join.event(id).role == EventRole::DelegateEvent && !(*join.landings)[id].node.valid();
    if (is_unplaced && has_method) note(join, Oddity::DelegateUnaligned, id, report);
  }
}

}  // namespace

Join attribute(AttributionRequest request) {
  const EventLog& log = *request.log;
  const std::unique_ptr<OpenMethod> method = open_method(request);
  const MethodContext* context = method ? &method->context : nullptr;
  const Block& block = request.blocks[request.block.value];
  Join join;
  const auto backends = std::make_shared<const Backends>(std::move(request.backends));
  BackendEvents meanings(log, context, *backends);
  for (const SequenceId s : block.sequences) {
    join.conversions.push_back(settle_delegate_events(
        log, log.sequence(s), request.trees.own(s.value), meanings, request.clock));
  }
  std::unique_ptr<DelegatePlacer> delegates;
  if (method) {
    delegates = std::make_unique<DelegatePlacer>(method->context, method->operators, log, meanings,
                                                 payload_source(request, *method), join.report);
  }
  SequencePlacer placer(log, method.get(), delegates.get(),
                        logs_instructions(log, request.trees, block));
  std::vector<PlacedSequence> placed;
  for (const SequenceId s : block.sequences)
    placed.push_back(placer.place(log.sequence(s), request.trees[s.value]));
  const std::vector<CallNodes> calls = delegate_calls(log, request.trees, block, method.get(),
                                                      delegates.get(), request.program_method);
  GroupedEvents grouped = group_events(log, request.trees, block, placed, join.conversions,
                                       code_of(request, method.get(), calls));
  join.events = std::move(grouped.events);
  join.event_of_position = std::move(grouped.event_of_position);
  join.landings = std::make_shared<const Landings>(std::move(grouped.landings));
  join.backends = backends;
  join.log = std::move(request.log);
  join.record = std::move(request.record);
  join.trees = std::move(request.trees);
  join.blocks = std::move(request.blocks);
  join.block = request.block;
  join.clock = request.clock;
  if (method && method->branches) join.bodies = method->branches->bodies();
  if (method) name_inserted(*method, join);
  else if (request.program_method != nullptr && request.read_payload)
    name_by_payload(*request.program_method, request.read_payload, join);
  note_oddities(join, placer.unmapped(), method.get(), join.report);
  note_outside(join, join.report);
  return join;
}

}  // namespace etlens
