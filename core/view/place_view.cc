// SPDX-License-Identifier: Apache-2.0
#include "core/view/place_view.h"

#include <algorithm>
#include <cmath>

namespace etlens {

Nullable<PlaceView> place_view(const Code& code, LineId id) {
  if (!id.valid()) return std::nullopt;
  const CodeLine& line = code.lines[id.value];
  return PlaceView{code.recorded_path(line.file), line.number};
}

IntervalView interval_view(const Scale& scale, const std::optional<Interval>& interval) {
  if (!interval) return {};
  return {scale.of(interval->low), scale.of(interval->high)};
}

std::vector<Nullable<PlaceView>> places_view(const Code& code, std::span<const LineId> lines) {
  std::vector<Nullable<PlaceView>> places;
  places.reserve(lines.size());
  for (const LineId line : lines) places.push_back(place_view(code, line));
  return places;
}

IntervalView interval_view(const Facts& facts, const Scale& scale,
                           std::span<const ContributionId> contributions) {
  if (contributions.empty()) return {};
  return interval_view(scale, facts.interval(contributions));
}

Nullable<int32_t> instruction_view(const EventFacts& event) {
  if (!event.instruction) return std::nullopt;
  return event.instruction->value;
}

std::vector<uint32_t> handles_view(std::span<const DebugHandle> handles) {
  std::vector<uint32_t> numbers;
  numbers.reserve(handles.size());
  for (const DebugHandle handle : handles) numbers.push_back(handle.value);
  return numbers;
}

namespace {

// What events and other contributions have.
OpView op_view(const Facts& facts, const Scale& scale, const ContributionFacts& row,
               std::string name) {
  OpView view;
  view.op = row.op;
  view.event = std::move(name);
  view.module = row.module_path.value_or(std::string_view());
  view.self = scale.of(row.self);
  view.self_ticks = row.self.amount.value;
  view.interval = interval_view(facts, scale, std::span(&row.id, 1));
  view.disturbance_ticks = row.self.disturbance.value;
  view.occurrences = row.occurrences;
  view.confidence = name_of(row.confidence);
  return view;
}

}  // namespace

OpView op_view(const Facts& facts, const Scale& scale, ContributionId id) {
  if (facts.has_events()) {
    EventFacts event = facts.event(id);
    OpView view = op_view(facts, scale, event, std::move(event.logged_name));
    view.instruction_id = instruction_view(event);
    view.debug_handles = handles_view(facts.join().handles_of(id));
    return view;
  }
  ContributionFacts row = facts.contribution(id);
  OpView view = op_view(facts, scale, row, std::move(row.name));
  view.remark = std::move(row.remark);
  if (row.level && std::isfinite(*row.level)) view.level = row.level;
  return view;
}

DelegateCallView delegate_call_view(const Facts& facts, const Scale& scale,
                                    const PartitionFacts& call) {
  DelegateCallView view;
  view.id = call.number;
  view.instruction_id = call.instruction.value;
  view.backend = text_or_null(call.backend);
  view.total = scale.of(call.total);
  view.total_ticks = call.total.amount.value;
  view.explained = scale.of(call.explained);
  view.explained_ticks = call.explained.amount.value;
  view.opaque = scale.of(call.opaque);
  view.opaque_ticks = call.opaque.amount.value;
  view.overhead = scale.of(call.overhead);
  view.overhead_ticks = call.overhead.amount.value;
  if (call.init) view.init = scale.of(*call.init);
  view.lines = places_view(facts.code(), call.lines);
  return view;
}

std::vector<uint32_t> call_numbers(const Facts& facts, std::span<const PartitionId> calls) {
  std::vector<uint32_t> numbers;
  numbers.reserve(calls.size());
  for (const PartitionId id : calls) numbers.push_back(facts.code().partitions[id.value].number);
  return numbers;
}

std::vector<std::string_view> backends_of(const Facts& facts, std::span<const PartitionId> calls,
                                          std::span<const ContributionId> contributions) {
  std::vector<std::string_view> ids;
  for (const PartitionId id : calls) {
    const StringId backend = facts.code().partitions[id.value].backend;
    if (backend.valid()) ids.push_back(facts.code().text(backend));
  }
  for (const ContributionId id : contributions) {
    const std::string_view backend = facts.backend_id(id);
    if (!backend.empty()) ids.push_back(backend);
  }
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

}  // namespace etlens
