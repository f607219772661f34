// SPDX-License-Identifier: Apache-2.0
// Which nodes of a delegate call the operators of its payload were made from.
//
// An operator's debug handle leads to nodes; of these it is the one that fits its kind, because
// from release 1.0 on a handle covers all that one ATen operator became, and after quantizing a
// convolution together with its quantize and dequantize nodes. Operators that lost their handle are
// found by their place, those that the exporter added work for the operator that they feed.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/backend/xnnpack/names.h"
#include "core/backend/xnnpack/payload.h"
#include "core/code/method_context.h"
#include "core/code/node_flow.h"

namespace etlens {

struct OperatorNode {
  NodeId node;                 // invalid if none is known
  std::vector<NodeId> others;  // further nodes that it could be instead
  bool is_guess = false;       // found by its place, not by a handle
  bool is_layout = false;      // has no node of its own and works for `node`
  NodeId activation;           // that was folded in at export; invalid if there is none
  std::vector<NodeId> fused;   // nodes without an operator whose work it does; ascending
};

// An operator of a payload by its handle, or a node by its own and its place in the payload's order.
struct OfHandle {
  DebugHandle handle;
  uint32_t row;
  friend auto operator<=>(const OfHandle&, const OfHandle&) = default;
};

class OperatorNodes {
 public:
  // `nodes` are those of the call in graph order, `ordered` the same in the payload's order. With
  // `is_lowered` the graph's order is the payload's.
  OperatorNodes(const MethodContext& context, const XnnpackPayload& payload,
                std::vector<NodeId> nodes, std::vector<NodeId> ordered, bool is_lowered);

  const OperatorNode& of(uint32_t op) const { return rows_[op]; }

 private:
  struct Span {  // of places in ordered_
    size_t first = 0;
    size_t end = 0;
  };

  NodeFit fit(uint32_t op, NodeId node) const;
  size_t slot_of(NodeId node) const;
  // The operator that does the node's work; kNone if none does.
  uint32_t owner_of(NodeId node) const { return owner_[slot_of(node)]; }
  bool is_claimed(NodeId node) const { return owner_of(node) != kNone; }
  void claim(uint32_t op, NodeId node) {
    uint32_t& owner = owner_[slot_of(node)];
    if (owner == kNone) owner = op;
  }
  std::span<const NodeId> nodes_of(DebugHandle handle) const;  // in the payload's order
  std::span<const OfHandle> operators_of(DebugHandle handle) const;

  void index_handles();
  void match_by_handle();
  void find_fitting(uint32_t op, std::span<const NodeId> nodes, std::vector<NodeId>& found) const;
  void match_together(std::span<const OfHandle> operators, std::vector<NodeId>& found,
                      std::vector<uint32_t>& without);
  void match_rest_of_handle(uint32_t op);
  void assign(std::span<const uint32_t> ops, const std::vector<NodeId>& nodes);
  void find_lost();
  std::vector<NodeId> lost_nodes(uint32_t op) const;
  std::vector<Span> spans_between_known() const;
  std::vector<NodeId> inside(const Span& span, const std::vector<NodeId>& nodes) const;
  void place_layout();
  std::vector<uint32_t> served_by(uint32_t op, bool is_forward) const;
  void find_activations();
  void attach_nodes();
  void attach_to_handle(NodeId node);
  void attach_backward(NodeId node);
  void attach_forward(NodeId node);
  void attach(NodeId node, uint32_t op);

  const MethodContext& context_;
  const XnnpackPayload& payload_;
  std::vector<NodeId> nodes_;
  std::vector<NodeId> ordered_;
  bool is_lowered_;
  NodeFlow flow_;
  std::vector<OperatorNode> rows_;
  // A node's slot is its row in nodes_ if these ascend, as they mostly do; else in sorted_.
  std::vector<NodeId> sorted_;
  std::vector<uint32_t> place_;                // in ordered_, by slot
  std::vector<uint32_t> owner_;                // by slot; kNone: nobody's
  std::vector<OfHandle> nodes_of_handle_;      // ascending
  std::vector<NodeId> sorted_by_handle_;       // the nodes of these rows
  std::vector<OfHandle> operators_of_handle_;  // ascending
};

}  // namespace etlens
