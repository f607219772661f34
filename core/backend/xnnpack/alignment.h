// SPDX-License-Identifier: Apache-2.0
// Which operator of its payload each event of an XNNPACK call belongs to, and how sure that is.
//
// Only what comes out exactly as predicted is certain by its place. Where something deviates, order
// and data flow must agree on a single operator; where something is unexplained, data flow alone
// counts, and only for names whose operators all reported.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "core/backend/xnnpack/hypotheses.h"

namespace etlens {

struct XnnpackMatch {
  XnnpackOrigin origin;     // the likeliest; without operator if nothing is known
  bool is_certain = false;  // there is no other possibility
  bool is_sound = false;    // the right one is among the candidates
  // Every possibility that is left, `origin` included; ascending.
  std::vector<XnnpackOrigin> candidates;
};

// An operator that reported nothing: another one's event has its work.
struct XnnpackAbsorption {
  uint32_t folded = kNone;
  uint32_t by = kNone;
};

struct XnnpackAlignment {
  std::vector<XnnpackMatch> events;         // in the order of the names
  std::vector<XnnpackAbsorption> absorbed;  // ascending
  bool is_as_predicted = false;
};

// `names` are the call's events in the order in which they were reported.
XnnpackAlignment align_xnnpack(const XnnpackPayload& payload,
                               std::span<const std::string_view> names);

// How many of a call's events and operators nothing explains: an event without operator, an
// operator without event, a name that contradicts its operator. 0 if everything is as libraries are
// known to do it.
size_t count_unexplained(const XnnpackPayload& payload, std::span<const std::string_view> names);

}  // namespace etlens
