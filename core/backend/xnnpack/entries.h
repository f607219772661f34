// SPDX-License-Identifier: Apache-2.0
// Alignment of an XNNPACK call's events without its payload: only with what the record lists for
// the call, in the payload's order. Never certain.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace etlens {

struct XnnpackEntryMatch {
  std::vector<uint32_t> entries;  // that the event may be of, the likeliest first; empty: unknown
};

// `entries`: for each listed handle the base operators of all its nodes, of which only some may be
// in the call. `names`: the call's events in the order in which they were reported.
std::vector<XnnpackEntryMatch> align_xnnpack_entries(
    std::span<const std::vector<std::string_view>> entries,
    std::span<const std::string_view> names);

struct XnnpackEntry {
  std::vector<std::string_view> operators;  // base operators of the nodes that may be in the call
  bool is_shared = false;                   // some of them may be in another call
};

// How many of the events contradict the entries: names that no entry may report under, products (of
// convolutions, linears, matrices) that are missing on one side, quantized values on one side only.
// 0 for a call of the export that the entries are from. What libraries fold and insert is no
// contradiction.
size_t count_contradictions(std::span<const XnnpackEntry> entries,
                            std::span<const std::string_view> names);

// True if operators made from a node with this base operator may report under the event's name.
bool may_report_as(std::string_view base_operator, std::string_view event_name);

// True for names of operators that exporters insert to change layouts and types.
bool is_xnnpack_layout_name(std::string_view event_name);

}  // namespace etlens
