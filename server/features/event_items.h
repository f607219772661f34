// SPDX-License-Identifier: Apache-2.0
// An event as the requests of our own answer it.
#pragma once

#include "core/facts/facts.h"
#include "server/extensions/events.h"
#include "server/session/session.h"

namespace etlens {

// Without its running share.
extensions::EventItem event_item(Session& session, ContributionId id);

// What changed of a line's own time, whatever part of it an event is; nothing without a baseline.
std::optional<extensions::ChangeItem> line_change(const Session& session, LineId line);

}  // namespace etlens
