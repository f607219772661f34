// SPDX-License-Identifier: Apache-2.0
// What a program alone tells of a method, as the record of one that was lowered: a node for every
// kernel and every delegate call, in the order of the instructions, and a graph of its own for the
// operators of each call. Arguments that are no tensors, names and lines are not there.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/formats/etrecord/etrecord.h"
#include "core/formats/pte/program.h"

namespace etlens {

// An operator of a delegate's payload, as the payload names it.
struct CallOperator {
  std::string name;
  DebugHandle debug_handle = kNoHandle;
};

struct ProgramRecord {
  EtRecord record;
  RecordMethod method;
  std::vector<Instruction> instructions;  // by node
};

// `operators`: by ProgramMethod::delegates; nullopt where the payload cannot be read. What is
// inside of branches and loops is one node, as in records.
ProgramRecord record_of_program(
    const ProgramMethod& program,
    std::span<const std::optional<std::vector<CallOperator>>> operators);

}  // namespace etlens
