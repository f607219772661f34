// SPDX-License-Identifier: Apache-2.0
#include "core/code/line_table.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "core/code/call_count.h"

namespace etlens {
namespace {

// Lines found so far, before they are sorted and numbered.
class LineCollector {
 public:
  explicit LineCollector(const EtRecord& record) : record_(record) {}

  void add(FrameId frame) {
    const Frame& row = record_.frames[frame.value];
    if (file_order_.try_emplace(row.file, file_order_.size()).second) files_.push_back(row.file);
    lines_.try_emplace({file_order_[row.file], row.line}, frame);
  }

  void store(Profile& profile) const {
    for (const StringId file : files_) profile.files.push_back({file, 0, 0});
    for (const auto& [key, frame] : lines_) {
      FileRow& file = profile.files[key.first];
      if (file.line_count++ == 0) file.first_line = static_cast<uint32_t>(profile.lines.size());
      LineRow line;
      line.file = FileId(key.first);
      line.line = key.second;
      line.frame = frame;
      profile.lines.push_back(std::move(line));
    }
  }

  LineId find(const Profile& profile, FrameId frame) const {
    if (!frame.valid()) return {};
    const Frame& row = record_.frames[frame.value];
    const auto order = file_order_.find(row.file);
    if (order == file_order_.end()) return {};
    const FileRow& file = profile.files[order->second];
    const auto first = profile.lines.begin() + file.first_line;
    const auto at = std::lower_bound(first, first + file.line_count, row.line,
                                     [](const LineRow& l, uint32_t n) { return l.line < n; });
    if (at == first + file.line_count || at->line != row.line) return {};
    return LineId(static_cast<size_t>(at - profile.lines.begin()));
  }

 private:
  const EtRecord& record_;
  std::unordered_map<StringId, size_t> file_order_;
  std::vector<StringId> files_;  // in first-seen order
  std::map<std::pair<size_t, uint32_t>, FrameId> lines_;
};

void weaken(Confidence& confidence, Confidence other) { confidence = std::max(confidence, other); }

}  // namespace

void collect_lines(Profile& profile, const MethodContext& context,
                   const std::vector<FrameId>& frames) {
  LineCollector collector(context.record());
  for (size_t e = 0; e < profile.events.size(); ++e) {
    const EventRow& row = profile.events[e];
    if (row.part != TimePart::Line) continue;
    collector.add(frames[e]);
    for (const FrameId frame : context.lines_of(row.node)) collector.add(frame);
    for (const NodeId node : profile.fused_of(row)) {
      if (const FrameId frame = context.line_of(node); frame.valid()) collector.add(frame);
    }
  }
  for (const PartitionRow& partition : profile.partitions) {
    for (const NodeId node : partition.nodes) {
      if (const FrameId frame = context.line_of(node); frame.valid()) collector.add(frame);
    }
  }
  collector.store(profile);

  for (size_t e = 0; e < profile.events.size(); ++e) {
    EventRow& row = profile.events[e];
    if (row.part != TimePart::Line) continue;
    row.line = collector.find(profile, frames[e]);
    profile.lines[row.line.value].events.push_back(EventId(e));
    for (const FrameId frame : context.lines_of(row.node)) {
      const LineId line = collector.find(profile, frame);
      if (line != row.line) profile.lines[line.value].inclusive_events.push_back(EventId(e));
    }
    for (const NodeId node : profile.fused_of(row)) {
      const LineId line = collector.find(profile, context.line_of(node));
      if (line.valid() && line != row.line)
        profile.lines[line.value].fused_into.push_back(row.line);
    }
  }
  for (LineRow& line : profile.lines) {
    std::sort(line.fused_into.begin(), line.fused_into.end());
    line.fused_into.erase(std::unique(line.fused_into.begin(), line.fused_into.end()),
                          line.fused_into.end());
  }
  for (size_t p = 0; p < profile.partitions.size(); ++p) {
    PartitionRow& partition = profile.partitions[p];
    std::set<LineId> lines;
    for (const NodeId node : partition.nodes) {
      const LineId line = collector.find(profile, context.line_of(node));
      if (line.valid()) lines.insert(line);
    }
    partition.lines.assign(lines.begin(), lines.end());
    for (const LineId line : lines) profile.lines[line.value].partitions.push_back(PartitionId(p));
  }
}

void sum_lines(Profile& profile, const MethodContext& context) {
  for (LineRow& line : profile.lines) {
    const bool only_in_partition = line.events.empty() && line.inclusive_events.empty();
    if (only_in_partition && !line.partitions.empty() && line.fused_into.empty()) {
      line.confidence = Confidence::Partition;
    }
    for (const EventId id : line.events) {
      const EventRow& event = profile.events[id.value];
      line.self_ticks += event.self_ticks;
      line.inclusive_ticks += event.self_ticks;
      line.occurrences += event.occurrences;
      weaken(line.confidence, event.confidence);
    }
    for (const EventId id : line.inclusive_events) {
      const EventRow& event = profile.events[id.value];
      line.inclusive_ticks += event.self_ticks;
      if (line.events.empty()) weaken(line.confidence, event.confidence);
    }
    const auto by_cost = [&](EventId a, EventId b) {
      return profile.events[a.value].self_ticks > profile.events[b.value].self_ticks;
    };
    std::stable_sort(line.events.begin(), line.events.end(), by_cost);
  }
  count_calls(profile, context);
}

}  // namespace etlens
