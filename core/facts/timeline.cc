// SPDX-License-Identifier: Apache-2.0
#include "core/facts/timeline.h"

#include <algorithm>

namespace etlens {
namespace {

bool is_shown(const Join& join, EventRole role, ContributionId id) {
  return id.valid() && role != EventRole::None && role != EventRole::DelegateTotal &&
         join.event(id).conversion != Conversion::None;
}

// Sums of what a broken file claims may not fit: the greatest number then.
uint64_t plus(uint64_t a, uint64_t b) { return a > UINT64_MAX - b ? UINT64_MAX : a + b; }

}  // namespace

Timeline::Timeline(const Facts& facts) : facts_(facts) {
  const std::vector<SequenceId>& sequences = facts.join().selected().sequences;
  shapes_.reserve(sequences.size());
  for (size_t s = 0; s < sequences.size(); ++s) {
    shape_of_sequence_.emplace(sequences[s], s);
    shapes_.push_back(shape_of(s));
  }
  find_begin();
  find_beside();
}

size_t Timeline::size() const { return facts_.measure().samples.used.size(); }

uint32_t Timeline::number(size_t index) const { return facts_.measure().samples.used[index]; }

Timeline::Shape Timeline::shape_of(size_t index) const {
  const Join& join = facts_.join();
  const SequenceId sequence = join.selected().sequences[index];
  const EventTree& tree = join.trees[sequence.value];
  const std::vector<ContributionId>& events = join.event_of_position[index];
  const size_t count = events.size();
  // What is shown around each position: what is not shown is looked through.
  std::vector<uint32_t> around(count, kNone);
  const std::vector<uint32_t> order = top_down(tree);
  for (const uint32_t i : order) {
    const uint32_t parent = tree.parents[i];
    if (parent == kNone) continue;
    around[i] = is_shown(join, tree.roles[parent], events[parent]) ? parent : around[parent];
  }
  Shape shape{{},
              {},
              {},
              {order.rbegin(), order.rend()},
              std::vector<bool>(count),
              RunTimes(*join.log, tree, join.conversions[index], {})};
  shape.first_child.assign(count + 1, 0);
  for (uint32_t i = 0; i < count; ++i) {
    if (!is_shown(join, tree.roles[i], events[i])) continue;
    if (around[i] == kNone) shape.roots.push_back(i);
    else ++shape.first_child[around[i] + 1];
    const bool is_backends = tree.roles[i] == EventRole::DelegateEvent;
    shape.is_laid_out[i] = join.event(events[i]).conversion != Conversion::Ticks ||
                           (is_backends && facts_.study().logged.step[events[i].value] > 0);
  }
  for (size_t i = 0; i < count; ++i) shape.first_child[i + 1] += shape.first_child[i];
  shape.children.resize(shape.first_child[count]);
  std::vector<uint32_t> next(shape.first_child.begin(), shape.first_child.end() - 1);
  for (uint32_t i = 0; i < count; ++i) {
    if (around[i] != kNone && is_shown(join, tree.roles[i], events[i]))
      shape.children[next[around[i]]++] = i;
  }
  return shape;
}

// The earliest start of what is at the top: of events inside it only their place in it counts.
void Timeline::find_begin() {
  const EventLog& log = *facts_.join().log;
  begin_ = UINT64_MAX;
  for (const Run& run : log.runs) {
    const EventTree& tree = facts_.join().trees[run.sequence.value];
    for (size_t i = 0; i < tree.roles.size(); ++i) {
      if (tree.parents[i] == kNone && tree.roles[i] != EventRole::None)
        begin_ = std::min(begin_, log.start[run.first_row + i]);
    }
  }
  if (begin_ == UINT64_MAX) begin_ = 0;
}

void Timeline::find_beside() {
  const Join& join = facts_.join();
  const EventLog& log = *join.log;
  std::vector<bool> is_selected(log.runs.size());
  for (const RunId run : join.selected().runs) is_selected[run.value] = true;
  for (size_t r = 0; r < log.runs.size(); ++r) {
    if (is_selected[r]) continue;
    const Run& run = log.runs[r];
    const EventSequence& sequence = log.sequence(run.sequence);
    const EventTree& tree = join.trees[run.sequence.value];
    for (size_t i = 0; i < tree.roles.size(); ++i) {
      if (tree.parents[i] != kNone || tree.roles[i] == EventRole::None) continue;
      const size_t row = run.first_row + i;
      beside_.push_back({log.text(sequence.events[i].name), log.text(sequence.name),
                         since_begin(log.start[row]), elapsed_ticks(log.start[row], log.end[row])});
    }
  }
  std::stable_sort(beside_.begin(), beside_.end(),
                   [](const BesideSlice& a, const BesideSlice& b) { return a.start < b.start; });
  uint64_t end = 0;
  for (BesideSlice& slice : beside_) {
    slice.start = std::max(slice.start, end);
    end = plus(slice.start, static_cast<uint64_t>(slice.length.value));
  }
}

// What each event of the run took, with what is inside it.
void Timeline::measure(Shape& shape, const Run& run) {
  const EventTree& tree = facts_.join().trees[run.sequence.value];
  shape.times.compute(run);
  const size_t count = shape.bottom_up.size();
  lengths_.assign(count, 0);
  for (const uint32_t i : shape.bottom_up) {
    lengths_[i] = plus(lengths_[i], static_cast<uint64_t>(shape.times.self(i).value));
    if (tree.parents[i] != kNone)
      lengths_[tree.parents[i]] = plus(lengths_[tree.parents[i]], lengths_[i]);
  }
}

// The slices of siblings that stand on top of the stack, the first of them on top.
bool Timeline::place_as_logged(const Shape& shape, const Run& run,
                               std::span<const uint32_t> siblings, uint64_t begin, uint64_t end,
                               uint32_t depth, bool is_in_order) {
  const uint64_t* starts = facts_.join().log->start.data() + run.first_row;
  Placed* slice = open_.data() + open_.size();
  uint64_t cursor = begin;
  for (const uint32_t i : siblings) {
    const uint64_t logged = plus(since_begin(starts[i]), shift_);
    const uint64_t length = lengths_[i];
    const bool is_laid_out = shape.is_laid_out[i];
    const bool fits = logged >= cursor && logged <= end && length <= end - logged;
    if (!fits && (!is_laid_out || cursor > end || length > end - cursor)) return false;
    const uint64_t start = fits ? logged : cursor;
    *--slice = {i, depth, start, is_in_order || is_laid_out};
    cursor = plus(start, length);
  }
  return true;
}

// Puts the siblings on the stack, the first on top. Where they do not fit in as they were logged,
// one stands behind the other from the begin on: what is inside is never longer than what is
// around.
void Timeline::place(const Shape& shape, const Run& run, std::span<const uint32_t> siblings,
                     uint64_t begin, uint64_t end, uint32_t depth, bool is_in_order) {
  open_.resize(open_.size() + siblings.size());
  if (place_as_logged(shape, run, siblings, begin, end, depth, is_in_order)) return;
  Placed* slice = open_.data() + open_.size();
  uint64_t cursor = begin;
  for (const uint32_t i : siblings) {
    *--slice = {i, depth, cursor, true};
    cursor = plus(cursor, lengths_[i]);
  }
}

const std::vector<Slice>& Timeline::read(size_t index) {
  const Join& join = facts_.join();
  const EventLog& log = *join.log;
  const Run& run = log.run(join.selected().runs[number(index)]);
  const size_t s = shape_of_sequence_.at(run.sequence);
  Shape& shape = shapes_[s];
  measure(shape, run);
  slices_.clear();
  uint64_t first = UINT64_MAX;
  for (const uint32_t i : shape.roots)
    first = std::min(first, since_begin(log.start[run.first_row + i]));
  if (first == UINT64_MAX) return slices_;
  // A run of a broken file, or after its clock wrapped around, stands behind the one before it.
  shift_ = first < cursor_ ? cursor_ - first : 0;
  place(shape, run, shape.roots, plus(first, shift_), UINT64_MAX, 0, shift_ > 0);
  while (!open_.empty()) {
    const Placed slice = open_.back();
    open_.pop_back();
    const uint64_t end = plus(slice.start, lengths_[slice.position]);
    slices_.push_back(
        {join.event_of_position[s][slice.position], slice.depth, slice.start,
         Ticks(static_cast<int64_t>(std::min<uint64_t>(lengths_[slice.position], INT64_MAX))),
         slice.is_in_order});
    cursor_ = std::max(cursor_, end);
    const std::span<const uint32_t> children =
        std::span(shape.children)
            .subspan(shape.first_child[slice.position],
                     shape.first_child[slice.position + 1] - shape.first_child[slice.position]);
    if (!children.empty())
      place(shape, run, children, slice.start, end, slice.depth + 1, shift_ > 0);
  }
  return slices_;
}

}  // namespace etlens
