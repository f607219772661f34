// SPDX-License-Identifier: Apache-2.0
// Writes structs of fields (core/base/fields.h) as JSON: how each type maps onto the writer.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/fields.h"
#include "core/base/json_writer.h"

namespace etlens {

inline void write_json(JsonWriter& out, std::string_view text) { out.value(text); }
inline void write_json(JsonWriter& out, const std::string& text) { out.value(text); }
template <FixedText kText>
void write_json(JsonWriter& out, Literal<kText>) {
  out.value(Literal<kText>::text());
}

inline void write_json(JsonWriter& out, Real real) { out.value(real.value); }

template <typename T>
requires std::is_arithmetic_v<T>
void write_json(JsonWriter& out, T value) { out.value(value); }

template <typename T>
requires std::is_enum_v<T>
void write_json(JsonWriter& out, T value) { out.value(static_cast<int64_t>(value)); }

// Declared before they are defined, because each may hold any other.
template <typename T>
void write_json(JsonWriter& out, const std::vector<T>& values);
template <typename T, size_t kCount>
void write_json(JsonWriter& out, const std::array<T, kCount>& values);
template <typename... Ts>
void write_json(JsonWriter& out, const std::tuple<Ts...>& values);
template <typename T>
void write_json(JsonWriter& out, const Rows<T>& rows);
template <typename T>
void write_json(JsonWriter& out, const std::map<std::string, T>& values);
template <typename T>
void write_json(JsonWriter& out, const std::vector<std::pair<std::string, T>>& values);
template <typename... Ts>
void write_json(JsonWriter& out, const std::variant<Ts...>& value);
template <typename T>
void write_json(JsonWriter& out, const std::optional<T>& value);
template <typename T>
void write_json(JsonWriter& out, const Nullable<T>& value) {
  write_json(out, value.value);
}
template <HasFields T>
void write_json(JsonWriter& out, const T& value);

template <typename Values>
void write_array(JsonWriter& out, const Values& values) {
  out.begin_array();
  for (const auto& value : values) write_json(out, value);
  out.end_array();
}
template <typename T>
void write_json(JsonWriter& out, const std::vector<T>& values) {
  write_array(out, values);
}
template <typename T, size_t kCount>
void write_json(JsonWriter& out, const std::array<T, kCount>& values) {
  write_array(out, values);
}

template <typename... Ts>
void write_json(JsonWriter& out, const std::tuple<Ts...>& values) {
  out.begin_array();
  std::apply([&](const Ts&... value) { (write_json(out, value), ...); }, values);
  out.end_array();
}

template <typename T>
void write_json(JsonWriter& out, const Rows<T>& rows) {
  out.begin_array();
  rows.each([&](const T& row) { write_json(out, row); });
  out.end_array();
}

// An object whose keys are data.
template <typename Members>
void write_object(JsonWriter& out, const Members& members) {
  out.begin_object();
  for (const auto& [key, value] : members) {
    out.key(key);
    write_json(out, value);
  }
  out.end_object();
}
template <typename T>
void write_json(JsonWriter& out, const std::map<std::string, T>& values) {
  write_object(out, values);
}
template <typename T>
void write_json(JsonWriter& out, const std::vector<std::pair<std::string, T>>& values) {
  write_object(out, values);
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

// Into an object that is open.
template <HasFields T>
void write_members(JsonWriter& out, const T& value) {
  visit_fields(value, [&]<typename Field>(const char* name, const Field& field) {
    if constexpr (kIsOptional<Field>) {
      if (!field) return;
    }
    out.key(name);
    write_json(out, field);
  });
}

template <HasFields T>
void write_json(JsonWriter& out, const T& value) {
  out.begin_object();
  write_members(out, value);
  out.end_object();
}

// A file, or with another style a message or a row of data.
template <typename T>
std::string json_text(const T& value, JsonStyle style = JsonStyle::Spaced) {
  JsonWriter out(style);
  write_json(out, value);
  return out.take();
}

}  // namespace etlens
