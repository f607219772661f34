// SPDX-License-Identifier: Apache-2.0
// The words of a comparison, the same on every surface. Never a naked percentage: a change is named
// where there is a verdict, and an interval where there is none.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/time_scale.h"
#include "core/compare/compare.h"

namespace etlens {

// "+65%", "−12%", "2.4×"; "" without a verdict that has one.
std::string change_text(const Judged& judged);
// "−28 … +32%"; "" for gone and new places, and for those that took no time.
std::string interval_text(const Judged& judged);
// "▲" slower, "▼" faster; "" for every other verdict.
std::string_view change_mark(const Judged& judged);
// Of a hint: "−12% ▼", "2.4× ▲ likely", "new"; "" where the time alone is said.
std::string short_change_text(const Judged& judged);
// The same of a line: "−53% ▼ likely (6 lines)" where it is compared together with others.
std::string short_change_text(const LineChange& line, bool is_inclusive);
// "slower", "likely faster", "same", "cannot tell", "gone", "new".
std::string verdict_text(const Judged& judged);
// Why nobody can tell, and what would help: "the dumps differ too much: 6 more of each side would
// settle it". "" where there is nothing to say.
std::string reason_text(const Judged& judged);

// "cold start 41.3 ms → 30.1 ms (…)"; "" unless both sides tell of loading. No verdict: it happens
// once in a process.
std::string cold_start_change_text(const Comparison& comparison, std::optional<TimeScale> unit);

// "the machine was 1.4× slower on the new side (1.3 to 1.5)"; "" if it was as before.
std::string machine_text(const Comparison& comparison);
// "20.0 ms → 11.3 ms: likely 43% faster (−58 … −23%); 4 dumps against 1".
std::string total_text(const Comparison& comparison, std::optional<TimeScale> unit);
// "4 dumps against 1".
std::string dumps_text(const Comparison& comparison);
// How many lines: "2 slower, 1 likely faster, 1 gone, 3 new"; "no line with a verdict".
std::string counts_text(const Comparison& comparison);
// Which groups of executions are compared, and which have no partner; empty without groups.
std::vector<std::string> group_sentences(const Comparison& comparison);
// What there is to know before believing any of it: one dump a side, no record, dumps left out,
// nothing that does the same work. A sentence each.
std::vector<std::string> caveats(const Comparison& comparison);

// Where a line is: "layers.py:43", "layers.py:41 → 44", "blocks.py:33 → 20,21,22".
std::string place_text(const Comparison& comparison, const LineChange& line);
// The kernels, if they are others than before: "Convolution (NHWC, F32) GEMM → (NHWC, QS8, QC8W)
// IGEMM", "with Convert (NC)"; "" if not.
std::string kernel_text(const std::vector<std::string>& before,
                        const std::vector<std::string>& after);

// "5 × aten.mean.dim, aten.linear.default": operators that left a delegate or entered it.
std::string moved_operators_text(const DelegationMove& move);
// "layers.py:17 → 19": where they are; "no line" without one.
std::string move_place_text(const Comparison& comparison, const DelegationMove& move);
// What left the delegate and what entered it, a sentence each; or that it is not known. Empty if nothing moved.
std::vector<std::string> delegation_sentences(const Comparison& comparison);

}  // namespace etlens
