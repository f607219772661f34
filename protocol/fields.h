// SPDX-License-Identifier: Apache-2.0
// LSP_STRUCT names the fields of a struct once; decode.h reads and json_text.h writes all of them.
//
//   struct Position { uint32_t line = 0; uint32_t character = 0; };
//   LSP_STRUCT(Position, line, character)
//
// Fields are spelled as in the specification. std::optional is a field that may be absent (and is
// left out when writing); every other field is required.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace etlens::lsp {

using Json = nlohmann::json;

// A value that is JSON text already: of a field of type LSPAny that is written far more often than
// read.
struct JsonText {
  std::string text = "null";
};

#define ETLENS_LSP_FIELD(name) visit(#name, self.name);
#define LSP_STRUCT(Type, ...)                                                \
  template <typename Visit>                                                  \
  void visit_fields(Type& self, Visit&& visit) {                             \
    NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(ETLENS_LSP_FIELD, __VA_ARGS__)) \
  }                                                                          \
  template <typename Visit>                                                  \
  void visit_fields(const Type& self, Visit&& visit) {                       \
    NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(ETLENS_LSP_FIELD, __VA_ARGS__)) \
  }

// A struct without fields that we read or write.
#define LSP_EMPTY_STRUCT(Type) \
  template <typename Visit>    \
  void visit_fields(const Type&, Visit&&) {}

template <typename T>
concept LspStruct = requires(const T& value) {
  visit_fields(value, [](const char*, const auto&) {});
};

template <typename T>
inline constexpr bool kIsOptional = false;
template <typename T>
inline constexpr bool kIsOptional<std::optional<T>> = true;

}  // namespace etlens::lsp
