// SPDX-License-Identifier: Apache-2.0
// Writes values of the protocol as JSON text: how structs, variants and the like map onto the
// writer.
#pragma once

#include <concepts>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "core/base/json_writer.h"
#include "protocol/fields.h"
#include "protocol/uri.h"

namespace etlens::lsp {

// The JSON value null, as a result.
struct Null {};

inline void write_json(JsonWriter& out, std::string_view text) { out.value(text); }
inline void write_json(JsonWriter& out, const std::string& text) { out.value(text); }
void write_tree(JsonWriter& out, const Json& json);
// Of what a client sends back: names as they were before they were written into a message, where
// nothing is invisible.
void put_back(Json& json);
// A template, so that nobody asks of every struct whether it could become a tree: that compiles
// slowly.
template <std::same_as<Json> T>
void write_json(JsonWriter& out, const T& json) {
  write_tree(out, json);
}
inline void write_json(JsonWriter& out, const JsonText& json) { out.raw(json.text); }
inline void write_json(JsonWriter& out, Null) { out.null(); }
inline void write_json(JsonWriter& out, const DocumentUri& uri) { out.exact(uri.string()); }

template <typename T>
requires std::is_arithmetic_v<T>
void write_json(JsonWriter& out, T value) { out.value(value); }

template <typename T>
requires std::is_enum_v<T>
void write_json(JsonWriter& out, T value) { out.value(static_cast<int64_t>(value)); }

// Declared before they are defined, because each may hold any other.
template <typename T>
void write_json(JsonWriter& out, const std::vector<T>& values);
template <typename T>
void write_json(JsonWriter& out, const std::map<std::string, T>& values);
template <typename... Ts>
void write_json(JsonWriter& out, const std::variant<Ts...>& value);
template <typename T>
void write_json(JsonWriter& out, const std::optional<T>& value);
template <LspStruct T>
void write_json(JsonWriter& out, const T& value);

template <typename T>
void write_json(JsonWriter& out, const std::vector<T>& values) {
  out.begin_array();
  for (const T& value : values) write_json(out, value);
  out.end_array();
}

template <typename T>
void write_json(JsonWriter& out, const std::map<std::string, T>& values) {
  out.begin_object();
  for (const auto& [key, value] : values) {
    out.key(key);
    write_json(out, value);
  }
  out.end_object();
}

template <typename... Ts>
void write_json(JsonWriter& out, const std::variant<Ts...>& value) {
  std::visit([&](const auto& alternative) { write_json(out, alternative); }, value);
}

// Only as a result or an element: an absent field is left out.
template <typename T>
void write_json(JsonWriter& out, const std::optional<T>& value) {
  if (value) write_json(out, *value);
  else out.null();
}

template <LspStruct T>
void write_json(JsonWriter& out, const T& value) {
  out.begin_object();
  visit_fields(value, [&]<typename Field>(const char* name, const Field& field) {
    if constexpr (kIsOptional<Field>) {
      if (!field) return;
    }
    out.key(name);
    write_json(out, field);
  });
  out.end_object();
}

template <typename T>
std::string to_json_text(const T& value) {
  JsonWriter out(JsonStyle::Message);
  write_json(out, value);
  return out.take();
}

// The value as a tree: for fields of type LSPAny.
template <typename T>
Json to_json_value(const T& value) {
  return Json::parse(to_json_text(value), nullptr, /*allow_exceptions=*/false);
}

}  // namespace etlens::lsp
