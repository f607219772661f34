// SPDX-License-Identifier: Apache-2.0
// An event as the requests of our own answer it.
#pragma once

#include "core/facts/facts.h"
#include "server/extensions/events.h"
#include "server/session/session.h"

namespace etlens {

// By contribution: the share of it and all before it in the ranking.
std::vector<double> running_by_event(const Facts& facts);
// `running`: of all contributions.
extensions::EventItem event_item(Session& session, ContributionId id,
                                 const std::vector<double>& running);

// `cost`: of all of them.
extensions::SumOfEvents sum_of_events(const Session& session, size_t count, const Cost& cost);

// What changed of a line's own time, whatever part of it an event is; nothing without a baseline.
std::optional<extensions::ChangeItem> line_change(const Session& session, LineId line);

}  // namespace etlens
