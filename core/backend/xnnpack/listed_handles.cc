// SPDX-License-Identifier: Apache-2.0
#include "core/backend/xnnpack/listed_handles.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "core/backend/xnnpack/names.h"

namespace etlens {
namespace {

// Events of operators that the exporter or the library added stand between the others.
constexpr uint8_t kAddedEvent = 3;
// Handles that usually leave no event: what is folded, and getitem nodes.
constexpr uint8_t kLightFold = 1;
// Handles whose event should be there.
constexpr uint8_t kHeavyFold = 4;
constexpr uint32_t kNoSlack = 0;
// Every operand of a quantized product is a conversion in the graph.
constexpr size_t kConversionsOfProduct = 2;

uint8_t cost_of_node(std::string_view base_operator, const EventName& name) {
  uint8_t best = kImpossible;
  for (const NodeKind& row : kinds_of_node(base_operator)) {
    // Without the payload there are no types and windows to contradict the name.
    const bool is_pointwise = name.kernel == "GEMM" || name.base == "Fully Connected";
    best = std::min(best, xnnpack_name_cost(row.kind, XnnpackNameSet::OfKind, XnnpackTypeRule::Any,
                                            is_pointwise, name));
  }
  return best;
}

// Light: nodes whose work another operator does more often than not.
bool is_light(const std::vector<std::string_view>& operators) {
  return std::all_of(operators.begin(), operators.end(), [](std::string_view base) {
    return is_folded_backward(base) || is_folded_forward(base) || kinds_of_node(base).empty();
  });
}

using K = XnnpackKind;

bool is_product(std::string_view base_operator) {
  const std::span<const NodeKind> kinds = kinds_of_node(base_operator);
  return std::any_of(kinds.begin(), kinds.end(), [](const NodeKind& row) {
    return row.kind == K::FullyConnected || row.kind == K::Conv2d ||
           row.kind == K::ConvTranspose2d || row.kind == K::BatchMatrixMultiply;
  });
}

// A normalisation that is not folded into a convolution becomes one.
bool may_become_product(std::string_view base_operator) {
  const std::span<const NodeKind> kinds = kinds_of_node(base_operator);
  return kinds.size() == 1 && kinds.front().kind == K::DepthwiseConv2d;
}

bool is_product(const EventName& name) {
  return name.base == "Convolution" || name.base == "Deconvolution" ||
         name.base == "Batch Matrix Multiply" || name.base.ends_with("Fully Connected");
}

// Names of what exporters and libraries add, and of what is not known.
bool may_be_anyones(const EventName& name) {
  return is_xnnpack_layout_name(name.full) || is_unknown_xnnpack_name(name) ||
         is_xnnpack_look_up(name) || name.base == "Clamp";
}

bool any_may_report(const std::set<std::string_view>& operators, const EventName& name) {
  return std::any_of(operators.begin(), operators.end(),
                     [&](std::string_view base) { return cost_of_node(base, name) < kViolation; });
}

bool is_quantizing(std::string_view base_operator) {
  return base_operator.starts_with("quantize") || base_operator.starts_with("dequantize") ||
         base_operator.starts_with("choose_qparams");
}

// The events' names, each once, and what it costs that an operator reports under them.
class DistinctNames {
 public:
  // A number for each name.
  std::vector<uint32_t> add(std::span<const std::string_view> names) {
    std::vector<uint32_t> numbers;
    for (const std::string_view text : names) {
      const EventName name = parse_event_name(text);
      const auto [at, is_new] =
          numbers_.try_emplace(name.full, static_cast<uint32_t>(names_.size()));
      if (is_new) names_.push_back(name);
      numbers.push_back(at->second);
    }
    return numbers;
  }

  // By number.
  const std::vector<uint8_t>& costs_of(std::string_view base_operator) {
    const auto [at, is_new] = costs_.try_emplace(base_operator);
    if (is_new) {
      for (const EventName& name : names_) at->second.push_back(cost_of_node(base_operator, name));
    }
    return at->second;
  }

  size_t size() const { return names_.size(); }

 private:
  std::vector<EventName> names_;
  std::map<std::string_view, uint32_t> numbers_;
  std::map<std::string_view, std::vector<uint8_t>> costs_;  // by operator
};

}  // namespace

XnnpackHandleMatches align_xnnpack_handles(std::span<const std::vector<std::string_view>> handles,
                                           std::span<const std::string_view> names) {
  XnnpackHandleMatches matches(names.size());
  DistinctNames distinct;
  AlignmentProblem problem;
  problem.insertion_cost = kAddedEvent;
  problem.events = distinct.add(names);
  std::map<std::vector<std::string_view>, uint32_t> families;
  for (const std::vector<std::string_view>& handle : handles) {
    OperatorToAlign op;
    op.family = families.try_emplace(handle, static_cast<uint32_t>(families.size())).first->second;
    op.fold_cost = is_light(handle) ? kLightFold : kHeavyFold;
    problem.operators.push_back(op);
  }
  problem.costs = NameCosts(families.size(), distinct.size());
  for (const auto& [operators, family] : families) {
    for (const std::string_view base : operators) {
      const std::vector<uint8_t>& of_names = distinct.costs_of(base);
      for (size_t n = 0; n < distinct.size(); ++n) {
        uint8_t& cost = problem.costs.at(family, n);
        cost = std::min(cost, of_names[n]);
      }
    }
  }
  const std::optional<OrderedAlignment> aligned = align_in_order(problem, kNoSlack);
  if (!aligned) return matches;
  for (size_t e = 0; e < names.size(); ++e) {
    const auto add = [&](uint32_t handle) {
      const std::vector<std::string_view>& operators = handles[handle];
      for (uint32_t node = 0; node < operators.size(); ++node) {
        if (distinct.costs_of(operators[node])[problem.events[e]] < kViolation)
          matches[e].push_back({handle, node});
      }
    };
    const uint32_t likeliest = aligned->best[e].op;
    if (likeliest == kNone) continue;
    add(likeliest);
    for (const OperatorCandidate& candidate : aligned->sets[e]) {
      if (candidate.op != kNone && candidate.op != likeliest) add(candidate.op);
    }
  }
  return matches;
}

size_t count_contradictions(std::span<const ListedHandle> handles,
                            std::span<const std::string_view> names) {
  size_t own_products = 0;
  size_t other_products = 0;  // that may be in the call or not
  size_t quantizing = 0;
  std::set<std::string_view> operators;
  for (const ListedHandle& handle : handles) {
    for (const std::string_view base : handle.operators) {
      operators.insert(base);
      if (is_product(base)) ++(handle.is_shared ? other_products : own_products);
      if (may_become_product(base)) ++other_products;
      quantizing += is_quantizing(base) ? 1 : 0;
    }
  }
  size_t products = 0;
  size_t unknown = 0;  // names, which may be anything's
  size_t quantized = 0;
  size_t contradictions = 0;
  std::map<std::string_view, bool> is_possible;  // by name
  for (const std::string_view text : names) {
    const EventName name = parse_event_name(text);
    products += is_product(name) ? 1 : 0;
    unknown += is_unknown_xnnpack_name(name) ? 1 : 0;
    quantized += names_quantized_values(name) ? 1 : 0;
    const auto [at, is_new] = is_possible.try_emplace(name.full, false);
    if (is_new) at->second = may_be_anyones(name) || any_may_report(operators, name);
    contradictions += at->second ? 0 : 1;
  }
  if (products + unknown < own_products) contradictions += own_products - products - unknown;
  if (products > own_products + other_products)
    contradictions += products - own_products - other_products;
  // A quantized product has quantized operands. Few conversions may be all there is at the border
  // of a part that is not quantized.
  if (quantizing == 0) contradictions += quantized;
  else if (quantized == 0 && quantizing >= kConversionsOfProduct * products)
    contradictions += products;
  return contradictions;
}

bool is_xnnpack_layout_name(std::string_view event_name) {
  const std::string_view base = parse_event_name(event_name).base;
  return base == "Transpose" || base == "Convert" || base == "Static Reshape" || base == "Copy";
}

}  // namespace etlens
