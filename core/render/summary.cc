// SPDX-License-Identifier: Apache-2.0
#include "core/render/summary.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/text.h"
#include "core/render/format.h"
#include "core/render/table.h"

namespace etlens {
namespace {

// What backends that cut each event to whole microseconds, or the like, may lack in their sums: up
// to one unit per event.
uint64_t rounding_bound(const ProfileSnapshot& snapshot) {
  const Profile& profile = snapshot.profile;
  if (snapshot.time_scale == TimeScale::Cycles) return 0;
  const double microsecond = scale_factor(snapshot.time_scale, TimeScale::Microseconds);
  uint64_t bound = 0;
  for (const PartitionRow& partition : profile.partitions) {
    if (!partition.backend.valid()) continue;
    const Backend& backend = profile.backends.find(profile.record->text(partition.backend));
    if (backend.resolution_ns == 0) continue;
    const double unit = microsecond * (backend.resolution_ns / 1000.0);
    uint64_t events = 0;
    for (const EventId id : partition.events) events += profile.events[id.value].occurrences;
    bound += std::min(partition.overhead_ticks,
                      static_cast<uint64_t>(static_cast<double>(events) * unit));
  }
  return bound;
}

}  // namespace

std::string_view describe(TimePart part) {
  switch (part) {
    case TimePart::Line:
      return "on source lines";
    case TimePart::OpaquePartition:
      return "in delegate calls, not explained by an operator";
    case TimePart::DelegateOverhead:
      return "inside delegate calls, not measured";
    case TimePart::Dispatch:
      return "dispatch around kernels";
    case TimePart::Framework:
      return "framework";
    default:
      return "unattributed";
  }
}

std::vector<SummaryRow> summary_rows(const ProfileSnapshot& snapshot) {
  const Reconciliation& total = snapshot.profile.total;
  std::vector<SummaryRow> rows;
  for (size_t p = 0; p < static_cast<size_t>(TimePart::kCount); ++p) {
    const auto part = static_cast<TimePart>(p);
    if (total[part] == 0 && part != TimePart::Line) continue;
    SummaryRow row{std::string(describe(part)), total[part], ""};
    if (part == TimePart::DelegateOverhead) {
      if (const uint64_t bound = rounding_bound(snapshot); bound > 0) {
        row.note = fmt::format("up to {} of it is rounding",
                               format_time(snapshot.average(bound), snapshot.time_scale));
      }
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string describe_selection(const ProfileSnapshot& snapshot) {
  const Profile& profile = snapshot.profile;
  std::string text;
  if (profile.method) text = fmt::format("method {}, ", snapshot.method_name());
  text += fmt::format("block {}, ", profile.selected().name);
  const size_t n = profile.execution_count();
  return text + (n == 1 ? "1 execution" : fmt::format("average of {} executions", n));
}

std::string summary_text(const ProfileSnapshot& snapshot) {
  const Profile& profile = snapshot.profile;
  const auto time = [&](uint64_t ticks) {
    return format_time(snapshot.average(ticks), snapshot.time_scale);
  };
  Table table;
  table.columns = {{"", Align::Left}, {"", Align::Right}, {"", Align::Right}, {"", Align::Left}};
  for (const SummaryRow& row : summary_rows(snapshot)) {
    table.rows.push_back({"  " + row.label, time(row.ticks), format_share(profile.share(row.ticks)),
                          row.note.empty() ? "" : "(" + row.note + ")"});
  }
  table.rows.push_back({"= Method::execute", time(profile.total.total), "100%", ""});
  std::string text = to_text(table);
  text.erase(0, text.find('\n') + 1);  // the empty header
  if (profile.load_ticks > 0) {
    text += fmt::format("  beside it: loading took {}\n",
                        format_time(static_cast<double>(profile.load_ticks), snapshot.time_scale));
  }
  constexpr size_t kMaxNamed = 3;
  for (size_t i = 0; i < std::min(profile.far_off.size(), kMaxNamed); ++i) {
    const uint32_t r = profile.far_off[i];
    text += fmt::format(
        "  execution {} took {}, far from the median\n", r + 1,
        format_time(static_cast<double>(profile.executions[r].total), snapshot.time_scale));
  }
  if (profile.far_off.size() > kMaxNamed) {
    text += fmt::format("  {} more are far from it\n", profile.far_off.size() - kMaxNamed);
  }
  return text;
}

}  // namespace etlens
