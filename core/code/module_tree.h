// SPDX-License-Identifier: Apache-2.0
// The modules of a profile with self and inclusive time.
//
// A module owns the time of every leaf whose node's module stack contains its exact path; a parent
// that no stack names (`layers` above `layers.0`) is filled in and owns what its children own. The
// root owns every leaf (lines, opaque, unattributed), but no overhead. An opaque partition belongs
// to the deepest module that contains all its nodes.
#pragma once

#include "core/code/method_context.h"
#include "core/join/profile.h"

namespace etlens {

// Needs the events' ticks. Fills Profile::modules, EventRow::module and PartitionRow::module.
// `context` is null without a record: then there is only the root.
void build_modules(Profile& profile, const MethodContext* context);

}  // namespace etlens
