// SPDX-License-Identifier: Apache-2.0
// The whole in words: the headline, the executions as a strip, and the sum under every report,
// which adds up to Method::execute. `unit` is of times; nullopt: chosen for each value.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/time_scale.h"
#include "core/facts/headline.h"
#include "core/render/format.h"

namespace etlens {

// "on source lines", "framework", …
std::string_view describe(const Facts& facts, Part part);
// What a leaf without a line is called: "in delegate call 2 (XNNPACK), not explained by an
// operator", "framework".
// `partition`: of the event; may be invalid.
std::string describe_part(const Facts& facts, Part part, PartitionId partition);

// "method forward, block Execute, typical of 50 executions"; where not all of them are shown,
// "typical of 45 of 50 executions (6-50)".
std::string describe_selection(const Headline& head);
// The last of that.
std::string describe_samples(const Headline& head);

// "0.82 ms typical · 1.17 ms mean, 30% of it disturbance (1 event in execution 1 took 2.85 ms, line
// 83)"; of one execution "0.82 ms, a single sample"; "nothing was timed" where the clock stands.
std::string headline_text(const Headline& head, const Facts& facts, std::optional<TimeScale> unit);

// Every execution as a block character whose height is its time, at most kMaxStrip of them: each
// stands for as many executions as it takes, by the slowest. "" for a single execution.
std::string strip_text(const Headline& head);
inline constexpr size_t kMaxStrip = 60;
// How many executions one character of the strip stands for.
size_t strip_step(const Headline& head);

// "1 event took 2.85 ms, line 83"; "spread over many events" where that is so; ""
// where no event took more than the statistic has.
std::string odd_reason(const OddSample& odd, const Facts& facts, std::optional<TimeScale> unit);

// "prefill ×1: 2.63 ms (at least 28 tokens)", "decode ×30: 375 µs, 2670 tokens/s".
std::string group_text(const GroupFacts& group, const Facts& facts, std::optional<TimeScale> unit);
// All of them: "… · …; decode is shown"; "" if nothing distinguishes the executions.
std::string groups_text(const Headline& head, const Facts& facts, std::optional<TimeScale> unit);

// With what another method is shown where the words stand: an option of a command, an argument of
// a tool, or something beside the words.
enum class MethodControl : uint8_t { Beside, Option, Argument };
// "also: decode 6 × 4.89 µs": what else the dump holds; "" for nothing. With the control:
// "also: decode 6 × 4.89 µs (--method decode)".
std::string also_text(const Study& study, std::optional<TimeScale> unit,
                      MethodControl control = MethodControl::Beside);

// "cold start 41.3 ms: load 8.20 ms, init 27.0 ms, first run +5.60 ms".
std::string cold_start_text(const ColdStart& cold, const TimeStyle& style);

// The whole footer, several lines: describe_selection, the headline, findings, the strip, odd
// executions, kinds, the parts with disturbance among them, the total and the time to load. Of a
// measure without executions: the amount and its parts.
std::string summary_text(const Headline& head, const Facts& facts, std::optional<TimeScale> unit);

}  // namespace etlens
