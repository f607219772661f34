// SPDX-License-Identifier: Apache-2.0
#include "core/measure/group_pairs.h"

#include <algorithm>
#include <string_view>

namespace etlens {
namespace {

// Fixed costs of kernels hide how work grows: the same size was seen as 16 and as 28 times the least.
constexpr double kMostWorkFactor = 2;

// "prefill" of "prefill B". Letters are by total time, which is no evidence.
std::string_view kind_of(std::string_view name) { return name.substr(0, name.find(' ')); }

// How many groups of its dump have less work.
size_t rank_of(const std::vector<GroupEvidence>& groups, size_t at) {
  return static_cast<size_t>(std::ranges::count_if(
      groups, [&](const GroupEvidence& other) { return other.work < groups[at].work; }));
}

}  // namespace

ChosenGroup chosen_group(const Measure& time) {
  const std::vector<SampleGroup>& groups = time.samples.groups;
  ChosenGroup found;
  double least = 0;
  for (const SampleGroup& group : groups)
    if (least <= 0 || group.work < least) least = group.work;
  for (const SampleGroup& group : groups) {
    if (group.samples == time.samples.used) found.chosen = found.all.size();
    found.all.push_back({group.name, group.size, least > 0 ? group.work / least : 0});
  }
  return found;
}

bool may_be_same_work(const GroupEvidence& a, const GroupEvidence& b) {
  if (kind_of(a.name) != kind_of(b.name)) return false;
  if (a.size && b.size) return *a.size == *b.size;
  const auto [less, more] = std::minmax(a.work, b.work);
  return a.name == "decode" || more <= kMostWorkFactor * less;
}

std::optional<size_t> partner_of(const std::vector<GroupEvidence>& groups, size_t at,
                                 const std::vector<GroupEvidence>& others) {
  std::vector<size_t> possible;
  for (size_t i = 0; i < others.size(); ++i)
    if (may_be_same_work(groups[at], others[i])) possible.push_back(i);
  if (possible.size() == 1) return possible.front();
  if (groups.size() != others.size()) return std::nullopt;
  for (const size_t i : possible)
    if (rank_of(groups, at) == rank_of(others, i)) return i;
  return std::nullopt;
}

std::vector<std::string> unpaired_groups(const ChosenGroup& of, const ChosenGroup& other) {
  std::vector<std::string> names;
  for (size_t g = 0; g < of.all.size(); ++g)
    if (!partner_of(of.all, g, other.all)) names.push_back(of.all[g].name);
  return names;
}

bool can_compare(const ChosenGroup& a, const ChosenGroup& b) {
  const bool a_is_own = !a.all.empty() && !a.chosen;
  const bool b_is_own = !b.all.empty() && !b.chosen;
  if (a_is_own || b_is_own || (a.all.empty() && b.all.empty())) return true;
  return a.chosen && b.chosen && partner_of(a.all, *a.chosen, b.all) == b.chosen;
}

}  // namespace etlens
