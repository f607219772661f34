// SPDX-License-Identifier: Apache-2.0
// The names of the nodes of graphs, for records that leave them out.
#pragma once

#include <map>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "core/formats/etrecord/etrecord.h"

namespace etlens {

class NodeNames {
 public:
  void add(GraphId graph, StringId name) { added_.emplace_back(graph, name); }

  // Before release 1.0 nodes have no name of their own. A single output bears it; several outputs
  // are named after their getitem nodes, so FX's name for such a target is made from `target`.
  StringId derive(GraphId graph, StringId target, std::span<const StringId> outputs,
                  EtRecord& record);

  // Forgets the names of graphs from `first` on, which were added last.
  void forget_from(GraphId first);

 private:
  // Since a name was derived last: most records need none.
  std::vector<std::pair<GraphId, StringId>> added_;
  std::set<std::pair<GraphId, StringId>> in_use_;               // those added before that
  std::map<std::pair<GraphId, StringId>, size_t> last_number_;  // that a derived name ends in
};

}  // namespace etlens
