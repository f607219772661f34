// SPDX-License-Identifier: Apache-2.0
// Evidence: what is known of a model where a policy is checked, each part with the reason why it is
// not known. Made of what every other surface reads: delegation, facts of the program, comparison.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/compare/compare.h"
#include "core/delegation/counted.h"
#include "core/facts/memory_facts.h"
#include "core/facts/size_facts.h"
#include "core/workspace/anchored_source.h"
#include "core/workspace/load_delegation.h"

namespace etlens {

struct GatePlace {
  std::string recorded_path;  // "" without a line
  uint32_t line = 0;          // as recorded; 0 for none
  std::string path;           // of the file here, absolute; "" if it was not looked for or found

  friend auto operator<=>(const GatePlace&, const GatePlace&) = default;
};

template <typename T>
struct Known {
  std::optional<T> value;
  std::string why_not;  // a clause: "no ETRecord below out"

  Known() = default;
  Known(T given) : value(std::move(given)) {}
  static Known unknown(std::string why) {
    Known known;
    known.why_not = std::move(why);
    return known;
  }
};

// An operator that runs on the CPU.
struct CpuOperator {
  std::string op;      // as ExecuTorch counts it: "aten_topk_default"
  std::string target;  // "aten.topk.default"
  GatePlace place;
  DelegationReason reason;
  bool is_counted = true;
};

struct CallStart {
  std::string backend;  // its label
  GatePlace place;      // of its first operator
};

struct DelegationEvidence {
  CountedOperators counted;
  std::vector<CpuOperator> cpu;  // in graph order
};

struct PlaceBytes {
  GatePlace place;
  uint64_t bytes = 0;
};

struct MemoryEvidence {
  uint64_t peak = 0;
  std::vector<PlaceBytes> lines;  // with most of it; a few
};

struct SizeEvidence {
  uint64_t bytes = 0;
  std::vector<PlaceBytes> lines;
};

struct LineEvidence {
  GatePlace place;
  Judged judged;
};

struct TimeEvidence {
  Judged total;
  bool has_lines = false;           // both sides have a record
  std::vector<LineEvidence> lines;  // of the new side
};

struct Evidence {
  Known<DelegationEvidence> delegation;
  Known<std::vector<CallStart>> calls;  // of the record, or of the program alone
  Known<double> cold_start;             // nanoseconds
  Known<MemoryEvidence> memory;
  Known<SizeEvidence> size;
  Known<TimeEvidence> time;
};

// What was delegated is unknown as long as the record is one from before lowering. `code`: of the delegation's method.
Known<DelegationEvidence> delegation_evidence(const Delegation& delegation, const Code& code);
Known<std::vector<CallStart>> calls_of_record(const Delegation& delegation, const Code& code);
std::vector<CallStart> calls_of_program(const ProgramMethod& method);
MemoryEvidence memory_evidence(const MemoryFacts& facts);
SizeEvidence size_evidence(const SizeFacts& facts);
// `clock`: of its ticks. Of a side that of the middle one of its dumps.
Known<double> cold_start_evidence(const ColdStart& cold, TimeScale clock);
inline Known<double> cold_start_evidence(const Side& side) {
  return cold_start_evidence(side.cold_start(), side.clock);
}
TimeEvidence time_evidence(const Comparison& comparison);

}  // namespace etlens
