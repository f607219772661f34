// SPDX-License-Identifier: Apache-2.0
// Writes values as JSON text, without a tree in between: answers with thousands of hints are
// written once and sent.
#pragma once

#include <concepts>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "protocol/fields.h"
#include "protocol/uri.h"

namespace etlens::lsp {

// The JSON value null, as a result.
struct Null {};

// Appends `text` with quotes and escapes; bytes that are no UTF-8 become U+FFFD.
void write_json(std::string& out, std::string_view text);
inline void write_json(std::string& out, const std::string& text) {
  write_json(out, std::string_view(text));
}
void write_json(std::string& out, double number);  // null if it is not finite
void write_json(std::string& out, int64_t number);
void write_json(std::string& out, uint64_t number);
void write_json(std::string& out, const Json& json);
inline void write_json(std::string& out, const JsonText& json) { out += json.text; }
inline void write_json(std::string& out, Null) { out += "null"; }
inline void write_json(std::string& out, const DocumentUri& uri) { write_json(out, uri.string()); }

template <std::same_as<bool> T>
void write_json(std::string& out, T value) {
  out += value ? "true" : "false";
}

template <typename T>
requires(std::integral<T> && !std::same_as<T, bool>) void write_json(std::string& out, T number) {
  if constexpr (std::is_signed_v<T>) write_json(out, static_cast<int64_t>(number));
  else write_json(out, static_cast<uint64_t>(number));
}

template <typename T>
requires std::is_enum_v<T>
void write_json(std::string& out, T value) { write_json(out, static_cast<int64_t>(value)); }

template <typename T>
void write_json(std::string& out, const std::vector<T>& values);
template <typename T>
void write_json(std::string& out, const std::map<std::string, T>& values);
template <typename... Ts>
void write_json(std::string& out, const std::variant<Ts...>& value);
template <typename T>
void write_json(std::string& out, const std::optional<T>& value);
template <LspStruct T>
void write_json(std::string& out, const T& value);

template <typename T>
void write_json(std::string& out, const std::vector<T>& values) {
  out += '[';
  bool is_first = true;
  for (const T& value : values) {
    if (!is_first) out += ',';
    is_first = false;
    write_json(out, value);
  }
  out += ']';
}

template <typename T>
void write_json(std::string& out, const std::map<std::string, T>& values) {
  out += '{';
  bool is_first = true;
  for (const auto& [key, value] : values) {
    if (!is_first) out += ',';
    is_first = false;
    write_json(out, std::string_view(key));
    out += ':';
    write_json(out, value);
  }
  out += '}';
}

template <typename... Ts>
void write_json(std::string& out, const std::variant<Ts...>& value) {
  std::visit([&](const auto& alternative) { write_json(out, alternative); }, value);
}

// Only as a result or an element: an absent field is left out.
template <typename T>
void write_json(std::string& out, const std::optional<T>& value) {
  if (value) write_json(out, *value);
  else out += "null";
}

template <LspStruct T>
void write_json(std::string& out, const T& value) {
  out += '{';
  bool is_first = true;
  visit_fields(value, [&]<typename Field>(const char* name, const Field& field) {
    if constexpr (kIsOptional<Field>) {
      if (!field) return;
    }
    if (!is_first) out += ',';
    is_first = false;
    ((out += '"') += name) += "\":";
    write_json(out, field);
  });
  out += '}';
}

template <typename T>
std::string to_json_text(const T& value) {
  std::string text;
  write_json(text, value);
  return text;
}

// The value as a tree: for fields of type LSPAny.
template <typename T>
Json to_json_value(const T& value) {
  return Json::parse(to_json_text(value), nullptr, /*allow_exceptions=*/false);
}

}  // namespace etlens::lsp
