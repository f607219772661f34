// SPDX-License-Identifier: Apache-2.0
#include "core/facts/ranking.h"

#include <algorithm>

namespace etlens {

std::vector<LineId> listed_lines(const Facts& facts) {
  std::vector<LineId> ranked = facts.hot_lines();
  std::vector<bool> is_hot(facts.line_count());
  for (const LineId line : ranked) is_hot[line.value] = true;
  std::vector<std::pair<Amount, LineId>> others;
  for (size_t l = 0; l < facts.line_count(); ++l) {
    const LineId line(l);
    if (!is_hot[l] && facts.is_listed(line))
      others.emplace_back(facts.line(line).inclusive.amount, line);
  }
  std::stable_sort(others.begin(), others.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  for (const auto& [amount, line] : others) ranked.push_back(line);
  return ranked;
}

std::vector<RankRange> rank_ranges(const Facts& facts) {
  const Measure& measure = facts.measure();
  const std::vector<LineId>& lines = facts.hot_lines();
  std::vector<std::vector<double>> draws;
  draws.reserve(lines.size());
  for (const LineId line : lines)
    draws.push_back(facts.draws(measure.landings->lines[line.value].own));
  const auto tied = [&](size_t a, size_t b) {
    return measure.lines[lines[a].value].self.amount == measure.lines[lines[b].value].self.amount ||
           are_tied(draws[a], draws[b]);
  };
  std::vector<RankRange> ranges(lines.size());
  // Lines that a more costly one reaches are nearer to each other than to it, so the end only moves
  // on.
  size_t end = 0;
  for (size_t i = 0; i < lines.size(); ++i) {
    end = std::max(end, i);
    while (end + 1 < lines.size() && tied(i, end + 1)) ++end;
    ranges[i].last = end + 1;
    ranges[i].interval = interval_of(draws[i]);
  }
  size_t first = 0;
  for (size_t i = 0; i < lines.size(); ++i) {
    while (ranges[first].last < i + 1) ++first;
    ranges[i].first = first + 1;
  }
  return ranges;
}

std::vector<double> running_shares(const Facts& facts) {
  std::vector<double> shares;
  shares.reserve(facts.ranked().size());
  Amount sum;
  for (const ContributionId id : facts.ranked()) {
    sum += facts.measure().self[id.value].amount;
    shares.push_back(facts.measure().share(sum));
  }
  return shares;
}

}  // namespace etlens
