// SPDX-License-Identifier: Apache-2.0
#include "core/formats/etrecord/node_metadata.h"

#include <string>

#include "core/base/text.h"

namespace etlens {

namespace od = simdjson::ondemand;
using simdjson::error_code;
using simdjson::SUCCESS;

namespace {

// Nothing of a value that is no string, which is not consumed.
error_code text_of(od::value value, std::optional<std::string_view>& text) {
  od::json_type type;
  if (const error_code e = value.type().get(type)) return e;
  if (type != od::json_type::string) return SUCCESS;
  return value.get_string().get(text.emplace());
}

}  // namespace

error_code MetadataReader::read(od::value value, bool keeps_calls, const Sought* exported_graph,
                                Node& node) {
  od::object metadata;
  if (const error_code e = value.get_object().get(metadata)) return e;
  for (auto entry : metadata) {
    od::field field;
    if (const error_code e = std::move(entry).get(field)) return e;
    const od::raw_json_string key = field.key();
    if (key == "stack_trace") {
      if (const error_code e = read_trace(field.value(), node)) return e;
    } else if (key == "nn_module_stack") {
      if (const error_code e = read_modules(field.value(), node)) return e;
    } else if (keeps_calls && key == "from_node") {
      read_origin(field.value().raw_json_token(), exported_graph, node);
    } else if (const bool is_call = keeps_calls && key == "torch_fn";
               is_call || key == "debug_handle") {
      std::optional<std::string_view> text;
      if (const error_code e = text_of(field.value(), text)) return e;
      if (!text) continue;
      if (is_call) node.torch_fn = record_.strings.intern(*text);
      else read_handle(*text, node);
    }
  }
  return SUCCESS;
}

template <typename Said, typename ReadText>
simdjson::simdjson_result<bool> MetadataReader::update(od::value value, Last<Said>& last,
                                                       const ReadText& read_text) {
  const std::string_view token = value.raw_json_token();
  if (token == last.token) return true;
  std::optional<std::string_view> text;
  if (const error_code e = text_of(value, text)) return e;
  if (!text) return false;
  const StringId id = record_.strings.intern(*text);
  last = {token, id, read_text(id)};
  return true;
}

error_code MetadataReader::read_trace(od::value value, Node& node) {
  bool is_text = false;
  const auto stack_of = [&](StringId text) { return provenance_.stack_of(text); };
  if (const error_code e = update(value, trace_, stack_of).get(is_text)) return e;
  if (!is_text) return SUCCESS;
  node.stack_trace = trace_.text;
  node.stack = trace_.said;
  return SUCCESS;
}

error_code MetadataReader::read_modules(od::value value, Node& node) {
  bool is_text = false;
  const auto modules_of = [&](StringId text) { return provenance_.modules_of(text); };
  if (const error_code e = update(value, modules_, modules_of).get(is_text)) return e;
  if (!is_text) return SUCCESS;
  node.module_stack_text = modules_.text;
  node.modules = modules_.said;
  return SUCCESS;
}

void MetadataReader::read_origin(std::string_view token, const Sought* exported_graph, Node& node) {
  if (const std::string_view origin = oldest_origin(token); !origin.empty())
    node.origin = record_.strings.intern(origin);
  if (exported_graph == nullptr) return;
  if (const std::string_view name = exported_origin(token, *exported_graph); !name.empty())
    node.exported_name = record_.strings.intern(name);
}

void MetadataReader::read_handle(std::string_view text, Node& node) {
  const std::optional<int64_t> handle = parse_int(text);
  if (handle && *handle >= 0 && *handle < kNoHandle.value)
    node.debug_handle = DebugHandle(static_cast<uint32_t>(*handle));
  else record_.report.add(Oddity::RecordNodeOdd, "debug_handle " + std::string(text));
}

}  // namespace etlens
