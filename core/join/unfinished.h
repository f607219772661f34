// SPDX-License-Identifier: Apache-2.0
// Executions that broke off and were closed all the same. Up to release 0.4 a failed execution has
// Method::execute, up to the failure, and looks like a short one.
#pragma once

#include <vector>

#include "core/formats/etrecord/etrecord.h"
#include "core/formats/pte/pte_reader.h"
#include "core/join/pairing.h"

namespace etlens {

// Blocks that ran the front of a method, no other method whole, and did not jump away, where
// another block of the dump ran all of that method. Record and program may be null: without both
// nothing tells a method that ends early from an execution that did.
std::vector<BlockId> unfinished_blocks(const EventLog& log, const EventTrees& trees,
                                       const std::vector<Block>& blocks, const EtRecord* record,
                                       const EtProgram* program, const Backends& backends);

}  // namespace etlens
