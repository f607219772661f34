// SPDX-License-Identifier: Apache-2.0
#include "core/gate/evidence.h"

#include "core/backend/backend.h"
#include "core/base/budget.h"

namespace etlens {
namespace {

// Lines that are named where a sum is too large.
constexpr size_t kLargestLines = 3;
constexpr std::string_view kNotLowered = "the record was written before the model was lowered";

GatePlace place_of(const Code& code, LineId id) {
  if (!id.valid()) return {};
  const CodeLine& line = code.lines[id.value];
  return {std::string(code.recorded_path(line.file)), line.number, {}};
}

GatePlace place_of(const Code& code, NodeId node) {
  const Place* place = code.place_of(node);
  return place == nullptr ? GatePlace() : place_of(code, place->line);
}

}  // namespace

Known<DelegationEvidence> delegation_evidence(const Delegation& delegation, const Code& code) {
  const EtRecord& record = *delegation.record;
  if (delegation.lowering == Lowering::NotLowered)
    return Known<DelegationEvidence>::unknown(std::string(kNotLowered));
  DelegationEvidence evidence;
  evidence.counted = count_operators(delegation);
  for (const NodeDelegation& row : delegation.nodes) {
    go_on();
    if (row.is_delegated()) continue;
    const Node& node = record.nodes[row.node.value];
    evidence.cpu.push_back({counted_operator(record, node), std::string(record.text(node.target)),
                            place_of(code, row.node), row.reason,
                            is_counted_operator(record, node)});
  }
  return evidence;
}

Known<std::vector<CallStart>> calls_of_record(const Delegation& delegation, const Code& code) {
  using Calls = std::vector<CallStart>;
  if (delegation.lowering == Lowering::NotLowered)
    return Known<Calls>::unknown(std::string(kNotLowered));
  Calls calls;
  for (const CalledDelegate& call : delegation.calls) {
    calls.push_back(
        {built_in_backends().label(delegation.record->text(call.backend)), GatePlace()});
  }
  for (const NodeDelegation& row : delegation.nodes) {
    go_on();
    if (!row.is_delegated() || calls[row.call].place.line > 0) continue;
    calls[row.call].place = place_of(code, row.node);
  }
  return calls;
}

std::vector<CallStart> calls_of_program(const ProgramMethod& method) {
  std::vector<CallStart> calls;
  for (const ProgramInstruction& instruction : method.instructions) {
    go_on();
    if (const ProgramDelegate* delegate = method.delegate_of(instruction))
      calls.push_back({built_in_backends().label(delegate->backend), GatePlace()});
  }
  return calls;
}

MemoryEvidence memory_evidence(const MemoryFacts& facts) {
  MemoryEvidence evidence{facts.peak(), {}};
  for (const MemoryLineFacts& line : facts.lines()) {
    if (evidence.lines.size() == kLargestLines || line.at_peak == 0) break;
    evidence.lines.push_back({place_of(facts.code(), line.line), line.at_peak});
  }
  return evidence;
}

SizeEvidence size_evidence(const SizeFacts& facts) {
  SizeEvidence evidence{facts.file_bytes(), {}};
  for (const LineBytes& line : facts.lines()) {
    if (evidence.lines.size() == kLargestLines || line.bytes == 0) break;
    evidence.lines.push_back({{line.path, line.number, {}}, line.bytes});
  }
  return evidence;
}

Known<double> cold_start_evidence(const ColdStart& cold, TimeScale clock) {
  if (cold.loads == 0) {
    return Known<double>::unknown(
        "the ETDump contains no loading; create the tracer before the program is loaded");
  }
  if (clock == TimeScale::Cycles)
    return Known<double>::unknown("the ETDump counts cycles, which are not a time");
  return cold.total() / scale_factor(clock, TimeScale::Nanoseconds);
}

TimeEvidence time_evidence(const Comparison& comparison) {
  TimeEvidence evidence{comparison.total.judged, !comparison.lines.empty(), {}};
  const Code& code = *comparison.after->code;
  for (const LineChange& line : comparison.lines) {
    go_on();
    if (line.after.empty()) continue;
    evidence.lines.push_back({place_of(code, line.after.front()), line.change.judged});
  }
  return evidence;
}

}  // namespace etlens
