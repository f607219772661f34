// SPDX-License-Identifier: Apache-2.0
#include "core/backend/metadata.h"

#include <simdjson.h>

#include "core/base/bytes.h"
#include "core/base/text.h"

namespace etlens {
namespace {

// Nested values are shown as JSON, cut at this length.
constexpr size_t kMaxValueBytes = 200;

std::string shown(const simdjson::dom::element& value) {
  std::string_view text;
  std::string out = value.get_string().get(text) == simdjson::SUCCESS ? std::string(text)
                                                                      : simdjson::minify(value);
  if (out.size() > kMaxValueBytes) out = valid_utf8(out.substr(0, kMaxValueBytes)) + "…";
  return out;
}

bool read_json(std::string_view bytes, MetadataFields& fields) {
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

}  // namespace

MetadataFields read_plain_metadata(std::string_view bytes) {
  MetadataFields fields;
  if (read_json(bytes, fields)) return fields;
  const bool is_text = is_valid_utf8(bytes) && bytes.find('\0') == std::string_view::npos;
  fields.emplace_back("metadata", is_text ? std::string(bytes.substr(0, kMaxValueBytes))
                                          : counted(bytes.size(), "byte"));
  return fields;
}

}  // namespace etlens
