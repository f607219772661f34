// SPDX-License-Identifier: Apache-2.0
#include "core/render/json_parts.h"

#include "core/base/fields_json.h"
#include "core/view/place_view.h"

namespace etlens {

void write_nullable(JsonWriter& json, std::string_view name, std::string_view text) {
  json.key(name);
  if (text.empty()) json.null();
  else json.value(text);
}

void write_place(JsonWriter& json, const Code& code, LineId id) {
  write_json(json, place_view(code, id));
}

}  // namespace etlens
