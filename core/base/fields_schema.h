// SPDX-License-Identifier: Apache-2.0
// The JSON Schema (2020-12) of a struct of fields (core/base/fields.h): JSON is described by what
// writes it, so that the two cannot differ.
#pragma once

#include <array>
#include <concepts>
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

// Whether objects may have fields that the schema does not name, as later versions add them.
enum class OtherFields { Refused, Allowed };

template <typename T>
struct SchemaOf;

template <typename T>
void write_schema(JsonWriter& out, OtherFields others) {
  out.begin_object();
  SchemaOf<T>::describe(out, others);  // into an object that is open
  out.end_object();
}

template <typename T>
requires std::same_as<T, std::string> || std::same_as<T, std::string_view>
struct SchemaOf<T> {
  static void describe(JsonWriter& out, OtherFields) { out.field("type", "string"); }
};
template <>
struct SchemaOf<bool> {
  static void describe(JsonWriter& out, OtherFields) { out.field("type", "boolean"); }
};
template <std::integral T>
struct SchemaOf<T> {
  static void describe(JsonWriter& out, OtherFields) { out.field("type", "integer"); }
};
template <std::floating_point T>
struct SchemaOf<T> {
  static void describe(JsonWriter& out, OtherFields) { out.field("type", "number"); }
};
template <>
struct SchemaOf<Real> {
  static void describe(JsonWriter& out, OtherFields) {
    out.key("anyOf").begin_array().begin_object().field("type", "number").end_object();
    for (const char* text : {"NaN", "Infinity", "-Infinity"})
      out.begin_object().field("const", text).end_object();
    out.end_array();
  }
};
template <FixedText kText>
struct SchemaOf<Literal<kText>> {
  static void describe(JsonWriter& out, OtherFields) { out.field("const", Literal<kText>::text()); }
};

template <typename T>
struct SchemaOf<std::optional<T>> : SchemaOf<T> {};

template <typename T>
struct SchemaOf<Nullable<T>> {
  static void describe(JsonWriter& out, OtherFields others) {
    out.key("anyOf").begin_array();
    write_schema<T>(out, others);
    out.begin_object().field("type", "null").end_object().end_array();
  }
};

template <typename T>
struct SchemaOf<std::vector<T>> {
  static void describe(JsonWriter& out, OtherFields others) {
    out.field("type", "array").key("items");
    write_schema<T>(out, others);
  }
};
template <typename T, size_t kCount>
struct SchemaOf<std::array<T, kCount>> {
  static void describe(JsonWriter& out, OtherFields others) {
    SchemaOf<std::vector<T>>::describe(out, others);
    out.field("minItems", kCount).field("maxItems", kCount);
  }
};
template <typename T>
struct SchemaOf<Rows<T>> : SchemaOf<std::vector<T>> {};

template <typename... Ts>
struct SchemaOf<std::tuple<Ts...>> {
  static void describe(JsonWriter& out, OtherFields others) {
    out.field("type", "array").key("prefixItems").begin_array();
    (write_schema<Ts>(out, others), ...);
    out.end_array().field("items", false).field("minItems", sizeof...(Ts));
  }
};

template <typename... Ts>
struct SchemaOf<std::variant<Ts...>> {
  static void describe(JsonWriter& out, OtherFields others) {
    out.key("anyOf").begin_array();
    (write_schema<Ts>(out, others), ...);
    out.end_array();
  }
};

template <typename T>
struct SchemaOf<std::map<std::string, T>> {
  static void describe(JsonWriter& out, OtherFields others) {
    out.field("type", "object").key("additionalProperties");
    write_schema<T>(out, others);
  }
};
template <typename T>
struct SchemaOf<std::vector<std::pair<std::string, T>>> : SchemaOf<std::map<std::string, T>> {};

template <HasFields T>
struct SchemaOf<T> {
  static void describe(JsonWriter& out, OtherFields others) {
    const T shape{};
    out.field("type", "object").key("properties").begin_object();
    visit_fields(shape, [&]<typename Field>(const char* name, const Field&) {
      out.key(name);
      write_schema<Field>(out, others);
    });
    out.end_object().key("required").begin_array();
    visit_fields(shape, [&]<typename Field>(const char* name, const Field&) {
      if constexpr (!kIsOptional<Field>) out.value(name);
    });
    out.end_array();
    if (others == OtherFields::Refused) out.field("additionalProperties", false);
  }
};

}  // namespace etlens
