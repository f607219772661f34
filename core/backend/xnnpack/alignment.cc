// SPDX-License-Identifier: Apache-2.0
#include "core/backend/xnnpack/alignment.h"

#include <algorithm>
#include <optional>
#include <set>

#include "core/backend/xnnpack/reports.h"

namespace etlens {
namespace {

// Alignments that cost this much more than the best one still count as possible.
constexpr uint32_t kAlignmentSlack = 2;

bool is_bound_by_scalar(const XnnpackPayload& payload, const XnnpackOperator& op) {
  const bool is_bound = op.kind == XnnpackKind::Minimum || op.kind == XnnpackKind::Maximum;
  const std::span<const uint32_t> inputs = payload.inputs_of(op);
  return is_bound && std::any_of(inputs.begin(), inputs.end(), [&](uint32_t v) {
           return payload.values[v].is_constant && payload.values[v].elements == 1;
         });
}

class Aligner {
 public:
  Aligner(const XnnpackPayload& payload, std::span<const std::string_view> names)
      : payload_(payload) {
    for (const std::string_view name : names) names_.push_back(parse_event_name(name));
    const std::vector<bool> wrong = miscounted(names_);
    is_miscounted_ = std::find(wrong.begin(), wrong.end(), true) != wrong.end();
  }

  XnnpackAlignment run() {
    XnnpackAlignment result;
    result.events.resize(names_.size());
    const XnnpackHypotheses hypotheses(payload_, names_);
    for (const LibraryVariant& variant : possible_variants()) try_prediction(hypotheses, variant);
    if (!matches_.empty()) {
      result.is_as_predicted = true;
      take_matches(hypotheses, result);
    } else {
      take_alignment(hypotheses, result);
    }
    add_absorptions(result);
    return result;
  }

  size_t unexplained() {
    const XnnpackHypotheses hypotheses(payload_, names_);
    for (const LibraryVariant& variant : possible_variants()) try_prediction(hypotheses, variant);
    if (!matches_.empty()) return 0;
    const std::optional<OrderedAlignment> ordered =
        align_in_order(hypotheses.in_payload_order(reports_).problem, 0);
    const size_t all = std::max(names_.size(), payload_.operators.size());
    return ordered ? std::min<size_t>(all, ordered->cost / kViolation) : all;
  }

 private:
  std::vector<LibraryVariant> possible_variants() const {
    LibraryVariant variant;
    variant.reports_dynamic_converts =
        std::any_of(names_.begin(), names_.end(), is_dynamic_convert);
    std::vector<LibraryVariant> all{variant};
    const bool any =
        std::any_of(payload_.operators.begin(), payload_.operators.end(),
                    [&](const XnnpackOperator& op) { return is_bound_by_scalar(payload_, op); });
    if (any) {
      variant.clamps_by_scalars = true;
      all.push_back(variant);
    }
    return all;
  }

  // Keeps every hypothesis under which the events are exactly as predicted.
  void try_prediction(const XnnpackHypotheses& hypotheses, const LibraryVariant& variant) {
    std::vector<XnnpackReport> reports = predict_reports(payload_, variant);
    if (reports_.empty()) reports_ = reports;
    if (is_miscounted_) return;
    const size_t before = matches_.size();
    const bool in_order = keep_match(hypotheses.in_payload_order(reports));
    is_in_payload_order_ |= in_order;
    for (const XnnpackHypothesis& other : hypotheses.with_replaced_converts(reports)) {
      any_other_order_ = true;
      is_in_other_order_ |= keep_match(other);
    }
    for (const XnnpackHypothesis& other : hypotheses.with_wide_values(reports)) keep_match(other);
    if (matches_.size() > before) reports_ = std::move(reports);
  }

  bool keep_match(const XnnpackHypothesis& hypothesis) {
    const std::optional<std::vector<OperatorCandidate>> placed =
        match_prediction(hypothesis.problem);
    if (!placed) return false;
    std::vector<XnnpackOrigin> origins;
    for (const OperatorCandidate& candidate : *placed)
      origins.push_back(hypothesis.origin_of(candidate));
    matches_.push_back(std::move(origins));
    return true;
  }

  // A library that reorders and has generic names might have done so without anything to show for
  // it.
  bool may_be_reordered() const {
    return any_other_order_ && is_in_payload_order_ && !is_in_other_order_ &&
           std::any_of(names_.begin(), names_.end(), is_generic_xnnpack_name);
  }

  void take_matches(const XnnpackHypotheses& hypotheses, XnnpackAlignment& result) {
    CandidateSets flow;
    std::optional<XnnpackHypothesis> ordered;
    if (may_be_reordered()) {
      ordered = hypotheses.in_payload_order(reports_);
      flow = align_by_data_flow(ordered->problem, true);
    }
    for (size_t e = 0; e < names_.size(); ++e) {
      std::set<XnnpackOrigin> possible;
      for (const std::vector<XnnpackOrigin>& match : matches_) possible.insert(match[e]);
      bool is_sound = true;
      if (ordered) {
        is_sound = !flow[e].empty();
        for (const OperatorCandidate& candidate : flow[e])
          possible.insert(ordered->origin_of(candidate));
      }
      XnnpackMatch& match = result.events[e];
      match.origin = matches_.front()[e];
      match.candidates.assign(possible.begin(), possible.end());
      match.is_sound = is_sound;
      match.is_certain = is_sound && possible.size() == 1;
    }
  }

  void take_alignment(const XnnpackHypotheses& hypotheses, XnnpackAlignment& result) {
    const XnnpackHypothesis hypothesis = hypotheses.in_payload_order(reports_);
    const std::optional<OrderedAlignment> ordered =
        align_in_order(hypothesis.problem, kAlignmentSlack);
    const bool is_explained =
        ordered && ordered->is_complete && ordered->cost < kViolation && !is_miscounted_;
    const CandidateSets flow = align_by_data_flow(hypothesis.problem, is_explained);
    for (size_t e = 0; e < names_.size(); ++e) {
      const std::set<OperatorCandidate> by_flow(flow[e].begin(), flow[e].end());
      std::set<OperatorCandidate> possible = by_flow;
      if (ordered) possible.insert(ordered->sets[e].begin(), ordered->sets[e].end());
      const bool may_be_none = possible.erase(OperatorCandidate()) > 0;
      XnnpackMatch& match = result.events[e];
      for (const OperatorCandidate& candidate : possible)
        match.candidates.push_back(hypothesis.origin_of(candidate));
      if (match.candidates.empty()) continue;
      std::sort(match.candidates.begin(), match.candidates.end());
      const OperatorCandidate likely = ordered ? ordered->best[e] : OperatorCandidate();
      const bool is_likely = likely.op != kNone && (by_flow.empty() || by_flow.contains(likely));
      match.origin = is_likely         ? hypothesis.origin_of(likely)
                     : by_flow.empty() ? match.candidates.front()
                                       : hypothesis.origin_of(*by_flow.begin());
      // Order and data flow must both know the event, and may not disagree.
      match.is_sound =
          ordered && !by_flow.empty() && !may_be_none && !is_unknown_xnnpack_name(names_[e]);
      match.is_certain = match.is_sound && match.candidates.size() == 1;
    }
  }

  // Operators that no event is about and that the prediction folds.
  void add_absorptions(XnnpackAlignment& result) const {
    std::vector<bool> has_event(payload_.operators.size(), false);
    for (const XnnpackMatch& match : result.events) {
      if (match.origin.op != kNone && match.origin.part == XnnpackPart::Own)
        has_event[match.origin.op] = true;
    }
    for (uint32_t o = 0; o < reports_.size(); ++o) {
      if (has_event[o] || reports_[o].absorbers.empty()) continue;
      for (const uint32_t by : final_absorbers(reports_, o)) {
        if (by != o) result.absorbed.push_back({o, by});
      }
    }
  }

  const XnnpackPayload& payload_;
  std::vector<EventName> names_;
  bool is_miscounted_ = false;
  std::vector<XnnpackReport> reports_;
  std::vector<std::vector<XnnpackOrigin>> matches_;  // per matching hypothesis, per event
  bool any_other_order_ = false;
  bool is_in_payload_order_ = false;
  bool is_in_other_order_ = false;
};

}  // namespace

XnnpackAlignment align_xnnpack(const XnnpackPayload& payload,
                               std::span<const std::string_view> names) {
  return Aligner(payload, names).run();
}

size_t count_unexplained(const XnnpackPayload& payload, std::span<const std::string_view> names) {
  return Aligner(payload, names).unexplained();
}

}  // namespace etlens
