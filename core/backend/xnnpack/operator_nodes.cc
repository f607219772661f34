// SPDX-License-Identifier: Apache-2.0
#include "core/backend/xnnpack/operator_nodes.h"

#include <algorithm>
#include <map>
#include <unordered_set>

#include "core/code/node_placement.h"

namespace etlens {
namespace {

using K = XnnpackKind;

constexpr int kMaxSteps = 8;  // from an inserted operator to the one that it works for
constexpr size_t kMaxServed = 64;

// Operators that exporters insert to change layouts and types.
bool is_layout_kind(XnnpackKind kind) {
  return kind == K::StaticTranspose || kind == K::Convert || kind == K::StaticReshape ||
         kind == K::Copy;
}

bool is_linear(XnnpackKind kind) {
  return kind == K::Conv2d || kind == K::DepthwiseConv2d || kind == K::ConvTranspose2d ||
         kind == K::FullyConnected;
}

bool is_activation(std::string_view base) {
  return base == "relu" || base == "relu6" || base == "hardtanh" || base == "clamp";
}
bool is_normalisation(std::string_view base) {
  return base == "batch_norm" || base == "native_batch_norm" ||
         base == "_native_batch_norm_legit_no_training";
}
bool is_convolution(std::string_view base) {
  return base == "convolution" || base == "conv1d" || base == "conv2d" ||
         base == "conv_transpose2d";
}

std::span<const OfHandle> rows_of(const std::vector<OfHandle>& rows, DebugHandle handle) {
  const auto first = std::ranges::lower_bound(rows, handle, {}, &OfHandle::handle);
  return {first, std::ranges::upper_bound(first, rows.end(), handle, {}, &OfHandle::handle)};
}

void sort_unique(std::vector<NodeId>& nodes) {
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
}

}  // namespace

OperatorNodes::OperatorNodes(const MethodContext& context, const XnnpackPayload& payload,
                             std::vector<NodeId> nodes, std::vector<NodeId> ordered,
                             bool is_lowered)
    : context_(context),
      payload_(payload),
      nodes_(std::move(nodes)),
      ordered_(std::move(ordered)),
      is_lowered_(is_lowered),
      flow_(context.record(), nodes_),
      rows_(payload.operators.size()) {
  index_handles();
  match_by_handle();
  find_lost();
  place_layout();
  find_activations();
  attach_nodes();
}

NodeFit OperatorNodes::fit(uint32_t op, NodeId node) const {
  const XnnpackOperator& row = payload_.operators[op];
  const auto type = [&](std::span<const uint32_t> values) {
    return values.empty() ? XnnpackType::Unknown : payload_.values[values[0]].type;
  };
  return node_fit(row.kind, type(payload_.inputs_of(row)), type(payload_.outputs_of(row)),
                  context_.operator_of(node));
}

// Nodes of a call are mostly numbered without gaps.
size_t OperatorNodes::slot_of(NodeId node) const {
  const size_t guess = size_t{node.value} - sorted_.front().value;
  if (guess < sorted_.size() && sorted_[guess] == node) return guess;
  return static_cast<size_t>(std::lower_bound(sorted_.begin(), sorted_.end(), node) -
                             sorted_.begin());
}

void OperatorNodes::index_handles() {
  const EtRecord& record = context_.record();
  sorted_ = nodes_;
  sort_unique(sorted_);
  owner_.assign(sorted_.size(), kNone);
  place_.assign(sorted_.size(), 0);
  nodes_of_handle_.reserve(ordered_.size());
  for (size_t i = ordered_.size(); i-- > 0;) {
    place_[slot_of(ordered_[i])] = static_cast<uint32_t>(i);
    const DebugHandle handle = record.nodes[ordered_[i].value].debug_handle;
    if (record.is_set(handle)) nodes_of_handle_.push_back({handle, static_cast<uint32_t>(i)});
  }
  std::sort(nodes_of_handle_.begin(), nodes_of_handle_.end());
  sorted_by_handle_.reserve(nodes_of_handle_.size());
  for (const OfHandle& row : nodes_of_handle_) sorted_by_handle_.push_back(ordered_[row.row]);
  operators_of_handle_.reserve(payload_.operators.size());
  for (uint32_t o = 0; o < payload_.operators.size(); ++o) {
    const DebugHandle handle = payload_.operators[o].debug_handle;
    if (handle != kNoHandle) operators_of_handle_.push_back({handle, o});
  }
  std::sort(operators_of_handle_.begin(), operators_of_handle_.end());
}

std::span<const NodeId> OperatorNodes::nodes_of(DebugHandle handle) const {
  const std::span<const OfHandle> rows = rows_of(nodes_of_handle_, handle);
  if (rows.empty()) return {};
  const auto first = static_cast<size_t>(rows.data() - nodes_of_handle_.data());
  return std::span(sorted_by_handle_).subspan(first, rows.size());
}

std::span<const OfHandle> OperatorNodes::operators_of(DebugHandle handle) const {
  return rows_of(operators_of_handle_, handle);
}

void OperatorNodes::match_by_handle() {
  std::vector<NodeId> found;
  std::vector<uint32_t> without;
  for (auto first = operators_of_handle_.begin(); first != operators_of_handle_.end();) {
    const auto last = std::find_if(first, operators_of_handle_.end(), [&](const OfHandle& row) {
      return row.handle != first->handle;
    });
    match_together({first, last}, found, without);
    first = last;
  }
  std::sort(without.begin(), without.end());
  for (const uint32_t o : without) match_rest_of_handle(o);
}

// The nodes that fit an operator well, or else those that may fit it.
void OperatorNodes::find_fitting(uint32_t op, std::span<const NodeId> nodes,
                                 std::vector<NodeId>& found) const {
  found.clear();
  NodeFit best = NodeFit::Weak;
  for (const NodeId node : nodes) {
    const NodeFit how = fit(op, node);
    if (how == NodeFit::Good && best != NodeFit::Good) {
      best = NodeFit::Good;
      found.clear();
    }
    if (how == best) found.push_back(node);
  }
}

// Operators of one handle that the same nodes fit share these in order. Those that none fits go to
// `without`; `found` is a list to work with.
void OperatorNodes::match_together(std::span<const OfHandle> operators, std::vector<NodeId>& found,
                                   std::vector<uint32_t>& without) {
  const std::span<const NodeId> nodes = nodes_of(operators.front().handle);
  if (nodes.empty()) return;
  if (operators.size() == 1) {
    const uint32_t o = operators.front().row;
    find_fitting(o, nodes, found);
    if (found.empty()) without.push_back(o);
    else assign(std::span(&o, 1), found);
    return;
  }
  std::map<std::vector<NodeId>, std::vector<uint32_t>> groups;
  for (const OfHandle& row : operators) {
    find_fitting(row.row, nodes, found);
    if (found.empty()) without.push_back(row.row);
    else groups[found].push_back(row.row);
  }
  for (const auto& [shared, group] : groups) assign(group, shared);
}

void OperatorNodes::assign(std::span<const uint32_t> ops, const std::vector<NodeId>& nodes) {
  for (size_t k = 0; k < ops.size(); ++k) {
    OperatorNode& row = rows_[ops[k]];
    row.node = nodes[std::min(k, nodes.size() - 1)];
    claim(ops[k], row.node);
    if (ops.size() == nodes.size() && is_lowered_) continue;
    for (const NodeId node : nodes) {
      if (node != row.node) row.others.push_back(node);
    }
  }
}

// No node of the handle fits: it is one of them all the same.
void OperatorNodes::match_rest_of_handle(uint32_t op) {
  const std::span<const NodeId> nodes = nodes_of(payload_.operators[op].debug_handle);
  const NodePlacement likely = place_on_dominating(context_, nodes, true);
  rows_[op].node = likely.node;
  rows_[op].others = likely.fused;
  rows_[op].is_layout = is_layout_kind(payload_.operators[op].kind);
}

// Nodes that an operator without handle could be made from.
std::vector<NodeId> OperatorNodes::lost_nodes(uint32_t op) const {
  std::vector<NodeId> found;
  for (const NodeId node : ordered_) {
    if (is_claimed(node) ||
        !operators_of(context_.record().nodes[node.value].debug_handle).empty() ||
        fit(op, node) != NodeFit::Good) {
      continue;
    }
    // A normalisation behind a convolution was folded into that.
    const NodeId source =
        is_normalisation(context_.operator_of(node)) ? flow_.source(node) : NodeId();
    if (!source.valid() || !is_convolution(context_.operator_of(source))) found.push_back(node);
  }
  return found;
}

void OperatorNodes::find_lost() {
  std::map<std::vector<NodeId>, std::vector<uint32_t>> groups;
  std::map<XnnpackKind, std::vector<NodeId>> by_kind;
  for (uint32_t o = 0; o < rows_.size(); ++o) {
    const XnnpackKind kind = payload_.operators[o].kind;
    if (rows_[o].node.valid() || is_layout_kind(kind) || kind == K::Unknown) continue;
    const auto [at, is_new] = by_kind.try_emplace(kind);
    if (is_new) at->second = lost_nodes(o);
    if (!at->second.empty()) groups[at->second].push_back(o);
  }
  const std::vector<Span> spans = spans_between_known();
  for (const auto& [nodes, operators] : groups) {
    for (size_t k = 0; k < operators.size(); ++k) {
      const uint32_t o = operators[k];
      std::vector<NodeId> possible =
          nodes.size() == operators.size() ? std::vector{nodes[k]} : inside(spans[o], nodes);
      if (possible.empty()) continue;
      rows_[o].node = possible.front();
      rows_[o].others.assign(possible.begin() + 1, possible.end());
      rows_[o].is_guess = true;
    }
  }
  for (uint32_t o = 0; o < rows_.size(); ++o) {
    if (rows_[o].is_guess) claim(o, rows_[o].node);
  }
}

// Per operator, the places between the nodes of the nearest operators before and behind that have
// one.
std::vector<OperatorNodes::Span> OperatorNodes::spans_between_known() const {
  std::vector<Span> spans(rows_.size(), {0, ordered_.size()});
  size_t first = 0;
  for (uint32_t o = 0; o < rows_.size(); ++o) {
    spans[o].first = first;
    if (rows_[o].node.valid() && !rows_[o].is_layout) first = place_[slot_of(rows_[o].node)] + 1;
  }
  size_t end = ordered_.size();
  for (uint32_t o = static_cast<uint32_t>(rows_.size()); o-- > 0;) {
    spans[o].end = end;
    if (rows_[o].node.valid() && !rows_[o].is_layout) end = place_[slot_of(rows_[o].node)];
  }
  return spans;
}

// Those of `nodes`, which are in the payload's order, that stand in the span; too many say nothing.
std::vector<NodeId> OperatorNodes::inside(const Span& span,
                                          const std::vector<NodeId>& nodes) const {
  const auto before = [&](NodeId node, size_t place) { return place_[slot_of(node)] < place; };
  const auto first = std::lower_bound(nodes.begin(), nodes.end(), span.first, before);
  const auto last = std::lower_bound(first, nodes.end(), std::max(span.first, span.end), before);
  if (static_cast<size_t>(last - first) > kMaxServed) return {};
  return {first, last};
}

void OperatorNodes::place_layout() {
  std::vector<uint32_t> inserted;
  for (uint32_t o = 0; o < rows_.size(); ++o) {
    if (!rows_[o].node.valid() && is_layout_kind(payload_.operators[o].kind)) inserted.push_back(o);
  }
  std::vector<OperatorNode> placed;
  for (const uint32_t o : inserted) {
    std::vector<uint32_t> served = served_by(o, true);
    if (served.empty()) served = served_by(o, false);
    OperatorNode row;
    row.is_layout = true;
    for (const uint32_t s : served) {
      row.is_guess |= rows_[s].is_guess;
      if (!row.node.valid()) row.node = rows_[s].node;
      else row.others.push_back(rows_[s].node);
      row.others.insert(row.others.end(), rows_[s].others.begin(), rows_[s].others.end());
    }
    sort_unique(row.others);
    std::erase(row.others, row.node);
    placed.push_back(std::move(row));
  }
  for (size_t i = 0; i < inserted.size(); ++i) rows_[inserted[i]] = std::move(placed[i]);
}

// The nearest operators with nodes that read the result, through other inserted ones; or, backward,
// that make the input. Ascending.
std::vector<uint32_t> OperatorNodes::served_by(uint32_t op, bool is_forward) const {
  std::vector<uint32_t> found;
  std::vector<uint32_t> open{op};
  std::unordered_set<uint32_t> seen{op};
  for (int step = 0; step < kMaxSteps && !open.empty() && seen.size() <= kMaxServed; ++step) {
    std::vector<uint32_t> next;
    for (const uint32_t o : open) {
      const XnnpackOperator& row = payload_.operators[o];
      std::vector<uint32_t> around;
      for (const uint32_t v : is_forward ? payload_.outputs_of(row) : payload_.inputs_of(row)) {
        const XnnpackValue& value = payload_.values[v];
        const std::span<const uint32_t> readers = payload_.readers_of(value);
        if (is_forward) around.insert(around.end(), readers.begin(), readers.end());
        else if (value.producer != kNone) around.push_back(value.producer);
      }
      for (const uint32_t other : around) {
        if (seen.size() > kMaxServed || !seen.insert(other).second) continue;
        if (rows_[other].node.valid()) found.push_back(other);
        else if (is_layout_kind(payload_.operators[other].kind)) next.push_back(other);
      }
    }
    open = std::move(next);
  }
  std::sort(found.begin(), found.end());
  return found;
}

// The activation behind an arithmetic operator has no operator of its own, but an event.
void OperatorNodes::find_activations() {
  for (uint32_t o = 0; o < rows_.size(); ++o) {
    const XnnpackOperator& op = payload_.operators[o];
    if (!is_arithmetic(op.kind) || !op.has_output_min_max || !rows_[o].node.valid() ||
        rows_[o].is_layout)
      continue;
    for (const NodeId reader : flow_.readers(rows_[o].node)) {
      if (!is_activation(context_.operator_of(reader)) || is_claimed(reader)) continue;
      rows_[o].activation = reader;
      claim(o, reader);
      break;
    }
  }
}

// Nodes without an operator of their own go to the operator that does their work, if there is one.
void OperatorNodes::attach_nodes() {
  for (const NodeId node : nodes_) {
    if (!is_claimed(node)) attach_to_handle(node);
  }
  for (const NodeId node : nodes_) {
    if (!is_claimed(node) && is_folded_backward(context_.operator_of(node))) attach_backward(node);
  }
  for (size_t i = nodes_.size(); i-- > 0;) {
    if (!is_claimed(nodes_[i]) && is_folded_forward(context_.operator_of(nodes_[i])))
      attach_forward(nodes_[i]);
  }
  for (OperatorNode& row : rows_) sort_unique(row.fused);
}

// What one ATen operator became besides: the heaviest of its operators stands for it.
void OperatorNodes::attach_to_handle(NodeId node) {
  uint32_t best = kNone;
  const DebugHandle handle = context_.record().nodes[node.value].debug_handle;
  for (const auto [of, o] : operators_of(handle)) {
    if (!rows_[o].node.valid() || rows_[o].is_layout) continue;
    const auto rank = [&](uint32_t op) {
      return rank_of_operator(context_.operator_of(rows_[op].node));
    };
    if (best == kNone || rank(o) < rank(best)) best = o;
  }
  if (best != kNone) attach(node, best);
}

void OperatorNodes::attach_backward(NodeId node) {
  const NodeId source = flow_.source(node);
  const uint32_t owner = source.valid() ? owner_of(source) : kNone;
  if (owner == kNone) return;
  const XnnpackOperator& op = payload_.operators[owner];
  const std::string_view base = context_.operator_of(node);
  if (is_activation(base) && !op.has_output_min_max) return;
  if (is_normalisation(base) && !is_linear(op.kind)) return;
  attach(node, owner);
}

void OperatorNodes::attach_forward(NodeId node) {
  for (const NodeId reader : flow_.readers(node)) {
    const uint32_t owner = owner_of(reader);
    if (owner == kNone) continue;
    attach(node, owner);
    return;
  }
}

void OperatorNodes::attach(NodeId node, uint32_t op) {
  claim(op, node);
  rows_[op].fused.push_back(node);
}

}  // namespace etlens
