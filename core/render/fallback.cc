// SPDX-License-Identifier: Apache-2.0
#include "core/render/fallback.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/text.h"
#include "core/render/format.h"
#include "core/code/operator_name.h"

namespace etlens {
namespace {

constexpr size_t kMaxNames = 3;

// What a person calls the event: topk of aten.topk.default.
std::string short_name(const Profile& profile, const EventRow& event) {
  if (!event.node.valid()) return profile.readable_name(event);
  return std::string(base_operator_of_target(
      profile.record->text(profile.record->nodes[event.node.value].target)));
}

}  // namespace

std::string fallback_sentence(const PreparedProfile& prepared, const FallbackRow& row,
                              std::optional<TimeScale> unit) {
  const ProfileSnapshot& snapshot = *prepared.snapshot;
  const Profile& profile = snapshot.profile;
  std::vector<std::string> names;
  for (const EventId id : row.events) {
    std::string name = short_name(profile, profile.events[id.value]);
    if (std::find(names.begin(), names.end(), name) == names.end())
      names.push_back(std::move(name));
  }
  const bool is_one = names.size() == 1;
  if (names.size() > kMaxNames) {
    names.resize(kMaxNames);
    names.emplace_back("…");
  }
  const StringId backend = profile.partitions[row.before.value].backend;
  return fmt::format(
      "{} {} on the CPU between two {} partitions: {} + 2 delegate calls", join(names, ", "),
      is_one ? "runs" : "run", profile.backends.label(profile.record->text(backend)),
      format_time(snapshot.average(row.sum.self_ticks), {snapshot.time_scale, unit}));
}

}  // namespace etlens
