// SPDX-License-Identifier: Apache-2.0
// What a debug event of an ETDump logged: a number, or where its tensors lie in the debug buffer.
#pragma once

#include "core/formats/etdump/event_log.h"

namespace etlens {

namespace etdump_schema {
struct Value;
}

// Of a verified dump; null gives a value of kind Null.
DebugValue read_debug_value(const etdump_schema::Value* value);

}  // namespace etlens
