// SPDX-License-Identifier: Apache-2.0
#include "core/backend/xnnpack/hypotheses.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <tuple>
#include <unordered_set>

#include "core/base/budget.h"

namespace etlens {
namespace {

using K = XnnpackKind;

constexpr int kMaxPasses = 256;  // of sorting

// How an operator may be called; one row of a problem's costs.
struct Family {
  XnnpackKind kind = K::Unknown;
  XnnpackNameSet names = XnnpackNameSet::OfKind;
  XnnpackTypeRule rule = XnnpackTypeRule::Any;
  bool is_pointwise = false;
  friend auto operator<=>(const Family&, const Family&) = default;
};

constexpr Family kClampFamily{K::Clamp};
constexpr Family kConvertFamily{K::Convert};

Family family_of(const XnnpackPayload& payload, uint32_t o, XnnpackNameSet names) {
  const XnnpackOperator& op = payload.operators[o];
  const XnnpackType type =
      op.input_count == 0 ? XnnpackType::Unknown : payload.values[payload.inputs_of(op)[0]].type;
  return {op.kind, names, type_rule(op.kind, type), op.is_pointwise};
}

// Numbers families and names and works out what each costs the other.
class ProblemBuilder {
 public:
  explicit ProblemBuilder(std::span<const EventName> names) {
    using Key = std::tuple<std::string_view, std::string_view, std::string_view, std::string_view>;
    std::map<Key, uint32_t> known;
    for (const EventName& name : names) {
      const auto [at, is_new] =
          known.try_emplace({name.base, name.type, name.second_type, name.kernel},
                            static_cast<uint32_t>(known.size()));
      if (is_new) {
        distinct_.push_back(name);
        result_.problem.is_wild.push_back(is_unknown_xnnpack_name(name));
      }
      result_.problem.events.push_back(at->second);
    }
    const std::vector<bool> wrong = miscounted(names);
    if (std::find(wrong.begin(), wrong.end(), true) != wrong.end()) result_.problem.doubted = wrong;
    result_.problem.first_source.push_back(0);
  }

  // `sources` are operators of the problem.
  void add(XnnpackOrigin origin, const OperatorToAlign& costs, const Family& family,
           const std::optional<Family>& second = {}, std::span<const uint32_t> sources = {}) {
    OperatorToAlign op = costs;
    op.family = number(family);
    if (second) op.second_family = number(*second);
    const bool is_clamp = second && second->kind == K::Clamp;
    result_.second_parts.push_back(is_clamp ? XnnpackPart::Activation : XnnpackPart::Conversion);
    result_.problem.operators.push_back(op);
    result_.problem.sources.insert(result_.problem.sources.end(), sources.begin(), sources.end());
    result_.problem.first_source.push_back(static_cast<uint32_t>(result_.problem.sources.size()));
    result_.origins.push_back(origin);
  }

  XnnpackHypothesis build() {
    NameCosts costs(families_.size(), distinct_.size());
    for (const auto& [family, row] : families_) {
      for (size_t n = 0; n < distinct_.size(); ++n) {
        costs.at(row, n) = xnnpack_name_cost(family.kind, family.names, family.rule,
                                             family.is_pointwise, distinct_[n]);
      }
    }
    result_.problem.costs = std::move(costs);
    return std::move(result_);
  }

 private:
  uint32_t number(const Family& family) {
    return families_.try_emplace(family, static_cast<uint32_t>(families_.size())).first->second;
  }

  std::vector<EventName> distinct_;
  std::map<Family, uint32_t> families_;
  XnnpackHypothesis result_;
};

// A node of XNNPACK's own graph. Values are rows of the payload's and, behind them, XNNPACK's own.
struct LibraryNode {
  XnnpackOrigin origin;
  Family family;
  std::vector<uint32_t> inputs;
  std::vector<uint32_t> outputs;
};

// XNNPACK's graph as far as the order of its nodes goes. Folded operators are left out; who reads
// their result reads what they read, or they write what the operator before them wrote.
class LibraryGraph {
 public:
  LibraryGraph(const XnnpackPayload& payload, const std::vector<XnnpackReport>& reports)
      : payload_(payload), alias_(payload.values.size()) {
    std::iota(alias_.begin(), alias_.end(), 0u);
    for (uint32_t o = 0; o < reports.size(); ++o) {
      if (reports[o].is_folded()) bypass(o, reports[o]);
    }
  }

  uint32_t new_value() {
    alias_.push_back(static_cast<uint32_t>(alias_.size()));
    return alias_.back();
  }
  size_t value_count() const { return alias_.size(); }

  uint32_t resolved(uint32_t value) const {
    for (int step = 0; alias_[value] != value && step < kMaxPasses; ++step) value = alias_[value];
    return value;
  }

  LibraryNode node_of(uint32_t o, const XnnpackReport& report) const {
    LibraryNode node{{o, XnnpackPart::Own}, family_of(payload_, o, report.names), {}, {}};
    for (const uint32_t v : payload_.inputs_of(payload_.operators[o]))
      node.inputs.push_back(resolved(v));
    for (const uint32_t v : payload_.outputs_of(payload_.operators[o]))
      node.outputs.push_back(resolved(v));
    return node;
  }

  void add(LibraryNode node) { nodes_.push_back(std::move(node)); }

  // As XNNPACK sorts: passes over the list take every node whose inputs are there, until none is
  // left. nullopt if that takes suspiciously long.
  std::optional<std::vector<LibraryNode>> sorted() {
    std::vector<bool> is_missing(value_count(), false);
    for (const LibraryNode& node : nodes_) {
      for (const uint32_t v : node.outputs) is_missing[v] = true;
    }
    std::vector<LibraryNode> order;
    std::vector<LibraryNode> left = std::move(nodes_);
    for (int pass = 0; !left.empty(); ++pass) {
      std::vector<LibraryNode> later;
      for (LibraryNode& node : left) {
        const bool is_ready = std::none_of(node.inputs.begin(), node.inputs.end(),
                                           [&](uint32_t v) { return is_missing[v]; });
        if (is_ready) {
          for (const uint32_t v : node.outputs) is_missing[v] = false;
          order.push_back(std::move(node));
        } else {
          later.push_back(std::move(node));
        }
      }
      if (pass == kMaxPasses || later.size() == left.size()) return std::nullopt;
      left = std::move(later);
    }
    return order;
  }

 private:
  void bypass(uint32_t o, const XnnpackReport& report) {
    const XnnpackOperator& op = payload_.operators[o];
    if (op.input_count == 0 || op.output_count != 1) return;
    const uint32_t from = payload_.inputs_of(op)[0];
    const uint32_t to = payload_.outputs_of(op)[0];
    const bool is_backward = !report.absorbers.empty() && report.absorbers.front() < o;
    if (is_backward) alias_[from] = to;
    else alias_[to] = from;
  }

  const XnnpackPayload& payload_;
  std::vector<uint32_t> alias_;
  std::vector<LibraryNode> nodes_;
};

std::vector<XnnpackHypothesis> hypothesis_of(LibraryGraph graph, std::span<const EventName> names) {
  const std::optional<std::vector<LibraryNode>> order = graph.sorted();
  if (!order) return {};
  ProblemBuilder builder(names);
  for (const LibraryNode& node : *order) builder.add(node.origin, {}, node.family);
  std::vector<XnnpackHypothesis> result;
  result.push_back(builder.build());
  return result;
}

// The clamp behind an operator is a node of its own.
void add_with_clamp(LibraryGraph& graph, LibraryNode node, const XnnpackReport& report) {
  if (!report.has_clamp || node.outputs.size() != 1) {
    graph.add(std::move(node));
    return;
  }
  const uint32_t result = node.outputs.front();
  const uint32_t between = graph.new_value();
  node.outputs.front() = between;
  const uint32_t op = node.origin.op;
  graph.add(std::move(node));
  graph.add({{op, XnnpackPart::Activation}, kClampFamily, {between}, {result}});
}

bool is_half(XnnpackType type) { return type == XnnpackType::Fp16 || type == XnnpackType::Bf16; }

bool moves_bytes(XnnpackKind kind) {
  switch (kind) {
    case K::StaticReshape:
    case K::StaticTranspose:
    case K::StaticSlice:
    case K::Copy:
    case K::Concatenate2:
    case K::Concatenate3:
    case K::Concatenate4:
    case K::Concatenate5:
      return true;
    default:
      return false;
  }
}

// Rewrites 16-bit operators to 32 bits: each of their inputs is converted once, results stay wide
// inside and are converted back where they leave the payload.
class WideRewrite {
 public:
  WideRewrite(const XnnpackPayload& payload, const std::vector<XnnpackReport>& reports)
      : payload_(payload),
        reports_(reports),
        graph_(payload, reports),
        wide_(payload.values.size(), false) {}

  LibraryGraph run() {
    for (uint32_t o = 0; o < reports_.size(); ++o) {
      if (!reports_[o].is_folded()) rewrite(o);
    }
    for (LibraryNode& node : appended_) graph_.add(std::move(node));
    return std::move(graph_);
  }

 private:
  bool is_narrow(uint32_t value) const {
    return value < payload_.values.size() && is_half(payload_.values[value].type) && !wide_[value];
  }
  bool is_widened(uint32_t value) const { return value < wide_.size() && wide_[value]; }
  bool is_external(uint32_t value) const {
    return payload_.values[value].is_input || payload_.values[value].is_output;
  }

  void rewrite(uint32_t o) {
    LibraryNode node = graph_.node_of(o, reports_[o]);
    const XnnpackKind kind = payload_.operators[o].kind;
    if (reports_[o].has_convert && node.outputs.size() == 1)
      return rewrite_with_conversion(o, std::move(node));
    if (kind == K::Convert) return graph_.add(std::move(node));  // converts what it is given
    const bool any_wide = std::any_of(node.inputs.begin(), node.inputs.end(),
                                      [&](uint32_t v) { return is_widened(v); });
    if (moves_bytes(kind) && !any_wide) return graph_.add(std::move(node));
    for (uint32_t& v : node.outputs) widen_output(o, v);
    for (uint32_t& v : node.inputs) widen_input(o, v);
    add_with_clamp(graph_, std::move(node), reports_[o]);
  }

  void rewrite_with_conversion(uint32_t o, LibraryNode node) {
    const uint32_t result = node.outputs.front();
    const uint32_t between = graph_.new_value();
    node.outputs.front() = between;
    for (uint32_t& v : node.inputs) widen_input(o, v);
    graph_.add(std::move(node));
    graph_.add({{o, XnnpackPart::Conversion}, kConvertFamily, {between}, {result}});
  }

  void widen_output(uint32_t o, uint32_t& value) {
    if (!is_narrow(value)) return;
    if (!is_external(value)) {
      wide_[value] = true;
      return;
    }
    const uint32_t inside = graph_.new_value();
    appended_.push_back({{o, XnnpackPart::Inserted}, kConvertFamily, {inside}, {value}});
    replaced_[value] = inside;
    value = inside;
  }

  void widen_input(uint32_t o, uint32_t& value) {
    if (const auto at = replaced_.find(value); at != replaced_.end()) {
      // Another operator's result that leaves the payload, before it is converted.
      value = at->second;
      return;
    }
    if (!is_narrow(value) || payload_.values[value].is_constant) return;
    const auto [at, is_new] = converted_.try_emplace(value, 0u);
    if (is_new) {
      at->second = graph_.new_value();
      appended_.push_back({{o, XnnpackPart::Inserted}, kConvertFamily, {value}, {at->second}});
    }
    value = at->second;
  }

  const XnnpackPayload& payload_;
  const std::vector<XnnpackReport>& reports_;
  LibraryGraph graph_;
  std::vector<bool> wide_;                  // per value of the payload: held in 32 bits
  std::map<uint32_t, uint32_t> replaced_;   // results that leave the payload: their wide form
  std::map<uint32_t, uint32_t> converted_;  // values that are given narrow: their wide form
  std::vector<LibraryNode> appended_;       // nodes that XNNPACK adds come last until it sorts
};

}  // namespace

XnnpackOrigin XnnpackHypothesis::origin_of(const OperatorCandidate& candidate) const {
  if (candidate.op == kNone) return {};
  XnnpackOrigin origin = origins[candidate.op];
  if (candidate.is_second) origin.part = second_parts[candidate.op];
  return origin;
}

XnnpackHypotheses::XnnpackHypotheses(const XnnpackPayload& payload,
                                     std::span<const EventName> names)
    : payload_(payload), names_(names) {}

XnnpackHypothesis XnnpackHypotheses::in_payload_order(
    const std::vector<XnnpackReport>& reports) const {
  ProblemBuilder builder(names_);
  std::vector<uint32_t> sources;
  for (uint32_t o = 0; o < reports.size(); ++o) {
    const XnnpackReport& report = reports[o];
    sources.clear();
    for (const uint32_t v : payload_.inputs_of(payload_.operators[o])) {
      if (payload_.producer_of(v) != kNone) sources.push_back(payload_.producer_of(v));
    }
    OperatorToAlign costs;
    costs.fold_cost =
        payload_.operators[o].kind == K::Unknown ? kUnknownNameCost : report.fold_cost;
    costs.event_cost = report.event_cost;
    std::optional<Family> second;
    if (report.has_clamp) second = kClampFamily;
    if (report.has_convert) second = kConvertFamily;
    builder.add({o, XnnpackPart::Own}, costs, family_of(payload_, o, report.names), second,
                sources);
  }
  return builder.build();
}

std::vector<XnnpackHypothesis> XnnpackHypotheses::with_replaced_converts(
    const std::vector<XnnpackReport>& reports) const {
  std::vector<std::vector<uint32_t>> sets;
  for (const bool right_only : {true, false}) {
    std::vector<uint32_t> replaced;
    std::unordered_set<uint32_t> known;
    for (const uint32_t o : replaceable_converts(payload_, right_only)) {
      go_on();
      if (!reports[o].is_folded() && known.insert(o).second) replaced.push_back(o);
    }
    if (replaced.empty()) continue;
    sets.push_back(replaced);  // in the order of the products that read them
    std::sort(replaced.begin(), replaced.end());
    sets.push_back(std::move(replaced));
  }
  std::sort(sets.begin(), sets.end());
  sets.erase(std::unique(sets.begin(), sets.end()), sets.end());

  std::vector<XnnpackHypothesis> result;
  for (const std::vector<uint32_t>& replaced : sets) {
    LibraryGraph graph(payload_, reports);
    std::vector<bool> is_narrow(payload_.values.size(), false);  // behind a replaced Convert
    std::vector<bool> is_replaced(reports.size(), false);
    for (const uint32_t o : replaced) is_replaced[o] = true;
    for (uint32_t o = 0; o < reports.size(); ++o) {
      const XnnpackOperator& op = payload_.operators[o];
      const auto inputs = payload_.inputs_of(op);
      const bool hands_on = (op.kind == K::StaticTranspose || op.kind == K::StaticReshape) &&
                            !inputs.empty() && is_narrow[inputs[0]];
      if (is_replaced[o] || hands_on) {
        for (const uint32_t v : payload_.outputs_of(op)) is_narrow[v] = true;
      }
      if (is_replaced[o] || reports[o].is_folded()) continue;
      LibraryNode node = graph.node_of(o, reports[o]);
      if (hands_on) node.family.rule = XnnpackTypeRule::Any;
      add_with_clamp(graph, std::move(node), reports[o]);
    }
    for (const uint32_t o : replaced) {
      LibraryNode node = graph.node_of(o, reports[o]);
      node.family.names = XnnpackNameSet::Replaced;
      graph.add(std::move(node));
    }
    for (XnnpackHypothesis& found : hypothesis_of(std::move(graph), names_))
      result.push_back(std::move(found));
  }
  return result;
}

std::vector<XnnpackHypothesis> XnnpackHypotheses::with_wide_values(
    const std::vector<XnnpackReport>& reports) const {
  const bool any = std::any_of(payload_.values.begin(), payload_.values.end(),
                               [](const XnnpackValue& v) { return is_half(v.type); });
  if (!any) return {};
  return hypothesis_of(WideRewrite(payload_, reports).run(), names_);
}

}  // namespace etlens
