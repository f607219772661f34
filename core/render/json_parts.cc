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

void write_cold_start(JsonWriter& json, const ColdStart& cold, double ticks_per_unit) {
  if (cold.loads == 0) {
    json.null();
    return;
  }
  const auto of = [&](Amount amount) { return static_cast<double>(amount.value) / ticks_per_unit; };
  json.begin_object().field("total", cold.total() / ticks_per_unit);
  json.field("load", of(cold.load)).field("init", of(cold.init));
  json.field("first_run", cold.first / ticks_per_unit).field("loads", cold.loads);
  json.field("init_in_delegates", of(cold.delegates.total)).key("init_of_calls").begin_array();
  const std::vector<std::optional<Amount>>& calls = cold.delegates.of_call;
  for (size_t p = 0; p < calls.size(); ++p) {
    if (!calls[p]) continue;
    json.begin_object().field("partition", p + 1).field("init", of(*calls[p])).end_object();
  }
  json.end_array().end_object();
}

}  // namespace etlens
