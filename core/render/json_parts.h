// SPDX-License-Identifier: Apache-2.0
// Values that the JSON of several reports has. The caller keeps the grammar, as with JsonWriter.
#pragma once

#include <string_view>

#include "core/base/json_writer.h"
#include "core/code/code.h"

namespace etlens {

// A field: null for "".
void write_nullable(JsonWriter& json, std::string_view name, std::string_view text);
// A value: [path as recorded, line], or null.
void write_place(JsonWriter& json, const Code& code, LineId id);

}  // namespace etlens
