// SPDX-License-Identifier: Apache-2.0
// Does a .pte belong to what ran? A program names its methods and every instruction of them, so one
// disagreement with the dump or with the record's maps is enough to say no.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/formats/etdump/event_log.h"
#include "core/formats/etrecord/etrecord.h"
#include "core/formats/pte/pte_reader.h"
#include "core/join/block.h"
#include "core/join/event_tree.h"

namespace etlens {

// What the block ran or the record maps differently from the method of the program; nullopt if all
// agrees. `record` may be null, and may lack a map of the method.
std::optional<std::string> program_difference(const ProgramMethod& method, const EventLog& log,
                                              const EventTrees& trees, const Block& block,
                                              const EtRecord* record);

// The same without a dump. The record may lack a map of the method.
std::optional<std::string> program_difference(const ProgramMethod& method, const EtRecord& record);

// Without a record: the only method of the program that the block could have run; null if there is
// none, or more than one.
const ProgramMethod* method_of_block(const EtProgram& program, const EventLog& log,
                                     const EventTrees& trees, const Block& block);

// True if the block could have run some method of the program.
bool fits_any_method(const EtProgram& program, const EventLog& log, const EventTrees& trees,
                     const Block& block, const EtRecord* record);

}  // namespace etlens
