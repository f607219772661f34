// SPDX-License-Identifier: Apache-2.0
// The JSON schema of a struct of fields (protocol/fields.h): what a tool answers is described by
// what writes it, so that the two cannot differ.
#pragma once

#include <concepts>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "core/base/json_writer.h"
#include "protocol/fields.h"

namespace etlens::mcp {

template <typename T>
struct SchemaOf;

template <typename T>
void write_schema(JsonWriter& out) {
  SchemaOf<T>::write(out);
}

template <typename T>
std::string schema_text() {
  JsonWriter out(JsonStyle::Message);
  write_schema<T>(out);
  return out.take();
}

inline void write_plain_schema(JsonWriter& out, const char* type) {
  out.begin_object().field("type", type).end_object();
}

template <>
struct SchemaOf<std::string> {
  static void write(JsonWriter& out) { write_plain_schema(out, "string"); }
};
template <>
struct SchemaOf<bool> {
  static void write(JsonWriter& out) { write_plain_schema(out, "boolean"); }
};
template <std::integral T>
struct SchemaOf<T> {
  static void write(JsonWriter& out) { write_plain_schema(out, "integer"); }
};
template <std::floating_point T>
struct SchemaOf<T> {
  static void write(JsonWriter& out) { write_plain_schema(out, "number"); }
};

template <typename T>
struct SchemaOf<std::optional<T>> {
  static void write(JsonWriter& out) { write_schema<T>(out); }
};

template <typename T>
struct SchemaOf<std::vector<T>> {
  static void write(JsonWriter& out) {
    out.begin_object().field("type", "array").key("items");
    write_schema<T>(out);
    out.end_object();
  }
};

template <lsp::LspStruct T>
struct SchemaOf<T> {
  static void write(JsonWriter& out) {
    const T shape{};
    out.begin_object().field("type", "object").key("properties").begin_object();
    visit_fields(shape, [&]<typename Field>(const char* name, const Field&) {
      out.key(name);
      write_schema<Field>(out);
    });
    out.end_object().key("required").begin_array();
    visit_fields(shape, [&]<typename Field>(const char* name, const Field&) {
      if constexpr (!lsp::kIsOptional<Field>) out.value(name);
    });
    out.end_array().field("additionalProperties", false).end_object();
  }
};

}  // namespace etlens::mcp
