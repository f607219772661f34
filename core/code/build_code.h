// SPDX-License-Identifier: Apache-2.0
// Builds the Code of one method of a record.
//
// A module owns every node whose module stack contains its exact path; a parent that no stack names
// (`layers` above `layers.0`) is filled in and owns what its children own. A delegate call belongs
// to the deepest module that holds all its nodes.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "core/code/code.h"
#include "core/code/method_context.h"

namespace etlens {

// A delegate call as whoever joins a dump with the record knows it.
struct CallNodes {
  Instruction instruction;
  StringId backend;           // of the record; invalid if it names none
  std::vector<NodeId> nodes;  // in graph order
  // Without a record: as the program names it, or "". Valid until the code is built.
  std::string_view backend_name = {};
};

// `calls` in instruction order. `record` is the context's.
Code build_code(std::shared_ptr<const EtRecord> record, const RecordMethod& method,
                const MethodContext& context, const std::vector<CallNodes>& calls);

// Without a record: the root module and the calls, nothing else.
Code build_code(const std::vector<CallNodes>& calls);

}  // namespace etlens
