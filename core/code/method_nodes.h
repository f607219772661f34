// SPDX-License-Identifier: Apache-2.0
// The nodes that one method's debug handles lead to.
#pragma once

#include <span>
#include <vector>

#include "core/formats/etrecord/etrecord.h"

namespace etlens {

class MethodNodes {
 public:
  // Nodes of the method's edge program, of its control-flow branches and of the original modules of
  // its delegate calls; the record's other graphs only for handles that all of these lack.
  MethodNodes(const EtRecord& record, const RecordMethod& method);

  // In graph order; empty if nothing has the handle.
  std::span<const NodeId> nodes_of(DebugHandle handle) const;

  // Every distinct handle, ascending.
  const std::vector<DebugHandle>& handles() const { return handles_; }
  // Every node, once: the method's own in graph order, then those of the other graphs.
  const std::vector<NodeId>& all() const { return all_; }
  bool empty() const { return handles_.empty(); }
  bool has_branches() const { return has_branches_; }
  // The delegate call nodes of the edge program itself, in graph order: the k-th is the k-th
  // delegate instruction of the record's map, which has none of branches.
  const std::vector<NodeId>& delegate_calls() const { return delegate_calls_; }

 private:
  std::vector<DebugHandle> handles_;
  std::vector<uint32_t> offsets_;
  std::vector<NodeId> nodes_;
  std::vector<NodeId> all_;
  std::vector<NodeId> delegate_calls_;
  bool has_branches_ = false;
};

}  // namespace etlens
