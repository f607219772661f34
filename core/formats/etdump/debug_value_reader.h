// SPDX-License-Identifier: Apache-2.0
// What a debug event of an ETDump logged: a number, or where its tensors lie in the debug buffer.
#pragma once

#include "core/formats/etdump/dump_schema.h"
#include "core/formats/etdump/event_log.h"

namespace etlens {

// Verifies all of the value. An absent one gives a value of kind Null.
DebugValue read_debug_value(TableWalk& walk, dump_schema::Kinds& kinds, const FlatTable& value);

}  // namespace etlens
