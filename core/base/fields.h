// SPDX-License-Identifier: Apache-2.0
// FIELDS names the fields of a struct once. What writes its JSON (core/base/fields_json.h), its
// JSON Schema (core/base/fields_schema.h), what reads it from a message (protocol/decode.h) and the
// types of the extension (tests/support/typescript.h) come from this one declaration.
//
//   struct Position { uint32_t line = 0; uint32_t character = 0; };
//   FIELDS(Position, line, character)
//
// It stands in the namespace of the struct. Fields are spelled as in the JSON. std::optional is a
// field that may be absent (and is left out when writing); every other field is always there.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <functional>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

namespace etlens {

// The preprocessor repeats `macro` for up to 64 arguments.
#define ETLENS_EACH(macro, ...) __VA_OPT__(ETLENS_SCAN64(ETLENS_EACH_OF(macro, __VA_ARGS__)))
#define ETLENS_EACH_OF(macro, first, ...) \
  macro(first) __VA_OPT__(ETLENS_EACH_AGAIN ETLENS_PARENTHESES(macro, __VA_ARGS__))
#define ETLENS_EACH_AGAIN() ETLENS_EACH_OF
#define ETLENS_PARENTHESES ()
#define ETLENS_SCAN64(...) ETLENS_SCAN16(ETLENS_SCAN16(ETLENS_SCAN16(ETLENS_SCAN16(__VA_ARGS__))))
#define ETLENS_SCAN16(...) ETLENS_SCAN4(ETLENS_SCAN4(ETLENS_SCAN4(ETLENS_SCAN4(__VA_ARGS__))))
#define ETLENS_SCAN4(...) ETLENS_SCAN(ETLENS_SCAN(ETLENS_SCAN(ETLENS_SCAN(__VA_ARGS__))))
#define ETLENS_SCAN(...) __VA_ARGS__

#define ETLENS_FIELD(name) ::etlens::visit_field(visit, #name, self.name);
// visit(name, field) of each; and what the struct is called.
#define FIELDS(Type, ...)                                                          \
  template <typename Self, typename Visit>                                         \
  requires std::same_as<std::remove_const_t<Self>, Type>                           \
  void visit_fields([[maybe_unused]] Self& self, [[maybe_unused]] Visit&& visit) { \
    ETLENS_EACH(ETLENS_FIELD __VA_OPT__(, ) __VA_ARGS__)                           \
  }                                                                                \
  template <std::same_as<Type> Named>                                              \
  constexpr std::string_view struct_name(std::type_identity<Named>) {              \
    return #Type;                                                                  \
  }

// A namespace of its own: whether a type has fields is looked up in the type's alone.
namespace fields {
struct Visit {
  void operator()(const char*, const auto&) const {}
};
}  // namespace fields
template <typename T>
concept HasFields = requires(const T& value, fields::Visit visit) {
  visit_fields(value, visit);
};

template <typename T>
inline constexpr bool kIsOptional = false;
template <typename T>
inline constexpr bool kIsOptional<std::optional<T>> = true;

// The fields of T stand in the JSON of the struct that has it, without a name of their own.
template <HasFields T>
struct Spread : T {
  Spread() = default;
  Spread(T fields) : T(std::move(fields)) {}
};
template <typename T>
inline constexpr bool kIsSpread = false;
template <typename T>
inline constexpr bool kIsSpread<Spread<T>> = true;
template <typename T>
T& fields_of(Spread<T>& spread) {
  return spread;
}
template <typename T>
const T& fields_of(const Spread<T>& spread) {
  return spread;
}

// The same of fields that are absent together. They are written and described, not read.
template <HasFields T>
using SpreadIfAny = std::optional<Spread<T>>;
template <typename T>
inline constexpr bool kIsSpreadIfAny = false;
template <typename T>
inline constexpr bool kIsSpreadIfAny<std::optional<Spread<T>>> = true;
template <typename Visit, typename T>
void visit_any(Visit& visit, const std::optional<Spread<T>>& spread) {
  const Spread<T> shape = spread.value_or(Spread<T>());
  visit_fields(fields_of(shape), [&]<typename Field>(const char* name, const Field& field) {
    if constexpr (kIsOptional<Field>) visit(name, field);
    else visit(name, spread ? std::optional<Field>(field) : std::nullopt);
  });
}

template <typename Visit, typename Field>
void visit_field(Visit& visit, const char* name, Field& field) {
  if constexpr (kIsSpread<std::remove_const_t<Field>>) visit_fields(fields_of(field), visit);
  else if constexpr (kIsSpreadIfAny<std::remove_const_t<Field>>) visit_any(visit, field);
  else visit(name, field);
}

// A field that is always there, and null without a value.
template <typename T>
struct Nullable {
  std::optional<T> value;

  Nullable() = default;
  Nullable(T given) : value(std::move(given)) {}
  Nullable(std::optional<T> given) : value(std::move(given)) {}
  Nullable(std::nullopt_t) {}
};

// A number that need not be finite: files have the strings "NaN", "Infinity" and "-Infinity" for it.
struct Real {
  double value = 0;

  Real() = default;
  Real(double number) : value(number) {}
};

// A field that is always the same text: of a document, the name of its schema.
template <size_t kSize>
struct FixedText {
  char text[kSize];
  consteval FixedText(const char (&given)[kSize]) { std::copy_n(given, kSize, text); }
};
template <FixedText kText>
struct Literal {
  static constexpr std::string_view text() { return {kText.text, sizeof(kText.text) - 1}; }
};

// An array whose rows are made while they are written, one at a time: `each` passes all of them to
// the function that it gets.
template <typename T>
class Rows {
 public:
  using Take = std::function<void(const T&)>;

  Rows() = default;
  Rows(std::function<void(const Take&)> each) : each_(std::move(each)) {}

  void each(const Take& take) const {
    if (each_) each_(take);
  }

 private:
  std::function<void(const Take&)> each_;
};

}  // namespace etlens
