// SPDX-License-Identifier: Apache-2.0
#include "core/formats/etrecord/node_metadata.h"

#include <optional>
#include <string>

#include "core/base/text.h"
#include "core/formats/etrecord/call_details.h"

namespace etlens {

namespace od = simdjson::ondemand;

simdjson::error_code read_metadata(od::value value, bool keeps_calls,
                                   std::string_view exported_graph, EtRecord& record,
                                   ProvenanceTables& provenance, Node& node) {
  od::object metadata;
  if (const simdjson::error_code e = value.get_object().get(metadata)) return e;
  for (auto entry : metadata) {
    od::field field;
    if (const simdjson::error_code e = std::move(entry).get(field)) return e;
    const od::raw_json_string key = field.key();
    const bool is_trace = key == "stack_trace";
    const bool is_modules = key == "nn_module_stack";
    if (keeps_calls && key == "from_node") {
      const std::string_view token = field.value().raw_json_token();
      if (const std::string_view origin = oldest_origin(token); !origin.empty())
        node.origin = record.strings.intern(origin);
      if (exported_graph.empty()) continue;
      if (const std::string_view name = exported_origin(token, exported_graph); !name.empty())
        node.exported_name = record.strings.intern(name);
      continue;
    }
    const bool is_call = keeps_calls && key == "torch_fn";
    if (!is_trace && !is_modules && !is_call && key != "debug_handle") continue;
    od::json_type type;
    if (const simdjson::error_code e = field.value().type().get(type)) return e;
    if (type != od::json_type::string) continue;
    std::string_view text;
    if (const simdjson::error_code e = field.value().get_string().get(text)) return e;
    if (is_trace) {
      node.stack_trace = record.strings.intern(text);
      node.stack = provenance.stack_of(node.stack_trace);
    } else if (is_modules) {
      node.module_stack_text = record.strings.intern(text);
      node.modules = provenance.modules_of(node.module_stack_text);
    } else if (is_call) {
      node.torch_fn = record.strings.intern(text);
    } else if (const std::optional<int64_t> handle = parse_int(text);
               handle && *handle >= 0 && *handle < kNoHandle.value) {
      node.debug_handle = DebugHandle(static_cast<uint32_t>(*handle));
    } else {
      record.report.add(Oddity::RecordNodeOdd, "debug_handle " + std::string(text));
    }
  }
  return simdjson::SUCCESS;
}

}  // namespace etlens
