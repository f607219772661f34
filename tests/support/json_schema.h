// SPDX-License-Identifier: Apache-2.0
// Holds JSON against a JSON Schema, as far as ours go (core/base/fields_schema.h). Stricter than
// the standard: every field of an object has to be in its schema.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace etlens::test {

using Json = nlohmann::json;

inline bool has_type(const Json& value, const std::string& type) {
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "string") return value.is_string();
  if (type == "boolean") return value.is_boolean();
  if (type == "integer") return value.is_number_integer();
  if (type == "number") return value.is_number();
  return type == "null" && value.is_null();
}

// The first thing that does not fit: "/lines/0/self: is not of the type number"; "" for nothing.
inline std::string misfit(const Json& value, const Json& schema, const std::string& at = "") {
  if (schema.is_boolean()) return schema == true ? "" : at + ": is more than there may be";
  if (schema.contains("const"))
    return value == schema["const"] ? "" : at + ": is not " + schema["const"].dump();
  if (schema.contains("anyOf")) {
    std::string why;
    for (const Json& each : schema["anyOf"]) {
      why = misfit(value, each, at);
      if (why.empty()) return "";
    }
    return why;
  }
  if (!has_type(value, schema.at("type")))
    return at + ": is not of the type " + schema["type"].dump();
  if (value.is_object()) {
    for (const Json& key : schema.value("required", Json::array()))
      if (!value.contains(key)) return at + ": has no " + key.dump();
    const Json fields = schema.value("properties", Json::object());
    const Json others = schema.value("additionalProperties", Json(false));
    for (const auto& [key, member] : value.items()) {
      const std::string why =
          misfit(member, fields.contains(key) ? fields[key] : others, at + "/" + key);
      if (!why.empty()) return why;
    }
  }
  if (value.is_array()) {
    const Json first = schema.value("prefixItems", Json::array());
    if (value.size() < schema.value("minItems", size_t{0}) ||
        value.size() > schema.value("maxItems", value.size()))
      return at + ": has another size";
    for (size_t i = 0; i < value.size(); ++i) {
      const Json& each = i < first.size() ? first[i] : schema.at("items");
      const std::string why = misfit(value[i], each, at + "/" + std::to_string(i));
      if (!why.empty()) return why;
    }
  }
  return "";
}

}  // namespace etlens::test
