// SPDX-License-Identifier: Apache-2.0
#include "core/render/json_parts.h"

namespace etlens {

void write_nullable(JsonWriter& json, std::string_view name, std::string_view text) {
  json.key(name);
  if (text.empty()) json.null();
  else json.value(text);
}

void write_place(JsonWriter& json, const Code& code, LineId id) {
  if (!id.valid()) {
    json.null();
    return;
  }
  const CodeLine& line = code.lines[id.value];
  json.begin_array().value(code.recorded_path(line.file)).value(line.number).end_array();
}

}  // namespace etlens
