// SPDX-License-Identifier: Apache-2.0
#include "core/render/inlay_hint.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/base/path.h"
#include "core/base/text.h"
#include "core/render/format.h"

namespace etlens {
namespace {

// From this multiple of the own time on, the inclusive time is what a reader wants to see.
constexpr uint64_t kInclusiveFactor = 2;

std::string marks(const LineRow& line, bool edited) {
  std::string text;
  if (edited) text += "~";
  if (line.confidence == Confidence::Inferred) text += "≈";
  return text;
}

// Drops the least important tail until the text fits.
std::string fitting(std::string head, const std::vector<std::string>& tails) {
  for (const std::string& tail : tails) {
    if (tail.empty()) continue;
    if (utf8_count(head) + 1 + utf8_count(tail) > kMaxHintWidth) break;
    head += " " + tail;
  }
  return head;
}

std::string times(uint32_t n) { return n > 1 ? fmt::format("×{}", n) : std::string(); }

std::string cost_text(const ProfileSnapshot& snapshot, uint64_t ticks, const HintOptions& options) {
  const std::string share = format_share(snapshot.profile.share(ticks));
  if (options.style == HintStyle::Share) return share;
  const std::string time =
      format_time(snapshot.average(ticks), {snapshot.time_scale, options.unit});
  return options.style == HintStyle::Time ? time : time + " " + share;
}

LineHint of_parts(std::vector<HintPart> parts) {
  LineHint hint;
  for (const HintPart& part : parts) hint.text += part.text;
  hint.parts = std::move(parts);
  return hint;
}

LineHint cost_hint(const ProfileSnapshot& snapshot, const LineRow& line, bool edited,
                   const HintOptions& options) {
  const Profile& profile = snapshot.profile;
  const bool is_inclusive = line.inclusive_ticks > kInclusiveFactor * line.self_ticks;
  const uint64_t ticks = is_inclusive ? line.inclusive_ticks : line.self_ticks;
  const std::string head =
      marks(line, edited) + (is_inclusive ? "Σ " : "") + cost_text(snapshot, ticks, options);
  std::vector<std::string> tails;
  if (!is_inclusive) tails.push_back(where_line_ran(profile, line));
  tails.push_back(times(line.calls));
  if (options.style != HintStyle::Full) tails.clear();
  const std::string text = fitting(head, tails);
  std::vector<HintPart> parts{{head, {}}};
  if (text.size() > head.size()) parts.push_back({text.substr(head.size()), {}});
  LineHint hint = of_parts(std::move(parts));
  hint.is_inclusive = is_inclusive;
  hint.share = profile.share(ticks);
  return hint;
}

std::optional<LineHint> fused_hint(const ProfileSnapshot& snapshot, const LineRow& line,
                                   const HintOptions& options) {
  const Profile& profile = snapshot.profile;
  const auto hotter = [&](LineId a, LineId b) {
    return profile.lines[a.value].self_ticks < profile.lines[b.value].self_ticks;
  };
  const LineId id = *std::max_element(line.fused_into.begin(), line.fused_into.end(), hotter);
  const LineRow& target = profile.lines[id.value];
  if (profile.share(target.self_ticks) < options.threshold) return std::nullopt;
  const uint32_t current = options.current_line ? options.current_line(id) : target.line;
  const uint32_t number = current == 0 ? target.line : current;
  if (target.file == line.file)
    return of_parts({{"fused → ", {}}, {fmt::format("L{}", number), id}});
  const std::string_view name = base_name(snapshot.recorded_path(target.file));
  const std::string where = fmt::format("{}:{}", name, number);
  if (fitting("fused →", {where}) == "fused →") return of_parts({{"fused →", id}});
  return of_parts({{"fused → ", {}}, {where, id}});
}

std::optional<LineHint> partition_hint(const ProfileSnapshot& snapshot, const LineRow& line,
                                       const HintOptions& options) {
  const Profile& profile = snapshot.profile;
  uint64_t opaque = 0;
  uint64_t total = 0;
  std::set<LineId> lines;
  for (const PartitionId id : line.partitions) {
    const PartitionRow& partition = profile.partitions[id.value];
    opaque += partition.opaque_ticks;
    total += partition.total_ticks;
    lines.insert(partition.lines.begin(), partition.lines.end());
  }
  if (opaque == 0 || profile.share(opaque) < options.threshold) return std::nullopt;
  const PartitionRow& first = profile.partitions[line.partitions.front().value];
  const std::string backend =
      first.backend.valid() ? backend_label(profile.record->text(first.backend)) : "a delegate";
  const std::string where = line.partitions.size() == 1
                                ? fmt::format("in {} #{}", backend, first.number)
                                : fmt::format("in {} {} calls", line.partitions.size(), backend);
  const std::string what = fmt::format(
      "({}, {})", format_time(snapshot.average(total), {snapshot.time_scale, options.unit}),
      counted(lines.size(), "line"));
  const std::string text = fitting(where, {what});
  std::vector<HintPart> parts{{where, first.lines.empty() ? LineId() : first.lines.front()}};
  if (text.size() > where.size()) parts.push_back({text.substr(where.size()), {}});
  return of_parts(std::move(parts));
}

}  // namespace

std::string where_line_ran(const Profile& profile, const LineRow& line) {
  if (profile.partitions.empty()) return "";
  std::set<std::string> backends;
  bool on_cpu = false;
  for (const EventId id : line.events) {
    const EventRow& event = profile.events[id.value];
    const std::string_view backend = profile.backend_of(event);
    if (backend.empty()) on_cpu = true;
    else backends.insert(backend_label(backend));
  }
  std::string where = join({backends.begin(), backends.end()}, "+");
  if (on_cpu) where += where.empty() ? "CPU" : "+CPU";
  return where;
}

std::optional<LineHint> line_hint(const ProfileSnapshot& snapshot, LineId id, bool edited,
                                  const HintOptions& options) {
  const Profile& profile = snapshot.profile;
  const LineRow& line = profile.lines[id.value];
  if (line.inclusive_ticks > 0 || !line.events.empty()) {
    LineHint hint = cost_hint(snapshot, line, edited, options);
    if (hint.share >= options.threshold || (options.always && options.always(id))) return hint;
    return std::nullopt;
  }
  if (!line.fused_into.empty()) return fused_hint(snapshot, line, options);
  if (!line.partitions.empty()) return partition_hint(snapshot, line, options);
  return std::nullopt;
}

}  // namespace etlens
