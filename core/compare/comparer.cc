// SPDX-License-Identifier: Apache-2.0
#include "core/compare/comparer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>
#include <tuple>

#include "core/compare/moments.h"

namespace etlens {
namespace {

// The 95 % interval of the change from one to the other, as fractions, as far as the executions of
// both dumps tell.
std::optional<ShiftRange> range_inside(const SideReader& read_before, const SideReader& read_after,
                                       const PlaceOfBoth& place) {
  const std::optional<double> before = read_before.half_width_within(place.before);
  const std::optional<double> after = read_after.half_width_within(place.after);
  if (!before || !after) return std::nullopt;
  const double change =
      read_after.logarithms(place.after).front() - read_before.logarithms(place.before).front();
  const double half = std::hypot(*before, *after);
  return ShiftRange{std::expm1(change - half), std::expm1(change + half)};
}

// What tells operations apart that do the same work on both sides: the node and the kernel; of the
// same program, where calls into the runtime have their equals too, the instruction.
using WorkKey = std::tuple<uint32_t, int32_t, Instruction, std::string, std::string>;

std::map<WorkKey, Operations> by_work(const Side& side, const std::vector<uint32_t>& name_of_node,
                                      bool is_identical) {
  std::map<WorkKey, Operations> found;
  for (uint32_t i = 0; i < side.operations.size(); ++i) {
    const Landing& landing = side.landings.rows[i];
    const Operation& operation = side.operations[i];
    const uint32_t node = landing.node.valid() ? name_of_node[landing.node.value] : kNone;
    if (is_identical) {
      found[{node, operation.chain, operation.instruction, operation.kernel, operation.backend}]
          .push_back(i);
    } else if (landing.is_leaf() && node != kNone) {
      found[{node, 0, Instruction(), operation.kernel, operation.backend}].push_back(i);
    }
  }
  return found;
}

size_t node_count(const Side& side) { return side.code->place_of_node.size(); }

bool is_above_zero(const std::vector<double>& logarithms) {
  return std::all_of(logarithms.begin(), logarithms.end(), [](double v) { return v > 0; });
}

}  // namespace

Operations merged(const std::vector<const Operations*>& parts) {
  Operations all;
  for (const Operations* part : parts) all.insert(all.end(), part->begin(), part->end());
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

Comparer::Comparer(const Side& before, const Side& after, TimeScale scale,
                   const JudgeOptions& options)
    : before_(before),
      after_(after),
      options_(options),
      index_before_(index_operations(before)),
      index_after_(index_operations(after)),
      read_before_(before, scale),
      read_after_(after, scale) {}

Machine Comparer::find_machine(const std::vector<NodePair>& nodes, bool is_identical) {
  // Nodes of both sides that do equal work get one name.
  std::vector<uint32_t> names_before(node_count(before_), kNone);
  std::vector<uint32_t> names_after(node_count(after_), kNone);
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    if (!nodes[i].is_equal) continue;
    names_before[nodes[i].before.value] = i;
    names_after[nodes[i].after.value] = i;
  }
  const auto work_after = by_work(after_, names_after, is_identical);
  MachineQuestion question;
  question.dumps_before = before_.dumps.size();
  question.dumps_after = after_.dumps.size();
  std::array<double, 2> shares_before{};
  std::array<double, 2> shares_after{};
  for (const auto& [key, operations] : by_work(before_, names_before, is_identical)) {
    const auto at = work_after.find(key);
    if (at == work_after.end()) continue;
    EqualWork work{{read_before_.logarithms(operations), read_after_.logarithms(at->second)}};
    if (!is_above_zero(work.values.before) || !is_above_zero(work.values.after)) continue;
    const Landing& landing = before_.landings.rows[operations.front()];
    const double before = read_before_.cost(operations).share;
    const double after = read_after_.cost(at->second).share;
    const bool is_call = !landing.is_leaf();
    shares_before[is_call] += before;
    shares_after[is_call] += after;
    work.share = std::min(before, after);
    // Parts that are no line's vote as one line each.
    work.voter =
        landing.line.valid() ? landing.line.value : kNone - static_cast<uint32_t>(landing.part);
    if (is_call) question.calls.push_back(work);
    question.work.push_back(std::move(work));
  }
  question.share = std::min(shares_before[0], shares_after[0]);
  question.calls_share = (shares_before[1] + shares_after[1]) / 2;
  machine_ = etlens::find_machine(question);
  return machine_;
}

Change Comparer::describe(const PlaceOfBoth& place) const {
  Change change;
  change.before = read_before_.cost(place.before);
  change.after = read_after_.cost(place.after);
  if (place.before.empty() && place.after.empty()) {
    change.judged.reason = Reason::Nothing;
    return change;
  }
  if (place.before.empty() || place.after.empty()) {
    change.judged.verdict = place.before.empty() ? Verdict::New : Verdict::Gone;
    return change;
  }
  if (before_.dumps.size() == 1 && after_.dumps.size() == 1)
    change.inside = range_inside(read_before_, read_after_, place);
  return change;
}

Tested Comparer::test(const PlaceOfBoth& place, const PerDump& machine) const {
  const PerDump values{read_before_.logarithms(place.before), read_after_.logarithms(place.after)};
  const double within =
      read_before_.variance_within(place.before) + read_after_.variance_within(place.after);
  Tested tested;
  tested.shift = find_shift({values, machine, within});
  tested.clock =
      (read_before_.clock_error(place.before) + read_after_.clock_error(place.after)) / 2;
  return tested;
}

std::vector<Change> Comparer::changes(const std::vector<PlaceOfBoth>& places) const {
  std::vector<Change> changes;
  std::vector<Tested> tested;
  std::vector<size_t> rows;
  for (size_t i = 0; i < places.size(); ++i) {
    changes.push_back(describe(places[i]));
    const Change& change = changes.back();
    if (places[i].before.empty() || places[i].after.empty()) continue;
    if (change.before.ticks == Amount() || change.after.ticks == Amount()) {
      changes.back().judged.reason = Reason::Nothing;
      continue;
    }
    tested.push_back(test(places[i], machine_.level));
    tested.back().is_small = std::max(change.before.share, change.after.share) < kLeastShare;
    rows.push_back(i);
  }
  const std::vector<Judged> judged =
      judge_places(tested, before_.dumps.size(), after_.dumps.size(), options_);
  for (size_t i = 0; i < rows.size(); ++i) changes[rows[i]].judged = judged[i];
  return changes;
}

Change Comparer::total() const {
  const PlaceOfBoth place{index_before_.all, index_after_.all};
  Change change = describe(place);
  if (place.before.empty() || place.after.empty()) return change;
  change.judged = judge_total(test(place, machine_.total_level), before_.dumps.size(),
                              after_.dumps.size(), options_);
  const double threshold = 1 + options_.threshold;
  const bool moved =
      machine_.is_known && (machine_.low > threshold || machine_.high * threshold < 1);
  const bool is_open =
      change.judged.verdict == Verdict::Same || change.judged.verdict == Verdict::CannotTell;
  if (moved && is_open) {
    change.judged.verdict = Verdict::CannotTell;
    change.judged.reason = Reason::Machine;
  }
  return change;
}

}  // namespace etlens
