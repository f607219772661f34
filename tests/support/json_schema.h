// SPDX-License-Identifier: Apache-2.0
// Holds JSON against a JSON Schema, as far as ours go (core/base/fields_schema.h). Stricter than
// the standard: every field of an object has to be in its schema.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace etlens::test {

using Json = nlohmann::json;

inline bool has_type(const Json& value, std::string_view type) {
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "string") return value.is_string();
  if (type == "boolean") return value.is_boolean();
  if (type == "integer") return value.is_number_integer();
  if (type == "number") return value.is_number();
  return type == "null" && value.is_null();
}

// The schema's member of this name, or `otherwise`. No copy: every value of a document asks for it,
// and `properties` may be most of the schema.
inline const Json& part(const Json& schema, std::string_view name, const Json& otherwise) {
  const auto found = schema.find(name);
  return found == schema.end() ? otherwise : *found;
}

// The first thing that does not fit: "/lines/0/self: is not of the type number"; "" for nothing.
inline std::string misfit(const Json& value, const Json& schema) {
  static const Json nothing = Json::array();
  static const Json no_fields = Json::object();
  static const Json no_more = false;
  if (schema.is_boolean()) return schema == true ? "" : ": is more than there may be";
  if (schema.contains("const"))
    return value == schema["const"] ? "" : ": is not " + schema["const"].dump();
  if (schema.contains("anyOf")) {
    std::string why;
    for (const Json& each : schema["anyOf"]) {
      why = misfit(value, each);
      if (why.empty()) return "";
    }
    return why;
  }
  if (!has_type(value, schema.at("type").get<std::string_view>()))
    return ": is not of the type " + schema["type"].dump();
  if (value.is_object()) {
    for (const Json& key : part(schema, "required", nothing))
      if (!value.contains(key)) return ": has no " + key.dump();
    const Json& fields = part(schema, "properties", no_fields);
    const Json& others = part(schema, "additionalProperties", no_more);
    for (const auto& [key, field] : value.items()) {
      const std::string why = misfit(field, part(fields, key, others));
      if (!why.empty()) return "/" + key + why;
    }
  }
  if (value.is_array()) {
    const Json& first = part(schema, "prefixItems", nothing);
    if (value.size() < schema.value("minItems", size_t{0}) ||
        value.size() > schema.value("maxItems", value.size()))
      return ": has another size";
    for (size_t i = 0; i < value.size(); ++i) {
      const std::string why = misfit(value[i], i < first.size() ? first[i] : schema.at("items"));
      if (!why.empty()) return "/" + std::to_string(i) + why;
    }
  }
  return "";
}

}  // namespace etlens::test
