// SPDX-License-Identifier: Apache-2.0
// Nodes that passes made between torch.export and the edge program: their traces are those of the
// passes, or missing. `from_node` leads to the node of the exported program, which has the model's.
#pragma once

#include <vector>

#include "core/formats/etrecord/etrecord.h"
#include "core/formats/etrecord/provenance_tables.h"

namespace etlens {

// Nodes that have an Node::exported_name and no frame of a model. `has_passes`: the edge programs are
// those behind passes of the user's; then all nodes that have the name, because any frame may be of
// such a pass.
std::vector<NodeId> rewritten_nodes(const EtRecord& record, bool has_passes);

// Gives each of `nodes` the stack of its node in `exported` (and its modules, if it has none),
// unless its own trace is one of the exported program's. Node::stack_trace stays what was recorded.
// `provenance` is that of `record`.
void place_on_origins(EtRecord& record, const std::vector<NodeId>& nodes, const EtRecord& exported,
                      ProvenanceTables& provenance);

}  // namespace etlens
