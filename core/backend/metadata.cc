// SPDX-License-Identifier: Apache-2.0
#include "core/backend/metadata.h"

#include <simdjson.h>

#include "core/base/bytes.h"
#include "core/base/text.h"
#include "core/backend/backend_event.h"

namespace etlens {
namespace {

using Fields = std::vector<std::pair<std::string, std::string>>;

// Nested values are shown as JSON, cut at this length.
constexpr size_t kMaxValueBytes = 200;

std::string shown(const simdjson::dom::element& value) {
  std::string_view text;
  std::string out = value.get_string().get(text) == simdjson::SUCCESS ? std::string(text)
                                                                      : simdjson::minify(value);
  if (out.size() > kMaxValueBytes) out = valid_utf8(out.substr(0, kMaxValueBytes)) + "…";
  return out;
}

bool decode_json(std::string_view bytes, Fields& fields) {
  if (!bytes.starts_with('{')) return false;
  const Bytes text = Bytes::copy_of(bytes);
  simdjson::dom::parser parser;
  simdjson::dom::object object;
  const auto document = parser.parse(reinterpret_cast<const char*>(text.data()), text.size(),
                                     /*realloc_if_needed=*/false);
  if (document.get_object().get(object) != simdjson::SUCCESS) return false;
  for (const auto& [key, value] : object) fields.emplace_back(std::string(key), shown(value));
  return true;
}

bool decode_workgroups(std::string_view bytes, Fields& fields) {
  constexpr size_t kBytes = 6 * sizeof(uint32_t);
  if (bytes.size() != kBytes) return false;
  ByteReader reader({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()});
  for (const char* name : {"global workgroup", "local workgroup"}) {
    const uint32_t x = reader.u32();
    const uint32_t y = reader.u32();
    const uint32_t z = reader.u32();
    fields.emplace_back(name,
                        std::to_string(x) + " × " + std::to_string(y) + " × " + std::to_string(z));
  }
  return true;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> decode_metadata(std::string_view backend,
                                                                 std::string_view bytes) {
  Fields fields;
  if (bytes.empty()) return fields;
  if (backend == kVulkanBackend && decode_workgroups(bytes, fields)) return fields;
  if (backend == kNeutronBackend && bytes.size() == 1) {
    fields.emplace_back("function code", std::to_string(static_cast<uint8_t>(bytes[0])));
    return fields;
  }
  if (decode_json(bytes, fields)) return fields;
  const bool is_text = is_valid_utf8(bytes) && bytes.find('\0') == std::string_view::npos;
  fields.emplace_back("metadata", is_text ? std::string(bytes.substr(0, kMaxValueBytes))
                                          : counted(bytes.size(), "byte"));
  return fields;
}

}  // namespace etlens
