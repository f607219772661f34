// SPDX-License-Identifier: Apache-2.0
#include "core/measure/run_times.h"

#include <algorithm>

namespace etlens {
namespace {

// `value` of `of` applied to `to`, rounded down, without overflow.
uint64_t proportion(uint64_t value, uint64_t of, uint64_t to) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<uint64_t>(static_cast<Wide>(value) * to / of);
}

}  // namespace

RunTimes::RunTimes(const EventLog& log, const EventTree& tree,
                   const SequenceConversions& conversions, std::vector<Ticks> half_steps)
    : log_(log),
      tree_(tree),
      conversions_(conversions),
      half_steps_(std::move(half_steps)),
      top_down_(top_down(tree)),
      total_(tree.roles.size()),
      self_(tree.roles.size()) {
  has_shares_ = std::any_of(conversions.begin(), conversions.end(),
                            [](const EventConversion& c) { return c.kind == Conversion::Share; });
  sharing_.resize(half_steps_.size());
  for (uint32_t i = 0; i < half_steps_.size(); ++i) {
    const uint32_t parent = tree.parents[i];
    if (half_steps_[i] <= Ticks() || parent == kNone) continue;
    centred_.push_back(i);
    if (sharing_[parent]++ == 0) around_centred_.push_back(parent);
  }
}

void RunTimes::compute(const Run& run) {
  const size_t count = tree_.roles.size();
  const uint64_t* start = log_.start.data() + run.first_row;
  const uint64_t* end = log_.end.data() + run.first_row;
  for (size_t i = 0; i < count; ++i)
    total_[i] = self_[i] = static_cast<uint64_t>(elapsed_ticks(start[i], end[i]).value);
  if (!conversions_.empty()) {
    convert();
    self_ = total_;
  }
  const bool exceeded = subtract_children();
  any_rescaled_ = exceeded || has_shares_;
  was_rescaled_ |= any_rescaled_;
  if (exceeded) rescale();
  if (!centred_.empty()) centre();
}

// Turns values of other units into ticks.
void RunTimes::convert() {
  reported_.assign(total_.size(), 0);
  rescaled_.assign(total_.size(), false);
  for (size_t i = 0; i < total_.size(); ++i) {
    if (conversions_[i].unit != DelegateUnit::Ticks) reported_[i] = total_[i];
  }
  for (size_t i = 0; i < total_.size(); ++i) {
    const EventConversion& c = conversions_[i];
    if (c.kind == Conversion::Ticks) continue;
    if (c.kind == Conversion::Constant) {
      total_[i] = proportion(reported_[i], c.denominator, c.numerator);
    } else if (c.kind == Conversion::Measured) {
      const uint64_t length = proportion(reported_[c.time_total], c.denominator, c.numerator);
      const uint64_t cycles = reported_[c.cycle_total];
      total_[i] = cycles == 0 ? 0 : proportion(reported_[i], cycles, length);
    } else {
      total_[i] = 0;
    }
  }
  if (has_shares_) share_out();
}

// What is left of a call beside its events in ticks is divided among those that only tell a share.
void RunTimes::share_out() {
  const size_t count = total_.size();
  children_.assign(count, 0);
  weights_.assign(count, 0);
  summed_.assign(count, 0);
  given_.assign(count, 0);
  for (size_t i = 0; i < count; ++i) {
    const uint32_t parent = tree_.parents[i];
    if (parent == kNone) continue;
    if (conversions_[i].kind == Conversion::Share) weights_[parent] += reported_[i];
    else children_[parent] += total_[i];
  }
  for (const uint32_t i : top_down_) {
    const uint32_t parent = tree_.parents[i];
    if (parent == kNone || conversions_[i].kind != Conversion::Share || weights_[parent] == 0)
      continue;
    const uint64_t left = total_[parent] - std::min(total_[parent], children_[parent]);
    summed_[parent] += reported_[i];
    const uint64_t given = proportion(summed_[parent], weights_[parent], left);
    total_[i] = given - given_[parent];
    given_[parent] = given;
    rescaled_[i] = true;
  }
}

// Children that together exceed what is around them become shares of it. Cumulative sums are
// rounded down, so that the shares add up exactly.
void RunTimes::rescale() {
  const size_t count = tree_.roles.size();
  if (conversions_.empty()) rescaled_.assign(count, false);
  children_.assign(count, 0);
  summed_.assign(count, 0);
  given_.assign(count, 0);
  for (size_t i = 0; i < count; ++i) {
    if (tree_.parents[i] != kNone) children_[tree_.parents[i]] += total_[i];
  }
  for (const uint32_t i : top_down_) {
    const uint32_t parent = tree_.parents[i];
    if (parent == kNone || children_[parent] <= total_[parent]) continue;
    summed_[parent] += total_[i];
    const uint64_t given = proportion(summed_[parent], children_[parent], total_[parent]);
    total_[i] = given - given_[parent];
    given_[parent] = given;
    rescaled_[i] = true;
  }
  self_ = total_;
  subtract_children();
}

// What children leave over. True if some leave less than nothing: they are longer than what is around
// them.
bool RunTimes::subtract_children() {
  const uint32_t* parents = tree_.parents.data();
  const uint64_t* total = total_.data();
  uint64_t* self = self_.data();
  bool exceeded = false;
  for (size_t i = 0; i < total_.size(); ++i) {
    if (parents[i] == kNone) continue;
    exceeded |= self[parents[i]] < total[i];
    self[parents[i]] -= total[i];
  }
  return exceeded;
}

// A duration of v whole steps was between v and v + 1; the sum of what is missing is at most what
// the call took beyond its events.
void RunTimes::centre() {
  given_.resize(total_.size());
  for (const uint32_t parent : around_centred_)
    given_[parent] = self_[parent] / sharing_[parent];  // before anything is taken from it
  for (const uint32_t i : centred_) {
    const uint32_t parent = tree_.parents[i];
    const uint64_t step = std::min(static_cast<uint64_t>(half_steps_[i].value), given_[parent]);
    self_[i] += step;
    self_[parent] -= step;
  }
}

}  // namespace etlens
