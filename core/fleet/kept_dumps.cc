// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/kept_dumps.h"

#include <algorithm>

namespace etlens {

void KeptDumps::add(uint64_t dump, size_t group, size_t place, double value) {
  if (!is_kept(dump)) return;
  KeptDump& kept = dumps_[dump];
  kept.group = group;
  if (place >= kept.values.size()) {
    values_ += place + 1 - kept.values.size();
    kept.values.resize(place + 1, -1);
  }
  kept.values[place] = static_cast<float>(value);
  while (values_ > most_values_ && dumps_.size() > 1) {
    one_in_ *= 2;
    std::erase_if(dumps_, [&](const auto& row) {
      if (is_kept(row.first)) return false;
      values_ -= row.second.values.size();
      return true;
    });
  }
}

std::vector<KeptDump> KeptDumps::take(const std::vector<size_t>& places,
                                      const std::vector<size_t>& groups) {
  std::vector<uint64_t> order;
  for (const auto& [dump, kept] : dumps_) order.push_back(dump);
  std::sort(order.begin(), order.end());
  std::vector<KeptDump> all;
  for (const uint64_t dump : order) {
    const KeptDump& kept = dumps_[dump];
    KeptDump& row = all.emplace_back();
    row.group = groups.empty() ? 0 : groups[kept.group];
    row.values.assign(places.size(), -1);
    for (size_t p = 0; p < kept.values.size(); ++p) row.values[places[p]] = kept.values[p];
  }
  dumps_.clear();
  return all;
}

}  // namespace etlens
