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

Ranking::Ranking(const Facts& facts) : facts_(facts), known_(facts.hot_lines().size()) {}

const std::optional<Uncertainty>& Ranking::uncertainty(size_t row) {
  std::optional<std::optional<Uncertainty>>& known = known_[row];
  if (!known) {
    const Measure& measure = facts_.measure();
    known = uncertainty_of(measure, measure.landings->lines[facts_.hot_lines()[row].value].own);
  }
  return *known;
}

bool Ranking::are_tied(size_t a, size_t b) {
  const auto amount = [&](size_t row) {
    return facts_.measure().lines[facts_.hot_lines()[row].value].self.amount;
  };
  return amount(a) == amount(b) || etlens::are_tied(uncertainty(a), uncertainty(b));
}

RankRange Ranking::places(size_t row) {
  // Lines that a more costly one reaches are nearer to each other than to it, so the end only moves
  // on.
  while (ends_.size() <= row) {
    const size_t at = ends_.size();
    size_t end = at == 0 ? 0 : std::max(ends_.back(), at);
    while (end + 1 < known_.size() && are_tied(at, end + 1)) ++end;
    ends_.push_back(end);
  }
  const auto first = std::lower_bound(ends_.begin(), ends_.end(), row);
  return {static_cast<size_t>(first - ends_.begin()) + 1, ends_[row] + 1};
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
