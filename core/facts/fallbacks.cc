// SPDX-License-Identifier: Apache-2.0
#include "core/facts/fallbacks.h"

#include <algorithm>
#include <map>
#include <unordered_set>
#include <utility>

namespace etlens {
namespace {

class GapFinder {
 public:
  GapFinder(const Join& join, const Measure& measure) : join_(join), measure_(measure) {}

  std::vector<FallbackGap> run() {
    const std::vector<SequenceId>& sequences = join_.selected().sequences;
    for (size_t s = 0; s < sequences.size(); ++s) {
      const EventTree& tree = join_.trees[sequences[s].value];
      last_call_ = {};
      pending_.clear();
      for (size_t i = 0; i < tree.roles.size(); ++i) {
        const ContributionId event = join_.event_of_position[s][i];
        if (!event.valid()) continue;
        if (tree.roles[i] == EventRole::DelegateCall)
          delegate_call((*join_.landings)[event].partition);
        else if (is_operator(tree, i)) pending_.push_back(event);
      }
    }
    for (FallbackGap& gap : gaps_) gap.sum = sum_of(measure_, gap.events);
    return std::move(gaps_);
  }

 private:
  static bool is_operator(const EventTree& tree, size_t i) {
    return tree.roles[i] == EventRole::Kernel ||
           (tree.roles[i] == EventRole::OperatorCall && tree.is_leaf(i));
  }

  void delegate_call(PartitionId call) {
    if (last_call_.valid() && call.valid() && same_backend(last_call_, call)) {
      for (const ContributionId event : pending_) {
        if (!seen_.insert(event).second) continue;
        const auto [at, is_new] = gap_of_.try_emplace({last_call_, call}, gaps_.size());
        if (is_new) gaps_.push_back({last_call_, call, {}, {}});
        gaps_[at->second].events.push_back(event);
      }
    }
    pending_.clear();
    last_call_ = call;
  }

  bool same_backend(PartitionId a, PartitionId b) const {
    const StringId backend = join_.code().partitions[a.value].backend;
    return backend.valid() && backend == join_.code().partitions[b.value].backend;
  }

  const Join& join_;
  const Measure& measure_;
  PartitionId last_call_;
  std::vector<ContributionId> pending_;  // operators since the last delegate call
  std::vector<FallbackGap> gaps_;
  std::map<std::pair<PartitionId, PartitionId>, size_t> gap_of_;
  std::unordered_set<ContributionId> seen_;
};

}  // namespace

std::vector<FallbackGap> find_fallback_gaps(const Join& join, const Measure& measure) {
  return GapFinder(join, measure).run();
}

std::vector<LineFallback> fallbacks_of_lines(const std::vector<FallbackGap>& gaps,
                                             const Measure& measure) {
  std::map<LineId, LineFallback> rows;
  for (const FallbackGap& gap : gaps) {
    std::map<LineId, std::vector<ContributionId>> events_of_line;
    for (const ContributionId event : gap.events) {
      const LineId line = (*measure.landings)[event].line;
      if (line.valid()) events_of_line[line].push_back(event);
    }
    for (auto& [line, events] : events_of_line) {
      std::stable_sort(events.begin(), events.end(), [&](ContributionId a, ContributionId b) {
        return measure.self[a.value].amount > measure.self[b.value].amount;
      });
      const Sum sum = sum_of(measure, events);
      LineFallback& row = rows.try_emplace(line, LineFallback{line, {}, {}}).first->second;
      row.sum.total += sum.total;
      row.sum.occurrences += sum.occurrences;
      row.sum.confidence = std::max(row.sum.confidence, sum.confidence);
      row.gaps.push_back({gap.before, gap.after, std::move(events), sum});
    }
  }
  std::vector<LineFallback> found;
  found.reserve(rows.size());
  for (auto& [line, row] : rows) found.push_back(std::move(row));
  return found;
}

}  // namespace etlens
