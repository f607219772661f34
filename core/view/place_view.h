// SPDX-License-Identifier: Apache-2.0
// What several reports tell of a place: the contributions of a line, a delegate call, a number with
// its interval.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "core/base/fields.h"
#include "core/facts/facts.h"
#include "core/view/report_view.h"

namespace etlens {

// A path and a line, as recorded.
using PlaceView = std::tuple<std::string_view, uint32_t>;
// Null without a line.
Nullable<PlaceView> place_view(const Code& code, LineId id);
std::vector<Nullable<PlaceView>> places_view(const Code& code, std::span<const LineId> lines);

// Of a self time: its 95 % interval. Null where none can be told.
struct IntervalView {
  Nullable<double> low;
  Nullable<double> high;
};
FIELDS(IntervalView, low, high)
IntervalView interval_view(const Scale& scale, const std::optional<Interval>& interval);
IntervalView interval_view(const Facts& facts, const Scale& scale,
                           std::span<const ContributionId> contributions);

// A contribution to a line or a delegate call.
struct OpView {
  std::string_view op;
  std::string event;
  std::string_view module;
  double self = 0;
  int64_t self_ticks = 0;
  Spread<IntervalView> interval;
  int64_t disturbance_ticks = 0;
  double occurrences = 0;
  // Of events alone.
  std::optional<Nullable<int32_t>> instruction_id;
  std::optional<std::vector<uint32_t>> debug_handles;
  // Of what is not an event.
  std::optional<std::string> remark;
  std::optional<double> level;
  std::string_view confidence;
};
FIELDS(OpView, op, event, module, self, self_ticks, interval, disturbance_ticks, occurrences,
       instruction_id, debug_handles, remark, level, confidence)
OpView op_view(const Facts& facts, const Scale& scale, ContributionId id);

// Of an event: null outside of instructions.
Nullable<int32_t> instruction_view(const EventFacts& event);
std::vector<uint32_t> handles_view(std::span<const DebugHandle> handles);

struct DelegateCallView {
  uint32_t id = 0;
  int32_t instruction_id = 0;
  Nullable<std::string_view> backend;
  double total = 0;
  int64_t total_ticks = 0;
  double explained = 0;
  int64_t explained_ticks = 0;
  double opaque = 0;
  int64_t opaque_ticks = 0;
  double overhead = 0;
  int64_t overhead_ticks = 0;
  Nullable<double> init;
  std::vector<Nullable<PlaceView>> lines;
};
FIELDS(DelegateCallView, id, instruction_id, backend, total, total_ticks, explained,
       explained_ticks, opaque, opaque_ticks, overhead, overhead_ticks, init, lines)
DelegateCallView delegate_call_view(const Facts& facts, const Scale& scale,
                                    const PartitionFacts& call);

// The numbers of delegate calls, and the ids of their backends, each once.
std::vector<uint32_t> call_numbers(const Facts& facts, std::span<const PartitionId> calls);
std::vector<std::string_view> backends_of(const Facts& facts, std::span<const PartitionId> calls,
                                          std::span<const ContributionId> contributions = {});

}  // namespace etlens
