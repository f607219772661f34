// SPDX-License-Identifier: Apache-2.0
// The JSON of `etlens size`.
#include "core/base/json_writer.h"
#include "core/render/size_report.h"

namespace etlens {

std::string size_json(const SizeFacts& facts, const RowChoice& rows) {
  JsonWriter json;
  json.begin_object().field("schema", "etlens/size@1").field("file_bytes", facts.file_bytes());
  json.key("parts").begin_array();
  for (const size_t p : chosen_rows(rows, facts.part_count())) {
    const SizePartFacts part = facts.part(p);
    json.begin_object().field("kind", name_of(part.kind)).field("name", part.name);
    json.field("bytes", part.bytes).key("module");
    if (part.module_path) json.value(*part.module_path);
    else json.null();
    json.key("line");
    if (part.line > 0) json.begin_array().value(part.recorded_path).value(part.line).end_array();
    else json.null();
    json.key("partition");
    if (part.partition > 0) json.value(part.partition);
    else json.null();
    json.end_object();
  }
  json.end_array().end_object();
  return json.take();
}

}  // namespace etlens
