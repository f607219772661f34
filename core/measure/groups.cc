// SPDX-License-Identifier: Apache-2.0
#include "core/measure/groups.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/budget.h"
#include "core/measure/group_evidence.h"
#include "core/measure/group_split.h"
#include "core/measure/robust.h"

namespace etlens {
namespace {

// Of more executions, so many are looked at; the others go to the group that they are nearest to.
constexpr size_t kMostLookedAt = 256;
// With more groups the sizes are a range, and no group is one amount of work.
constexpr size_t kMostGroups = 26;

std::vector<uint32_t> all_samples(size_t count) {
  std::vector<uint32_t> all(count);
  std::iota(all.begin(), all.end(), 0u);
  return all;
}

// The first ones, where a prefill is, the longest, and others at equal distances.
std::vector<uint32_t> looked_at(std::span<const Amount> totals) {
  std::vector<uint32_t> order = all_samples(totals.size());
  if (order.size() <= kMostLookedAt) return order;
  std::vector<bool> chosen(order.size());
  std::partial_sort(order.begin(), order.begin() + kMostLookedAt / 8, order.end(),
                    [&](uint32_t a, uint32_t b) { return totals[a] > totals[b]; });
  for (size_t i = 0; i < kMostLookedAt / 8; ++i) chosen[order[i]] = chosen[i] = true;
  for (size_t i = 0; i < kMostLookedAt * 3 / 4; ++i)
    chosen[i * totals.size() / (kMostLookedAt * 3 / 4)] = true;
  std::vector<uint32_t> samples;
  for (uint32_t s = 0; s < chosen.size(); ++s)
    if (chosen[s]) samples.push_back(s);
  return samples;
}

struct Division {
  std::vector<uint32_t> group;  // per sample, 0 for that with the least work
  std::vector<double> work;     // per group: work as a multiple of the first one's
};

// Per row and group the median over the executions of the group.
std::vector<std::vector<double>> centres_of(const LogRows& rows, std::span<const uint32_t> group,
                                            size_t groups) {
  std::vector<std::vector<double>> centres;
  for (const std::vector<double>& row : rows) {
    std::vector<std::vector<double>> values(groups);
    for (size_t s = 0; s < group.size(); ++s) values[group[s]].push_back(row[s]);
    std::vector<double>& of_row = centres.emplace_back();
    for (std::vector<double>& of_group : values)
      of_row.push_back(quantile_of(std::move(of_group), 0.5));
  }
  return centres;
}

// Overheads hide how work grows, so that the kernels that rise most tell most; the very highest are
// interruptions.
constexpr double kTellingKernels = 0.6;
// In microseconds: of less, the clock shows no ratio.
constexpr double kLeastTime = 0.2;

// `centres`: of kernels, with their offset.
std::vector<double> work_of(const std::vector<std::vector<double>>& centres, size_t groups) {
  const auto log_of_time = [](double with_offset) {
    return std::log(std::max(std::exp(with_offset) - kKernelOffset, kLeastTime));
  };
  std::vector<double> work;
  for (size_t g = 0; g < groups; ++g) {
    std::vector<double> rises;
    for (const std::vector<double>& row : centres)
      rises.push_back(log_of_time(row[g]) - log_of_time(row[0]));
    work.push_back(std::exp(quantile_of(std::move(rises), kTellingKernels)));
  }
  return work;
}

Division divide_by_times(const Join& join, const SymbolicWork& work, const Series& series,
                         std::span<const Amount> totals) {
  const GroupSignals signals = group_signals(join, work, series, all_samples(totals.size()));
  if (signals.executions() < 2) return {};
  Division division{split_executions(signals, looked_at(totals)), {}};
  const size_t groups = *std::max_element(division.group.begin(), division.group.end()) + 1;
  if (groups < 2 || groups > kMostGroups) return {};
  const LogRows& telling = signals.kernels.empty() ? signals.operators : signals.kernels;
  division.work = work_of(centres_of(telling, division.group, groups), groups);
  return division;
}

// Which of the groups, by total, is the decoding: that with the least work, if its sequence is 1 by
// the dump's sizes, or if it is most executions while a longer sequence came first.
const SampleGroup* decoding_of(const std::vector<SampleGroup>& groups, bool is_language_model) {
  if (!is_language_model) return nullptr;
  const auto least =
      std::min_element(groups.begin(), groups.end(),
                       [](const SampleGroup& a, const SampleGroup& b) { return a.work < b.work; });
  if (least->size) return *least->size == 1 ? &*least : nullptr;
  size_t all = 0;
  for (const SampleGroup& group : groups) all += group.samples.size();
  const bool is_most = 2 * least->samples.size() > all;
  return is_most && least->samples.front() != 0 ? &*least : nullptr;
}

void name_groups(std::vector<SampleGroup>& groups, const SymbolicWork& work) {
  const SampleGroup* decoding = decoding_of(groups, work.is_language_model());
  char letter = 'A';
  for (SampleGroup& group : groups) {
    const std::string rest(1, letter);
    if (group.size) group.tokens = work.tokens_at(*group.size);
    if (&group == decoding) {
      group.tokens = work.tokens_at(1);
      group.name = "decode";
      continue;
    }
    if (decoding == nullptr) group.name = "group " + rest;
    else group.name = groups.size() == 2 ? "prefill" : "prefill " + rest;
    ++letter;
  }
}

Amount total_of(const SampleGroup& group, std::span<const Amount> totals) {
  Amount sum;
  for (const uint32_t s : group.samples) sum += totals[s];
  return sum;
}

void sort_by_total(std::vector<SampleGroup>& groups) {
  std::stable_sort(groups.begin(), groups.end(),
                   [](const SampleGroup& a, const SampleGroup& b) { return a.total > b.total; });
}

}  // namespace

std::vector<SampleGroup> find_groups(const Join& join, const Series& series,
                                     std::span<const Amount> totals) {
  if (totals.size() < 2) return {};
  const SymbolicWork work(join.code());
  if (work.empty()) return {};
  Division division;
  division.group = groups_by_logged_sizes(join, work);
  const bool is_logged = !division.group.empty();
  if (!is_logged) division = divide_by_times(join, work, series, totals);
  if (division.group.empty()) return {};
  const size_t count = *std::max_element(division.group.begin(), division.group.end()) + 1;
  if (count < 2 || count > kMostGroups) return {};
  std::vector<SampleGroup> groups(count);
  for (uint32_t s = 0; s < totals.size(); ++s) groups[division.group[s]].samples.push_back(s);
  for (size_t g = 0; g < count; ++g) {
    if (is_logged) groups[g].size = logged_size(join, work, groups[g].samples.front());
    groups[g].work = is_logged ? static_cast<double>(groups[g].size.value_or(0)) : division.work[g];
    groups[g].total = total_of(groups[g], totals);
  }
  sort_by_total(groups);
  name_groups(groups, work);
  return groups;
}

void leave_out_first(std::vector<SampleGroup>& groups, std::span<const Amount> totals,
                     size_t warmup) {
  if (warmup == 0) return;
  for (SampleGroup& group : groups) {
    std::erase_if(group.samples, [&](uint32_t sample) { return sample < warmup; });
    group.total = total_of(group, totals);
  }
  std::erase_if(groups, [](const SampleGroup& group) { return group.samples.empty(); });
  if (groups.size() < 2) groups.clear();
  sort_by_total(groups);
}

const SampleGroup* group_named(std::span<const SampleGroup> groups, std::string_view name) {
  if (groups.size() == 2 && (name == "slow" || name == "fast")) {
    const auto mean = [](const SampleGroup& group) {
      return static_cast<double>(group.total.value) / static_cast<double>(group.samples.size());
    };
    const bool is_first_slow = mean(groups[0]) >= mean(groups[1]);
    return &groups[is_first_slow == (name == "slow") ? 0 : 1];
  }
  const auto at = std::find_if(groups.begin(), groups.end(), [&](const SampleGroup& group) {
    return group.name == name || group.name == "group " + std::string(name);
  });
  return at == groups.end() ? nullptr : &*at;
}

}  // namespace etlens
