// SPDX-License-Identifier: Apache-2.0
// The metadata of a node of a graph: stack trace, module stack, debug handle, origin.
#pragma once

#include <simdjson.h>

#include <string_view>

#include "core/formats/etrecord/etrecord.h"
#include "core/formats/etrecord/provenance_tables.h"

namespace etlens {

// {"stack_trace": …, "nn_module_stack": …, "debug_handle": …, …} into `node`; other keys are
// skipped. `keeps_calls`: the origin and the Python function, too. `exported_graph`: the number of
// the exported program's graph, "" if it is not known.
simdjson::error_code read_metadata(simdjson::ondemand::value value, bool keeps_calls,
                                   std::string_view exported_graph, EtRecord& record,
                                   ProvenanceTables& provenance, Node& node);

}  // namespace etlens
